// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "runtime/hccl/board/request.h"
#include "runtime/hccl/collectives/rank_operation.h"
#include "runtime/hccl/collectives/staging.h"

namespace hccl {

/// An operation that all ranks of a communicator take part in.
class Collective final : public RankOperation {
 public:
  Collective(const Communicator& communicator, embedded::Caller caller, Request request,
             Buffer send, Buffer receive);

  const char* name() const noexcept override { return name_of(request_.call.kind); }
  const char* type() const noexcept override;
  std::size_t bytes() const noexcept override;
  std::vector<embedded::Range> ranges() const override;

 protected:
  std::unique_ptr<Run> make_run() override;
  std::vector<embedded::Meeting> meet(const Run& run) const override;
  int advance(Run& run) override;
  std::string text(const Run& run) const override;

 private:
  enum class Stage : std::uint8_t { enqueued, posted, delivered, finished };
  struct CollectiveRun final : Run {
    Stage stage = Stage::enqueued;
  };
  void post(const Round& round);
  void deliver(const Round& round);
  int first_undelivered(const Round& round) const;
  void deliver_results(const Round& round);
  void finish(const Round& round);
  void work(const Round& round);
  void fetch(const Round& round);
  void reduce_part(const Round& round);
  const std::byte* source(const Round& round, int from) const;
  Part part_for_me(const Round& round, int from) const;
  std::vector<std::byte*> targets(const Round& round) const;
  void require_fit(const Round& round) const;
  bool others_use_buffers() const noexcept;
  bool reduces_parts() const noexcept;

  const Request request_;
  const bool on_board_;
  const Buffer send_;
  const Buffer receive_;
  const Staging staging_;
};

}  // namespace hccl
