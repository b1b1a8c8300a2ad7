// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "runtime/order/engine/finding.h"
#include "runtime/order/engine/sentences.h"

namespace order {
namespace {

std::string missing_order(const Finding& finding, bool across_processes) {
  if (finding.rule == Rule::host_threads_only) return "only host threads can order them";
  if (across_processes) return "nothing orders the two processes";
  const OpInfo& other = *finding.other;
  if (other.stream == OpInfo::kNoStream) return "no synchronisation orders them";
  if (finding.op_info.stream != OpInfo::kNoStream) return "no event orders them";
  const std::string stream = other.in_graph            ? "the stream that launches the graph"
                             : other.on_default_stream ? "the default stream"
                                                       : "stream " + std::to_string(other.stream);
  if (finding.op_info.in_function) return "nothing orders the function and " + stream;
  return "the host thread does not synchronise with " + stream + " first";
}

/// A guess is no more than that: the kernel may only read.
std::string verb_of(const OpInfo& op_info, bool writes) {
  if (!op_info.declared) return writes ? "may write" : "may read";
  return access_verb(writes);
}

}  // namespace

std::string conflict_text(const Finding& finding, Release release, const Access& other,
                          bool across_processes) {
  const std::string order = "; " + missing_order(finding, across_processes);
  const std::string verb = verb_of(finding.op_info, finding.where.write);
  if (release == Release::by_other) {
    return "{it} " + verb + " {bytes} that {other} may have released before" +
           (across_processes ? "" : order);
  }
  if (release == Release::by_it) return std::string(sentences::kReleasedInUse) + order;
  const bool reduce = finding.where.kind == AccessKind::reduction;
  if (reduce && other.kind == AccessKind::reduction) {
    return "{it} reduces {bytes} in another way than {other} does" + order;
  }
  return "{it} " + verb + " {bytes} that {other} " + verb_of(*finding.other, other.write) + order;
}

}  // namespace order
