// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/order/engine/vector_clock.h"
#include "runtime/order/report/report.h"

namespace order {

/// The messages of a process to the process that checks the group (sim::send_mail).
enum class GroupMail : std::uint32_t {
  log = 1,  // the next lines of a ProcessLog; of several instances the last one counts
  found,    // a report in JSON: found so far, and not reported yet
  forget,   // the findings of this instance do not count any more
  report,   // the report in JSON, at the end of the process
  began,    // the process has made its first call
  blocked,  // what its host threads wait for now, a line for each; of several the last one counts
  hung,     // it ends because its hang is proven
};

/// Something that processes share, named by its file in the system and the offset in that.
struct SharedObject {
  enum class Kind : char {
    memory = 'm',
    symmetric = 's',  // memory whose processes order their accesses by calls that the logs contain
    event = 'e',
    notify = 'n',
    key = 'k',
  };
  Kind kind = Kind::memory;
  std::uint64_t file = 0;
  std::uint64_t offset = 0;

  friend auto operator<=>(const SharedObject&, const SharedObject&) = default;
};

/// A change of a word of symmetric memory, as a wait for the word has seen it.
struct WordChange {
  /// Whether the value after the change ends the wait.
  enum class Ends : char { no = 'n', yes = 'y', unknown = '?' };
  std::uint64_t key = 0;  // of the record of the change
  Ends ends = Ends::unknown;
  bool merges = false;  // its value depends on the changes before it

  friend bool operator==(const WordChange&, const WordChange&) = default;
};

/// An operation of one process on a shared object. Actors and counts belong to that process.
struct SharedNode {
  enum class Kind : char {
    access = 'A',
    record = 'R',  // satisfies waits for the generation; an export is the record of its imports
    wait = 'W',
    // A wait for a word has ended, after the first of `changes` that ends it and that does not
    // happen before the wait anyway.
    chosen = 'C',
    known = 'K',    // the clock of a host thread advanced: it is ordered after more items
    doubt = 'D',    // a finding that does not hold if another process orders the two accesses
    asked = 'Q',    // a record was issued; a node `record` follows when it has happened
    dropped = 'X',  // a wait (generation 0) or a record (1) that a failure or an abort dropped
    // A stream is blocked at a wait that an item in `known`, or a record of the object, satisfies.
    blocked = 'S',
    host_waits = 'H',  // a host thread waits for the items in `known`, or a record of the object
    goes_on = 'G',     // the actor is not blocked and does not wait any more
    // After everything but `known`, processes may be ordered in ways that no log contains.
    lost_order = 'U',
  };
  Kind kind = Kind::access;
  Epoch when;
  std::uint64_t time = 0;  // of the issue, in ns, of one clock for all processes
  VectorClock known;       // the operations that happen before it in this process; not of waits
  SharedObject object;
  // For records and waits: the generation. For `host_waits`: the number of host
  // threads that have not ended. For `chosen`: the size of the word.
  std::uint64_t generation = 0;
  std::vector<WordChange> changes;  // of `chosen`, in their order
  Access bytes;                     // of accesses: as addresses
  Epoch earlier;                    // of a doubt: the access that does not happen before `when`
  std::shared_ptr<const Finding> finding;  // of a doubt
  OpInfo op_info;  // the log owns the text of `what`; `site` is a key of ProcessLog::places
};

/// The log of a process: its nodes in an order that agrees with happens-before.
struct ProcessLog {
  std::string name;    // of the process: its number
  bool ended = false;  // else it was killed, and the end is missing
  std::vector<SharedNode> nodes;
  std::map<std::uint64_t, Place> places;
  std::set<std::string, std::less<>> words;  // keeps texts
};

/// Lines of a log, each with its newline. A log begins with `first_line`.
std::string first_line(std::string_view process);
std::string line_of(const SharedNode& node);
std::string line_of(std::uint64_t site, const Place& place);
std::string last_line();
/// Reads up to the first line that is incomplete or malformed.
ProcessLog read_log(std::string_view text);

/// The findings between the processes of one group: data races, memory that is freed while another
/// process uses it, unbalanced notifies, deadlocks.
struct AcrossProcesses {
  std::vector<PlacedFinding> findings;
  /// Pairs of places that conflict, and that nothing in the logs orders, but that are not reported:
  /// one of them is not known to come before each `lost_order`, so something else may order them.
  std::size_t withheld = 0;
};
AcrossProcesses check_across_processes(std::span<const ProcessLog> processes);
/// "races between processes: 2 pairs of accesses ..."
std::string withheld_text(std::size_t withheld);
/// Only the deadlocks, of processes that may still run: host threads whose wait never ends, as far
/// as the logs show. Requires that no log grows while they are read.
std::vector<PlacedFinding> deadlocks_across_processes(std::span<const ProcessLog> processes);

/// The operation with the process and the places of its log.
PlacedOp place(const OpInfo& op_info, const ProcessLog& log);

}  // namespace order
