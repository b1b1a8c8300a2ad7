// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "runtime/hccl/collectives/rank_operation.h"

namespace hccl {

/// One send or receive of a call.
struct PairItem {
  bool sends = true;
  int peer = 0;
  Call call{};
  std::uint64_t bytes = 0;
  Buffer buffer{};
};

/// Sends and receives that run concurrently: a single one, a batch, or all of a group of calls.
/// Sends and receives between two ranks match in the order of the calls. A sender waits until the
/// receiver has copied the data.
class Pairwise final : public RankOperation {
 public:
  /// For items whose peer is the rank itself, the n-th send matches the n-th receive. Raises
  /// HCCL_E_PARA if one has no partner or does not match it.
  Pairwise(const Communicator& communicator, embedded::Caller caller, const char* name,
           std::vector<PairItem> items);

  const char* name() const noexcept override { return name_; }
  const char* type() const noexcept override { return "HCCL_DIRECT"; }
  std::size_t bytes() const noexcept override;
  std::vector<embedded::Range> ranges() const override;
  std::vector<int> peers() const override;

 protected:
  std::unique_ptr<Run> make_run() override;
  std::vector<embedded::Rendezvous> rendezvous_of(const Run& run) const override;
  Awaited advance(Run& run) override;
  std::string text(const Run& run) const override;
  std::optional<Waits> waits(const Run& run) const override;

 private:
  struct Step {
    std::uint64_t number = 0;
    bool shown = false;
    bool done = false;
    std::shared_ptr<std::atomic<Links::Arrival>>
        arrival{};  // state of a transfer from another host that has begun
  };
  struct PairRun final : Run {
    std::vector<Step> steps{};  // by item
    bool copied = false;        // the items to the rank itself are done
  };
  bool advance(const PairItem& item, Step& step);
  bool send(const PairItem& item, Step& step);
  bool receive(const PairItem& item, Step& step);
  bool fetch(const PairItem& item, const BufferRef& from, Step& step);
  void copy_to_self();
  std::vector<const PairItem*> to_self(bool sends) const;
  void require_partners() const;

  const char* const name_;
  std::vector<PairItem> items_;
};

}  // namespace hccl
