// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/formats/collective_names.h"

#include <algorithm>
#include <string>

namespace trace {
namespace {

constexpr std::size_t kLongest = 96;  // of a name, without its parameters

std::string plain(std::string_view name) {
  std::string text;
  for (const char c : name.substr(0, kLongest)) {
    if (c == '(' || c == '<') break;
    if (c == '_') continue;
    text += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 32) : c;
  }
  return text;
}

struct NameRow {
  std::string_view word;
  NamedCollective meaning;
};

/// The longer word before one that it contains.
constexpr NameRow kWords[] = {
    {"allreduce", {Collective::all_reduce}},
    {"allgather", {Collective::all_gather}},
    {"reducescatter", {Collective::reduce_scatter}},
    {"broadcast", {Collective::broadcast}},
    {"alltoall", {Collective::all_to_all}},
    {"barrier", {Collective::barrier}},
    {"sendrecv", {Collective::none, true}},
    {"send", {Collective::none, true}},
    {"recv", {Collective::none, true}},
    {"receive", {Collective::none, true}},
    {"gather", {Collective::gather}},
    {"scatter", {Collective::scatter}},
    {"reduce", {Collective::reduce}},
};

}  // namespace

std::optional<NamedCollective> collective_by_name(std::string_view name) {
  if (name.size() < 5) return std::nullopt;
  const char first = static_cast<char>(name[0] | 32);
  if (first != 'n' && first != 'r' && first != 'h') return std::nullopt;
  const std::string text = plain(name);
  const bool library = text.starts_with("nccl") || text.starts_with("rccl") ||
                       text.starts_with("hccl") || text.starts_with("hcom");
  if (!library) return std::nullopt;
  for (const NameRow& row : kWords) {
    if (text.find(row.word) != std::string::npos) return row.meaning;
  }
  return NamedCollective{};
}

std::string_view group_in_name(std::string_view name) {
  const std::size_t mark = name.find("__");
  if (mark == std::string_view::npos) return {};
  const std::string_view rest = name.substr(mark + 2);
  return rest.substr(0, std::min(rest.find('_'), rest.size()));
}

}  // namespace trace
