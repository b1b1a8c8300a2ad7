// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/words.h"

#include <array>

namespace trace {
namespace {

constexpr std::array<const char*, kOpKinds> kKinds{
    "kernel", "delay",  "memcpy", "memset", "reduce", "record",   "wait",
    "ereset", "notify", "nwait",  "vwrite", "vwait",  "callback", "api",
    "hsync",  "hquery", "send",   "recv",   "coll",   "barrier",  "alloc",
    "free",   "launch", "mark",   "rangeb", "rangee", "ext",      "join"};
constexpr std::array kProvenances{"none", "exact", "order", "time", "issue", "user"};
constexpr std::array kCollectives{
    "none",      "all_reduce", "reduce",         "all_gather",           "gather", "scatter",
    "broadcast", "all_to_all", "reduce_scatter", "reduce_scatter_block", "barrier"};
constexpr std::array kCompares{"eq", "geq", "and", "nor"};
constexpr std::array kTargets{"stream", "event", "device"};
constexpr std::array kSendModes{"unknown", "eager", "rdv"};

template <class Kind, std::size_t N>
std::optional<Kind> find(const std::array<const char*, N>& words, std::string_view text) {
  for (std::size_t i = 0; i < N; ++i) {
    if (text == words[i]) return static_cast<Kind>(i);
  }
  return std::nullopt;
}

}  // namespace

const char* word(OpKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }
const char* word(Provenance how) { return kProvenances[static_cast<std::size_t>(how)]; }
const char* word(Collective kind) { return kCollectives[static_cast<std::size_t>(kind)]; }
const char* word(Compare compare) { return kCompares[static_cast<std::size_t>(compare)]; }
const char* word(Target target) { return kTargets[static_cast<std::size_t>(target)]; }
const char* word(SendMode mode) { return kSendModes[static_cast<std::size_t>(mode)]; }

std::optional<OpKind> op_kind(std::string_view text) { return find<OpKind>(kKinds, text); }
std::optional<Provenance> provenance(std::string_view text) {
  return find<Provenance>(kProvenances, text);
}
std::optional<Collective> collective(std::string_view text) {
  return find<Collective>(kCollectives, text);
}
std::optional<Compare> compare(std::string_view text) { return find<Compare>(kCompares, text); }
std::optional<Target> target(std::string_view text) { return find<Target>(kTargets, text); }
std::optional<SendMode> send_mode(std::string_view text) {
  return find<SendMode>(kSendModes, text);
}

}  // namespace trace
