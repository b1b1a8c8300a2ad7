// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/rules.h"

#include <algorithm>
#include <array>

namespace order {
namespace {

constexpr Level kNote = Level::note;
constexpr Level kWarning = Level::warning;
constexpr Level kError = Level::error;

// In the order of the enumeration.
constexpr std::array<RuleInfo, static_cast<std::size_t>(Rule::count)> kRules{{
    {Rule::wait_never_recorded, "ACL001", kWarning,
     "wait on an event that was never recorded: it orders nothing",
     "record the event before the call that waits for it"},
    {Rule::wait_before_record, "ACL002", kWarning,
     "wait issued before the record that it seems meant for",
     "call aclrtRecordEvent before aclrtStreamWaitEvent: a wait binds when it is called"},
    {Rule::deadlock, "ACL003", kError, "deadlock: a cycle of waits",
     "break the cycle: let one of them wait later, or record earlier"},
    {Rule::notify_unpaired, "ACL004", kError,
     "records and waits of a notify do not pair up", "give each wait its record"},
    {Rule::record_moves_event, "ACL005", kWarning,
     "event recorded on another stream while waits for its earlier record may still be queued",
     "use one event for each stream that records"},
    {Rule::freed_in_use, "ACL006", kError, "freed or destroyed while in use",
     "synchronize with the last user first"},
    {Rule::race, "ACL007", kError,
     "race: two accesses to the same bytes, one of them a write, without order between them",
     "record an event behind the first and let the second's stream wait for it"},
    {Rule::host_buffer, "ACL008", kError,
     "host buffer changed, reused or freed while an asynchronous copy uses it",
     "synchronize with the copy's stream first"},
    {Rule::collective_order, "ACL009", kError,
     "ranks of a group issue collectives in different order",
     "issue them in the same order everywhere"},
    {Rule::redundant_wait, "ACL010", kNote, "wait or synchronize that orders nothing new",
     "it can go"},
    {Rule::no_peer_access, "ACL011", kWarning, "use of another device's memory without peer access",
     "call aclrtDeviceEnablePeerAccess on both devices, and keep it until the copy is over"},
    {Rule::clock_skew, "ACL012", kWarning, "effect before its cause: clocks of devices differ",
     "align the clocks"},
    {Rule::unsynchronized_end, "ACL013", kNote,
     "the program ended with unfinished or unreleased things",
     "synchronize and release before aclFinalize"},
    {Rule::no_producer, "ACL014", kWarning, "operation without the producer that it should have",
     "check how the trace was taken"},
    {Rule::import_fault, "ACL015", kWarning, "the file contradicts itself",
     "check how the trace was taken"},
    {Rule::overlap, "ACL016", kNote, "operations of one stream overlap in time",
     "check how the trace was taken"},
    {Rule::blocking_call, "ACL017", kWarning,
     "blocking call inside a capture or a callback", "make the call outside of it"},
    {Rule::ambiguous_edge, "ACL018", kWarning, "an inferred edge could also be another one",
     "take a trace with event identifiers"},
    {Rule::host_threads_only, "ACL019", kNote,
     "ordered only by what host threads tell each other outside of ACL",
     "nothing, when the threads do synchronize; say so with aclsimCheckRelease and Acquire"},
    {Rule::dead_handle, "ACL020", kError, "use of a handle after its end",
     "destroy it after its last use, once"},
    {Rule::unwritten_read, "ACL021", kWarning, "copy from device memory that nothing has written",
     "write it first, or copy less"},
    {Rule::out_of_bounds, "ACL022", kError, "access beyond an allocation",
     "check the size and the offset"},
    {Rule::wrong_direction, "ACL023", kWarning, "the kind of the copy is not what the addresses are",
     "name the direction, or use ACL_MEMCPY_DEFAULT"},
    {Rule::hidden_synchronize, "ACL024", kNote,
     "asynchronous copy with pageable memory: the call synchronizes its stream",
     "take the host buffer from aclrtMallocHost"},
    {Rule::wait_timed_out, "ACL025", kError, "a wait reached its time limit: it ordered nothing",
     "look at the error of the synchronize, and do not use the result"},
    {Rule::callback_blocks, "ACL026", kError, "a callback waits for its own stream",
     "let the callback hand the work to another thread"},
    {Rule::callback_unserved, "ACL027", kWarning, "a callback that no thread has served",
     "call aclrtProcessReport in the subscribed thread until all callbacks have run"},
    {Rule::capture_broken, "ACL028", kError, "a call that breaks a capture",
     "join streams through events that are recorded in the capture, and join them all back"},
    {Rule::exhausted, "ACL029", kError, "a limited resource is used up while waits hold it",
     "destroy or reuse, and synchronize before taking more"},
    {Rule::flag_not_reset, "ACL030", kWarning,
     "wait on an event with ACL_EVENT_SYNC that is still set from an earlier record",
     "call aclrtResetEvent between the uses"},
    {Rule::import_refused, "ACL031", kError,
     "import of what its process does not share: not yet, not with this process, or not any more",
     "import after the export, and keep that until everybody has imported"},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    if (static_cast<std::size_t>(kRules[i].rule) != i) return false;
  }
  return true;
}
static_assert(in_order());

constexpr std::string_view kLevels[] = {"note", "warning", "error"};

}  // namespace

std::string_view name(Level level) noexcept { return kLevels[static_cast<std::size_t>(level)]; }

std::optional<Level> level_of(std::string_view word) noexcept {
  const auto* const found = std::find(std::begin(kLevels), std::end(kLevels), word);
  if (found == std::end(kLevels)) return std::nullopt;
  return static_cast<Level>(found - kLevels);
}

std::span<const RuleInfo> rules() noexcept { return kRules; }

const RuleInfo& info(Rule rule) noexcept { return kRules[static_cast<std::size_t>(rule)]; }

const RuleInfo* find_rule(std::string_view id) noexcept {
  const auto found = std::find_if(kRules.begin(), kRules.end(),
                                  [id](const RuleInfo& row) { return row.id == id; });
  return found == kRules.end() ? nullptr : &*found;
}

}  // namespace order
