// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// A host of a job, and how many ranks it takes.
struct Host {
  std::string name;  // as in the file: a name or an address
  int slots = 0;     // 0: the file does not say
};

/// Reads a hosts file as Open MPI and MPICH have it: a host a line, `NAME`, `NAME slots=N` or
/// `NAME:N`; `#` begins a comment. Throws std::runtime_error that names the line.
std::vector<Host> parse_hosts(std::string_view text);

/// The index of the host that this one is, by its name or by an address of its network interfaces;
/// -1: none of them.
int find_this_host(const std::vector<Host>& hosts);

/// The address that other hosts reach the host by: the name itself where that is an address. Throws
/// std::runtime_error when it cannot be resolved, or only to this host itself (127.0.0.0/8).
std::string address_of(const std::string& name);

}  // namespace launch
