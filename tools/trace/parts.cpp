// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/parts.h"

namespace trace {

std::vector<OpIndex> parts_of(const Trace& trace, OpIndex join) {
  std::vector<OpIndex> parts;
  for (const Edge& edge : trace.deps(join)) {  // the last of each plane
    const Track& track = trace.tracks()[trace.track_of(edge.from)];
    if (track.plane_of == kNone) continue;  // a branch of a graph
    for (OpIndex part = edge.from + 1; part-- > track.begin;) {
      if (trace.start(part) != kNoTime && trace.start(part) < trace.start(join)) break;
      parts.push_back(part);
    }
  }
  return parts;
}

}  // namespace trace
