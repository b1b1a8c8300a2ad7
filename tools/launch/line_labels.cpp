// SPDX-License-Identifier: Apache-2.0
#include "tools/launch/rank_processes.h"

namespace launch {
namespace {

constexpr std::size_t kLongestLine = 64 << 10;

}  // namespace

std::string LineLabels::add(std::string_view piece) {
  std::string whole;
  for (;;) {
    const std::size_t room = kLongestLine - kept_.size();
    const std::size_t end = piece.substr(0, room).find('\n');
    if (end == piece.npos && piece.size() < room) break;
    const std::size_t size = end == piece.npos ? room : end;
    whole += label_ + kept_;
    whole.append(piece.substr(0, size)).push_back('\n');
    kept_.clear();
    piece.remove_prefix(end == piece.npos ? size : size + 1);
  }
  kept_.append(piece);
  return whole;
}

std::string LineLabels::rest() {
  if (kept_.empty()) return {};
  std::string line = label_ + kept_ + '\n';
  kept_.clear();
  return line;
}

}  // namespace launch
