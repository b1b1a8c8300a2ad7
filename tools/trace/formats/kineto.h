// SPDX-License-Identifier: Apache-2.0
// The state that the parts of the reader of PyTorch's profile share: kineto.cpp reads the file and
// makes the streams, kineto_waits.cpp finds the records, kineto_syncs.cpp the waits of the host.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tools/trace/formats/format_table.h"
#include "tools/trace/formats/json_events.h"
#include "tools/trace/formats/readers.h"

namespace trace::kineto {

inline constexpr std::uint64_t kNoStream = UINT32_MAX;

struct Launch {
  Nanoseconds time = kNoTime;
  Nanoseconds duration = 0;
  std::uint64_t thread = 0;
  std::uint64_t correlation = 0;
  std::string name;
  std::uint32_t row = 0;
  StringIndex caller = 0;  // the operator that made the call
};

/// A call of the framework on a thread of the host.
struct Operator {
  Nanoseconds begin = 0;
  Nanoseconds end = 0;
  StringIndex name = 0;
};

/// A slice of a stream, or a record or a wait that is put into it.
struct Item {
  OpKind kind = OpKind::kernel;
  std::int32_t device = 0;
  std::uint64_t stream = 0;
  Nanoseconds start = kNoTime;
  Nanoseconds duration = kNoTime;
  std::uint64_t correlation = 0;
  std::uint32_t row = 0;
  std::string name;
  CopyUse copy;
  Collective collective = Collective::none;
  std::string group;
  std::uint32_t group_size = 0;  // 0: unknown
  bool alone = false;            // a collective whose other members are unknown
  bool pageable = false;
  // waits
  std::uint64_t record = 0;  // correlation of the record; 0: not known
  std::uint16_t candidates = 1;
  Provenance how = Provenance::exact;
  const Launch* launch = nullptr;
};

struct HostSync {
  enum class What : std::uint8_t { stream, device, guess };
  What what = What::device;
  std::uint64_t correlation = 0;
  std::uint64_t stream = kNoStream;
  std::int32_t device = 0;
  std::uint64_t record = 0;  // of an event: what was called for before this; 0: before the call
};

class KinetoImport {
 public:
  KinetoImport(const Text& text, const FileContext& context, Builder& builder)
      : events_(text, context.path, context.watch), context_(context), builder_(builder) {}

  void run() {
    builder_.source(context_.path, context_.format->name, context_.format->tool);
    events_.walk([this](const JsonEvent& event) { take(event); },
                 [this](const std::string& key, JsonCell cell) { take_head(key, cell); });
    if (slices_.empty()) refuse_nothing();
    rank_ = builder_.rank(own_rank());
    find_callers();
    sort_launches();
    sort_slices();
    resolve_waits();
    set_base();
    add_streams();
    add_syncs();
    if (unknown_ != 0) {
      builder_.remark(Level::warning, unknown_waits());
    }
  }

 private:
  using StreamKey = std::pair<std::int32_t, std::uint64_t>;

  std::int32_t own_rank();
  [[noreturn]] void refuse_nothing() const;
  void pass_over(std::string_view category);
  std::string unknown_waits() const;
  void take_head(const std::string& key, JsonCell cell);
  void take(const JsonEvent& event);
  void take_launch(const JsonEvent& event);
  void take_operator(const JsonEvent& event);
  void find_callers();
  Nanoseconds duration_of(const JsonEvent& event) const;
  void take_slice(const JsonEvent& event, OpKind kind);
  void take_sync(const JsonEvent& event);
  void take_copy(Item& item, const JsonEvent& event);
  void sort_launches();
  void resolve_waits();
  bool names_record(const Item& wait) const;
  void infer(Item& wait);
  bool possible(const Launch& record, StreamKey from, const Item& wait) const;
  std::pair<const Launch*, StreamKey> record_before(const Launch& call, const Item& wait) const;
  void sort_slices();
  std::optional<StreamKey> stream_near(const Launch& launch, bool before) const;
  void place_record(std::uint64_t correlation, StreamKey on);
  void set_base();
  void add_streams();
  void merge(std::vector<Item*>& items, std::vector<Item*> points);
  void add(const Item& item);
  std::string group_of(const Item& item);
  void add_syncs();
  void add_sync(const HostSync& sync);
  void find_unmarked_syncs();
  OpIndex issued_before(TrackIndex track, Nanoseconds time) const;
  OpIndex guess(const NewOp& op) const;
  const Launch* launch(std::uint64_t correlation) const {
    const auto found = launches_.find(correlation);
    return found == launches_.end() ? nullptr : &found->second;
  }

  JsonEvents events_;
  const FileContext& context_;
  Builder& builder_;
  std::optional<std::int64_t> rank_id_;
  Nanoseconds base_ = 0;
  std::uint32_t rank_ = 0;
  std::vector<Item> slices_, waits_;
  std::map<std::uint64_t, Item> records_;  // by correlation
  std::vector<HostSync> syncs_;
  std::unordered_map<std::uint64_t, Launch> launches_;  // calls of the host, by correlation
  std::map<std::uint64_t, std::vector<const Launch*>> by_thread_;
  std::map<std::uint64_t, std::vector<Operator>> operators_;          // by thread
  std::map<std::uint64_t, std::vector<const Launch*>> record_calls_;  // by thread
  /// Slices of a stream in the order of their calls.
  struct Placed {
    Nanoseconds called;
    Nanoseconds next_start;  // the earliest of this and all after it
    Nanoseconds done;        // the latest end of this and all before
  };
  std::map<StreamKey, std::vector<Placed>> placed_;
  std::unordered_map<std::uint64_t, StreamKey> stream_of_;  // slices, by correlation
  std::unordered_map<std::uint64_t, OpIndex> op_of_;        // records, by correlation
  std::unordered_map<TrackIndex, std::vector<std::pair<Nanoseconds, OpIndex>>> issued_;
  std::set<StreamKey> streams_;
  std::map<StreamKey, std::size_t> communicators_;                  // streams of collectives
  std::unordered_map<std::uint32_t, std::uint32_t> sequence_;       // of collectives, by group
  std::uint32_t unknown_ = 0;                                       // waits without a record
  std::uint32_t dropped_ = 0;                                       // of these: without a stream
  std::vector<std::pair<std::string, std::uint64_t>> passed_over_;  // categories
  std::size_t last_passed_ = 0;
};

}  // namespace trace::kineto
