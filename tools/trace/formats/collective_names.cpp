// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/formats/collective_names.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace trace {
namespace {

constexpr std::size_t kLongest = 96;  // of a name, without its parameters

std::string plain(std::string_view name) {
  std::string text;
  for (const char c : name.substr(0, kLongest)) {
    if (c == '(' || c == '<') break;
    if (c == '_' || c == '-' || c == ' ') continue;
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

bool is_of_library(std::string_view name) {
  if (name.empty()) return false;
  const char first = static_cast<char>(name[0] | 32);
  if (first != 'n' && first != 'r' && first != 'h') return false;
  const std::string text = plain(name.substr(0, 8));
  return text.starts_with("nccl") || text.starts_with("rccl") || text.starts_with("hccl") ||
         text.starts_with("hcom");
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

/// A word begins at the first of some letters, and at a capital after a small letter.
bool begins_word(std::string_view name, std::size_t at) {
  if (!is_letter(name[at])) return false;
  return at == 0 || !is_letter(name[at - 1]) || (is_upper(name[at]) && !is_upper(name[at - 1]));
}

/// `word` begins at a word of the name, however it is divided and capitalised: all_reduce,
/// AllReduce, all-reduce, allreduce.
bool has_word(std::string_view name, std::string_view word) {
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (begins_word(name, at) && plain(name.substr(at)).starts_with(word)) return true;
  }
  return false;
}

/// These collectives run as kernels of any library, and no other operation has their names.
constexpr NameRow kKernelWords[] = {
    {"allreduce", {Collective::all_reduce}},
    {"allgather", {Collective::all_gather}},
    {"reducescatter", {Collective::reduce_scatter}},
    {"alltoall", {Collective::all_to_all}},
};

/// False for most names: no word of kKernelWords is in them, nor "broadcast".
bool may_be_collective(std::string_view name) {
  for (std::size_t at = 2; at < name.size(); ++at) {
    const auto small = [&](std::size_t back) { return static_cast<char>(name[at - back] | 32); };
    const char a = small(2), b = small(1), c = small(0);
    const bool all = a == 'a' && b == 'l' && c == 'l';
    const bool cast = a == 'c' && b == 'a' && c == 's', scatter = a == 's' && b == 'c' && c == 'a';
    if (all || cast || scatter) return true;
  }
  return false;
}

/// A kernel of no known library: a collective on vector cores (AllReduceAivKernel), or of a
/// framework (multimem_all_reduce_kernel). A kernel that multiplies matrices too, or that reduces
/// within a block, is none.
std::optional<NamedCollective> collective_kernel(std::string_view name) {
  if (!may_be_collective(name)) return std::nullopt;
  const auto in = [text = plain(name)](std::string_view word) {
    return text.find(word) != std::string::npos;
  };
  for (const std::string_view other : {"matmul", "gemm", "block", "warp"}) {
    if (in(other)) return std::nullopt;
  }
  name = name.substr(0, std::min({name.find('('), name.find('<'), kLongest}));
  for (const NameRow& row : kKernelWords) {
    if (has_word(name, row.word)) return row.meaning;
  }
  // Operators broadcast shapes, too.
  if (in("broadcast") && has_word(name, "aiv")) return NamedCollective{Collective::broadcast};
  return std::nullopt;
}

}  // namespace

std::optional<NamedCollective> collective_by_name(std::string_view name) {
  if (name.size() < 5) return std::nullopt;
  if (!is_of_library(name)) return collective_kernel(name);
  const std::string text = plain(name);
  for (const NameRow& row : kWords) {
    if (text.find(row.word) != std::string::npos) return row.meaning;
  }
  return NamedCollective{};
}

std::string_view group_in_name(std::string_view name) {
  if (!is_of_library(name)) return {};
  const std::size_t mark = name.find("__");
  if (mark == std::string_view::npos) return {};
  const std::string_view rest = name.substr(mark + 2);
  return rest.substr(0, std::min(rest.find('_'), rest.size()));
}

}  // namespace trace
