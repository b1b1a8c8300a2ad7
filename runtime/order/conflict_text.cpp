// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "runtime/order/finding.h"

namespace order {
namespace {

std::string missing_order(const Finding& finding, bool across_processes) {
  if (finding.rule == Rule::host_threads_only) return "only host threads can order them";
  if (across_processes) return "nothing orders the two processes";
  const OpInfo& other = *finding.other;
  if (other.stream == OpInfo::kNoStream) return "no synchronisation orders them";
  if (finding.op_info.stream != OpInfo::kNoStream) return "no event orders them";
  const std::string stream = other.on_default_stream ? std::string("the default stream")
                                                     : "stream " + std::to_string(other.stream);
  return "the host thread does not synchronise with " + stream + " first";
}

}  // namespace

std::string conflict_text(const Finding& finding, Release release, bool other_writes,
                          bool across_processes) {
  const std::string verb = access_verb(finding.where.write);
  if (release == Release::by_other) {
    return "{it} " + verb + " {bytes} that {other} may have released before";
  }
  const std::string what = release == Release::by_it
                               ? "releases {bytes} that {other} may still use"
                               : verb + " {bytes} that {other} " + access_verb(other_writes);
  return "{it} " + what + "; " + missing_order(finding, across_processes);
}

}  // namespace order
