// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <boost/container/small_vector.hpp>
#include <memory>
#include <vector>

#include "device_sim/base/recycled.h"
#include "runtime/hccl/board/algorithm.h"
#include "runtime/hccl/board/rails.h"
#include "runtime/hccl/board/request.h"
#include "runtime/hccl/board/schedule.h"
#include "runtime/hccl/collectives/rank_operation.h"
#include "runtime/hccl/collectives/staging.h"

namespace hccl {

/// An operation in which all ranks of a communicator take part.
class Collective final : public RankOperation, public sim::Recycled<Collective> {
 public:
  Collective(Communicator& communicator, embedded::Caller caller, Request request, Buffer send,
             Buffer receive);

  const char* name() const noexcept override { return name_of(request_.call.kind); }
  const char* type() const noexcept override { return name_of(algorithm_); }
  std::size_t bytes() const noexcept override;
  std::vector<embedded::Range> ranges() const override;

 protected:
  std::unique_ptr<Run> make_run() override;
  std::vector<embedded::Rendezvous> rendezvous_of(const Run& run) const override {
    return rendezvous_of_all(run.number);
  }
  Awaited advance(Run& run) override;
  std::string text(const Run& run) const override { return text_of(run.number, request_.call); }
  std::optional<Waits> waits(const Run& run) const override;

 private:
  enum class Stage : std::uint8_t { enqueued, posted, scheduled, delivered, reduced, finished };
  struct CollectiveRun final : Run, sim::Recycled<CollectiveRun> {
    Stage stage = Stage::enqueued;
    std::size_t step = 0;  // index of the next step of the schedule
    // Ranks of other hosts to which this rank has put data and which may finish before it arrives,
    // and the state of each of these transfers.
    std::vector<int> given{};
    std::vector<std::shared_ptr<std::atomic<Links::Arrival>>> results{};
  };
  void post(const Round& round);
  void deliver(const Round& round);
  void deliver_partial(const Round& round, int owner);
  void forward(const Round& round);
  void forward_results(const Round& round);
  int first_unreduced(const Round& round) const;
  int first_unended(const Round& round) const;
  int first_undelivered(const Round& round) const;
  void deliver_results(const Round& round, CollectiveRun& run);
  Schedule make_schedule() const;
  const std::vector<int>& ranks_of_host() const noexcept;
  void begin_schedule(const Round& round);
  int follow_schedule(const Round& round, CollectiveRun& run);
  void combine(const Round& round, const Step& step);
  void show_host(const Round& round, const Step::Part& part);
  void give(const Round& round, const Step& step);
  void end_schedule(CollectiveRun& run);
  void await_sent(CollectiveRun& run);
  int first_unfinished_here(const Round& round) const;
  Staging make_staging(Communicator& communicator) const;
  static bool arrived(const CollectiveRun& run) noexcept;
  void finish(const Round& round);
  void work(const Round& round);
  void fetch(const Round& round);
  void reduce_part(const Round& round);
  const std::byte* source(const Round& round, int from) const;
  using Sources = boost::container::small_vector<const std::byte*, 8>;
  using Targets = boost::container::small_vector<std::byte*, 8>;
  Sources sources(const Round& round) const;
  Sources operands_here(const Round& round, std::uint64_t offset) const;
  void reduce_to_own(const Sources& sources, const Step::Part& part);
  Part part_for_me(const Round& round, int from) const;
  Targets targets(const Round& round) const;
  void require_equal_pairs(const Round& round) const;
  bool others_use_buffers() const noexcept;
  bool reduces_parts() const noexcept;
  std::uint64_t most_for_remote() const noexcept;

  const Request request_;
  const Algorithm algorithm_;
  const Schedule schedule_;  // used if `is_scheduled`; otherwise the steps of `Request` apply
  const bool on_board_;
  const Buffer send_;
  const Buffer receive_;
  // Used between hosts with several ranks each: data that is the same for all ranks goes to one
  // rank of each host, which forwards it; the same for results of an all-reduce; operands that may
  // be reduced in any order are first reduced within the host.
  const bool forwards_;
  const bool forwards_results_;
  const bool reduces_first_;
  Staging staging_;
  Staging partials_;  // operands for ranks of other hosts
};

}  // namespace hccl
