// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "runtime/hccl/collectives/rank_operation.h"
#include "runtime/hccl/hcomm/resources.h"

namespace hccl {

/// One primitive of HCOMM as an op of a stream: a transfer from or to the peer's memory, optionally
/// followed by setting a flag of the peer; or the wait for a flag of this rank.
class Transfer final : public RankOperation {
 public:
  struct Spec {
    const char* name = nullptr;
    std::shared_ptr<Channel> channel{};  // null: within the rank
    std::byte* to = nullptr;             // null: no bytes, or bytes of a peer on another host,
    const std::byte* from = nullptr;     // which are located by
    std::uint64_t there = 0;             // the offset in the file of its device
    const Region* region = nullptr;      // of the peer; null: none
    std::uint64_t bytes = 0;
    bool reduces = false;
    HcclDataType type = HCCL_DATA_TYPE_INT8;
    HcclReduceOp op = HCCL_REDUCE_SUM;
    std::vector<embedded::Range> ranges{};
    bool sets = false;   // sets the peer's flag `index`
    bool waits = false;  // waits for the own flag `index`
    std::uint32_t index = 0;
    std::string problem{};       // not empty: the operation fails with this text when it runs
    std::uint64_t limit_ns = 0;  // limit of a wait; 0: the limit of the communicator
  };
  Transfer(const Communicator& communicator, embedded::Caller caller, Spec spec);

  const char* name() const noexcept override { return spec_.name; }
  const char* type() const noexcept override { return "HCOMM"; }
  std::size_t bytes() const noexcept override { return spec_.bytes; }
  std::vector<embedded::Range> ranges() const override { return spec_.ranges; }
  std::vector<int> peers() const override;

 protected:
  std::unique_ptr<Run> make_run() override;
  embedded::FlagUse flag_of(const Run& run) const override;
  std::vector<embedded::Rendezvous> rendezvous_of(const Run&) const override { return {}; }
  Awaited advance(Run& run) override;
  std::string text(const Run& run) const override;

 private:
  /// Memory that UCX reads and writes. It lives until everything has arrived.
  struct Remote {
    std::atomic<Links::Arrival> arrival{Links::Arrival::pending};
    std::vector<std::byte> bytes{};
  };
  struct TransferRun final : Run {
    std::uint64_t key = 1;  // value of the peer's flag; see FlagUse
    bool fetched = false;   // the peer's bytes have arrived
    bool sent = false;
    std::shared_ptr<Remote> remote{};
  };
  void require_region() const;
  void move() const;
  Awaited advance_remote(TransferRun& run) const;
  void begin_fetch(TransferRun& run) const;
  void send(TransferRun& run) const;
  void flush(TransferRun& run) const;
  bool arrived(const TransferRun& run) const;
  const Spec spec_;
};

}  // namespace hccl
