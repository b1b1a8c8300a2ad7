// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// A host of a job, and how many ranks it takes.
struct Host {
  std::string name;  // as in the file: a name or an address
  int slots = 0;     // 0: not specified
};

/// Reads a hosts file in the format of Open MPI and MPICH: one host on each line, `NAME`,
/// `NAME slots=N` or `NAME:N`; `#` begins a comment. Throws std::runtime_error that names the line.
std::vector<Host> parse_hosts(std::string_view text);

/// The index of this host in the list, found by its name or by an address of its network
/// interfaces; -1: the list does not contain it.
int find_this_host(const std::vector<Host>& hosts);

/// The address under which other hosts reach the host: the name itself if it is an address. Throws
/// std::runtime_error if the name cannot be resolved, or only to a local address (127.0.0.0/8).
std::string address_of(const std::string& name);

}  // namespace launch
