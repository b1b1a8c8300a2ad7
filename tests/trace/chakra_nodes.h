// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace lookalike {

/// Changes Chakra files of aclsim so that readers find their nodes only, not the native format
/// beside them.
inline void keep_only_nodes(const std::vector<std::string>& paths) {
  const std::string mark = "aclt_mark";
  for (const std::string& path : paths) {
    std::ifstream in(path);
    std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    for (std::size_t at = 0; (at = bytes.find(mark, at)) != std::string::npos;) bytes[at] = 'x';
    std::ofstream(path) << bytes;
  }
}

}  // namespace lookalike
