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

#include "runtime/order/report.h"
#include "runtime/order/vector_clock.h"

namespace order {

/// Something that processes share: where in which file of the system it lies.
struct SharedObject {
  enum class Kind : char { memory = 'm', event = 'e', notify = 'n', key = 'k' };
  Kind kind = Kind::memory;
  std::uint64_t file = 0;
  std::uint64_t offset = 0;

  friend auto operator<=>(const SharedObject&, const SharedObject&) = default;
};

/// What one process did with it. Actors and their counts are that process's own.
struct SharedNode {
  enum class Kind : char {
    access = 'A',
    record = 'R',  // lets those go on that wait for the generation: an export lets imports
    wait = 'W',
    known = 'K',  // a host thread came to know what is over
    doubt = 'D',  // a finding that does not hold if another process orders the two
    asked = 'Q',  // a record was issued; `record` tells when it has happened
    blocked =
        'S',  // a stream is blocked at a wait, which an item in `known` satisfies, or a record of the object
    host_waits = 'H',  // a host thread, for the streams in `known`, or for a record of the object
    goes_on = 'G',     // neither of the two holds any more
  };
  Kind kind = Kind::access;
  Epoch when;
  std::uint64_t time = 0;  // ns, of the same clock in all processes: when it was asked for
  VectorClock known;       // what came before it in this process; not of waits
  SharedObject object;
  std::uint64_t generation = 0;  // of records and waits; of `host_waits`: how many host threads there are
  Access bytes;                  // of accesses: as addresses
  Epoch earlier;                 // of a doubt: what is said not to come before
  std::shared_ptr<const Finding> finding;  // of a doubt
  OpInfo op_info;  // `what` belongs to the log; `site` is a number of its places
};

/// The log of a process: nodes, each after what happens before it.
struct ProcessLog {
  std::string name;    // of the process: its number
  bool ended = false;  // else it was killed, and the end is missing
  std::vector<SharedNode> nodes;
  std::map<std::uint64_t, Place> places;
  std::set<std::string, std::less<>> words;  // keeps texts
};

/// Lines of a log, each with its newline. A log begins with the first line.
std::string first_line(std::string_view process);
std::string line_of(const SharedNode& node);
std::string line_of(std::uint64_t site, const Place& place);
std::string last_line();
/// Reads as far as it goes: a line that is cut off, or makes no sense, ends it.
ProcessLog read_log(std::string_view text);

/// What the processes of one program do to each other: accesses without order, memory that ends
/// under others, notifies that do not pair up, waits that never end.
std::vector<PlacedFinding> check_across_processes(std::span<const ProcessLog> processes);
/// The last of these alone, of processes that may still run: host threads whose wait never ends, as
/// far as all of them have come. The logs are to be read while none of them grows.
std::vector<PlacedFinding> deadlocks_across_processes(std::span<const ProcessLog> processes);

/// The operation with the process and the places of its log.
PlacedOp place(const OpInfo& op_info, const ProcessLog& log);

}  // namespace order
