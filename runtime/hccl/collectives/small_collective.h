// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "device_sim/base/recycled.h"
#include "runtime/hccl/board/small.h"
#include "runtime/hccl/collectives/rank_operation.h"

namespace hccl {

/// A small collective, described by `Small`. All of its data is on the boards, so no rank reads
/// buffers of other ranks. It sends one message to each rank of another host.
class SmallCollective final : public RankOperation {
 public:
  /// Raises HCCL_E_PARA for buffers that no device can access. A buffer that the rank does not use
  /// may be null.
  SmallCollective(const Communicator& communicator, embedded::Caller caller, const Small& small,
                  const void* send, const void* receive);

  const char* name() const noexcept override { return name_of(small_.call.kind); }
  const char* type() const noexcept override { return name_of(small_.algorithm()); }
  std::size_t bytes() const noexcept override;
  std::vector<embedded::Range> ranges() const override;
  bool prepare(std::uint64_t run) override;

 protected:
  std::unique_ptr<Run> make_run() override;
  std::vector<embedded::Rendezvous> rendezvous_of(const Run& run) const override {
    return rendezvous_of_all(run.number);
  }
  Awaited advance(Run& run) override;
  std::string text(const Run& run) const override { return text_of(run.number, small_.call); }
  std::optional<Waits> waits(const Run& run) const override;

 private:
  struct SmallRun final : Run, sim::Recycled<SmallRun> {
    bool posted = false;
    int seen = 0;  // the number of leading ranks that are known to have posted
  };
  Awaited gather(SmallRun& run, const Round& round);
  void post(const Round& round) const;
  void take(const Round& round) const;
  void reduce_all(const Round& round) const;
  void copy_from(const Round& round, int rank, std::uint64_t at) const;
  const std::byte* data_of(const Round& round, int rank) const noexcept;

  const Small small_;
  const void* const send_;
  const void* const receive_;
  const std::byte* from_ = nullptr;  // the buffers, at the addresses that this process uses
  std::byte* to_ = nullptr;
};

}  // namespace hccl
