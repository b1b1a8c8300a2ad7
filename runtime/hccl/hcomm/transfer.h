// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "runtime/hccl/collectives/rank_operation.h"
#include "runtime/hccl/hcomm/resources.h"

namespace hccl {

/// One primitive of HCOMM as an op of a stream: bytes from or to the peer's memory, then a flag
/// that is set there; or the wait for a flag of one's own.
class Transfer final : public RankOperation {
 public:
  struct Spec {
    const char* name = nullptr;
    std::shared_ptr<Channel> channel{};  // null: within the rank
    std::byte* to = nullptr;             // null: no bytes, or those of a peer on another host,
    const std::byte* from = nullptr;     // which are at
    std::uint64_t there = 0;             // in the file of its device
    const Region* region = nullptr;      // of the peer; null: none
    std::uint64_t bytes = 0;
    bool reduces = false;
    HcclDataType type = HCCL_DATA_TYPE_INT8;
    HcclReduceOp op = HCCL_REDUCE_SUM;
    std::vector<embedded::Range> ranges{};
    bool sets = false;   // the peer's flag `index`
    bool waits = false;  // for the own flag `index`
    std::uint32_t index = 0;
    std::string problem{};       // not empty: it fails with this when it runs
    std::uint64_t limit_ns = 0;  // of a wait; 0: as the communicator
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
  std::vector<embedded::Rendezvous> meet(const Run&) const override { return {}; }
  int advance(Run& run) override;
  std::string text(const Run& run) const override;

 private:
  /// What UCX reads and writes, so it stays until all has arrived.
  struct Remote {
    std::atomic<Links::Arrival> arrival{Links::Arrival::pending};
    std::vector<std::byte> bytes{};
  };
  struct TransferRun final : Run {
    std::uint64_t key = 1;  // what it sets the peer's flag to; see FlagUse
    bool fetched = false;   // the peer's bytes
    bool sent = false;
    std::shared_ptr<Remote> remote{};
  };
  void require_region() const;
  void move() const;
  int advance_remote(TransferRun& run) const;
  void begin_fetch(TransferRun& run) const;
  void send(TransferRun& run) const;
  void flush(TransferRun& run) const;
  bool arrived(const TransferRun& run) const;
  const Spec spec_;
};

}  // namespace hccl
