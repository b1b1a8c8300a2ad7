// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/rules.h"

#include <algorithm>
#include <array>

namespace order {
namespace {

constexpr Level kNote = Level::note;
constexpr Level kWarning = Level::warning;
constexpr Level kError = Level::error;

// In the order of the enumeration.
constexpr std::array<RuleInfo, static_cast<std::size_t>(Rule::count)> kRules{{
    {Rule::wait_never_recorded, "ACL001", kWarning, "missing record",
     "a stream or a host thread waits for an event that was never recorded; the wait orders "
     "nothing",
     "call aclrtRecordEvent before the wait"},
    {Rule::wait_before_record, "ACL002", kWarning, "wait before record",
     "a stream waits for an event before the event is recorded; the wait binds to an earlier "
     "record or to none",
     "call aclrtRecordEvent before aclrtStreamWaitEvent; a wait binds to the latest record at the "
     "time of the call"},
    {Rule::deadlock, "ACL003", kError, "deadlock",
     "a wait is never satisfied, mostly because of a cycle in the wait-for graph",
     "break the cycle: enqueue one of the waits later, or the record that it waits for earlier"},
    {Rule::notify_unpaired, "ACL004", kError, "unbalanced notify",
     "the numbers of records and waits of a notify differ", "match each wait with one record"},
    {Rule::record_moves_event, "ACL005", kWarning, "event reuse",
     "an event is recorded on another stream while waits for its earlier record may be pending",
     "use one event for each stream that records"},
    {Rule::freed_in_use, "ACL006", kError, "use after free",
     "memory or an object is freed or destroyed while an operation may still use it",
     "synchronise with the last user before the call that frees"},
    {Rule::race, "ACL007", kError, "data race",
     "two accesses to the same bytes, at least one of them a write, without a happens-before "
     "order",
     "record an event after the first access, and make the stream of the second access wait for "
     "it"},
    {Rule::host_buffer, "ACL008", kError, "host buffer race",
     "a host buffer is written, reused or freed while an asynchronous copy uses it",
     "synchronise with the stream of the copy first"},
    {Rule::collective_order, "ACL009", kError, "collective mismatch",
     "the ranks of a group issue collectives in different order",
     "issue the collectives of the group in the same order on every rank"},
    {Rule::redundant_wait, "ACL010", kNote, "redundant synchronisation",
     "a wait or a synchronise call adds no order", "remove the call"},
    {Rule::no_peer_access, "ACL011", kWarning, "missing peer access",
     "a device uses memory of another device without peer access, or with one direction of it only",
     "call aclrtDeviceEnablePeerAccess on both devices, and keep the access until the copy is "
     "complete"},
    {Rule::clock_skew, "ACL012", kWarning, "clock skew",
     "an effect is earlier than its cause, because the clocks of two devices differ",
     "align the clocks of the devices"},
    {Rule::unsynchronized_end, "ACL013", kNote, "unreleased resources",
     "the program ends with pending work or unreleased resources",
     "synchronise and release everything before aclFinalize"},
    {Rule::no_producer, "ACL014", kWarning, "missing producer",
     "an operation waits for something that no operation of the trace produces",
     "check how the trace was taken"},
    {Rule::import_fault, "ACL015", kWarning, "inconsistent trace", "the trace contradicts itself",
     "check how the trace was taken"},
    {Rule::overlap, "ACL016", kNote, "overlapping operations",
     "operations of one stream overlap in time", "check how the trace was taken"},
    {Rule::blocking_call, "ACL017", kWarning, "blocking call",
     "a call blocks inside a capture or a callback",
     "move the call out of the capture or the callback"},
    {Rule::ambiguous_edge, "ACL018", kWarning, "ambiguous dependency",
     "a dependency is inferred, and several earlier operations of the trace could be its source",
     "take a trace that holds the ids of the events"},
    {Rule::host_threads_only, "ACL019", kNote, "unobserved host order",
     "only synchronisation between host threads, which the checker does not observe, can order "
     "two accesses",
     "if the host threads synchronise, announce it with aclsimCheckRelease and "
     "aclsimCheckAcquire"},
    {Rule::dead_handle, "ACL020", kError, "invalid handle",
     "a handle or a pointer is used or freed after its end",
     "destroy or free it once, after its last use"},
    {Rule::unwritten_read, "ACL021", kWarning, "uninitialised read",
     "a copy to the host or an AscendC kernel reads, or a reduction works on, device memory that "
     "nothing has written",
     "write the bytes first, or copy or reduce fewer bytes; if host code writes them through the "
     "device pointer, `aclsim run --guard` shows where"},
    {Rule::out_of_bounds, "ACL022", kError, "out of bounds",
     "an access passes the end of an allocation", "check the size and the offset"},
    {Rule::wrong_direction, "ACL023", kWarning, "copy direction mismatch",
     "the kind of a copy contradicts its addresses",
     "name the direction of the addresses, or use ACL_MEMCPY_DEFAULT"},
    {Rule::hidden_synchronize, "ACL024", kNote, "implicit synchronisation",
     "an asynchronous copy with pageable host memory synchronises its stream",
     "allocate the host buffer with aclrtMallocHost"},
    {Rule::wait_timed_out, "ACL025", kError, "wait timeout",
     "a wait reaches its time limit and orders nothing",
     "check the error of the synchronise call, and do not use the result"},
    {Rule::callback_blocks, "ACL026", kError, "callback deadlock",
     "a callback waits for its own stream", "hand the work to another thread"},
    {Rule::callback_unserved, "ACL027", kWarning, "unserved callback", "no thread runs a callback",
     "call aclrtProcessReport in the subscribed thread until all callbacks have run"},
    {Rule::capture_broken, "ACL028", kError, "invalid capture", "a call breaks a stream capture",
     "join streams with events that are recorded in the capture, and join all of them back"},
    {Rule::exhausted, "ACL029", kError, "resource exhausted",
     "a limited resource is used up while pending waits hold it",
     "destroy or reuse objects, and synchronise before creating more"},
    {Rule::flag_not_reset, "ACL030", kWarning, "event not reset",
     "a stream waits for an event with ACL_EVENT_SYNC that an earlier record has set",
     "call aclrtResetEvent between the uses"},
    {Rule::import_refused, "ACL031", kError, "import refused",
     "a process imports what its owner does not share: not yet, not with this process, or no "
     "longer",
     "import after the export, and keep the export until every process has imported"},
    {Rule::undeclared_kernel, "ACL032", kWarning, "undeclared kernel",
     "a kernel does not say which memory it accesses, so races with it may be missed; reported "
     "under --undeclared",
     "call aclsimCheckNextKernelReads and aclsimCheckNextKernelWrites before the launch, or give "
     "the launch its ranges"},
    {Rule::failed_call, "ACL033", kWarning, "failed call",
     "a call or a task fails, and the program does not ask why; a note where it does, or where no "
     "work is lost",
     "check what the call returns; aclGetRecentErrMsg says why it failed"},
    {Rule::crash, "ACL034", kError, "crash",
     "a signal ends the program, in a kernel, a host function or a thread of its own",
     "repair the code at the place of the instruction; what the report shows was found before it"},
    {Rule::kernel_race, "ACL035", kError, "race inside a kernel",
     "two pipes of a core, or two blocks of a launch, touch the same bytes, at least one writes, "
     "and "
     "nothing orders them",
     "put a flag, EnQue and DeQue, or a barrier between the two lines"},
    {Rule::kernel_rule, "ACL036", kError, "kernel error",
     "an instruction of an AscendC kernel, or its use of queues, flags or memory, breaks a rule",
     "see docs/kernels.md for the rule"},
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
