// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/results/effect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "tools/replay/results/critical_path.h"
#include "tools/replay/results/naming.h"

namespace replay {
namespace {

double part_of(Nanoseconds part, Nanoseconds whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

/// The largest part of a critical path, in words.
std::string largest_share(const CriticalPath& path, Nanoseconds whole) {
  std::string name = "other ranks";
  Nanoseconds most = path.others_ns;
  for (int s = 0; s < kShares; ++s) {
    const Nanoseconds ns = path.shares[static_cast<std::size_t>(s)];
    if (ns <= most) continue;
    most = ns;
    name = word(static_cast<Share>(s));
  }
  return fmt::format("{} {:.1f} %", name, part_of(most, whole));
}

void look_at_ops(const Side& before, const Side& after, Effect& effect) {
  std::vector<bool> changed(before.trace.size(), false);
  for (TrackIndex l = 0; l < before.trace.tracks().size(); ++l) {
    const trace::Track& track = before.trace.tracks()[l];
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (before.trace[op].kind == trace::OpKind::join) continue;  // its parts are counted
      const Nanoseconds then = before.cost.of(op, l);
      const Nanoseconds now = after.cost.of(op, l);
      effect.sizeless += after.cost.lacks_bytes(op);
      if (then == now && !after.cost.removed(op)) continue;
      changed[op] = true;
      ++effect.changed;
      effect.changed_before_ns += then;
      effect.changed_after_ns += now;
    }
  }
  for (const CriticalPath::Step& step : critical_path(before.trace, before.run).steps) {
    if (changed[step.op]) effect.on_path_ns += step.to - step.start;
  }
}

std::string reason_of(const Side& after, const Effect& effect) {
  const double moved = std::abs(part_of(effect.after_ns - effect.before_ns, effect.before_ns));
  if (moved >= 1) return {};
  const std::string path =
      fmt::format("the critical path is {}",
                  largest_share(critical_path(after.trace, after.run), effect.after_ns));
  if (!effect.comparable) return path;
  if (effect.changed == 0) return "nothing in the trace takes another time by it; " + path;
  const double on_path = part_of(effect.on_path_ns, effect.before_ns);
  if (on_path < 1)
    return fmt::format("what changed is {:.1f} % of the critical path; {}", on_path, path);
  return fmt::format(
      "what changed is {:.1f} % of the critical path, but other ways are as long; {}", on_path,
      path);
}

}  // namespace

Effect effect_of(const Side& before, const Side& after) {
  Effect effect;
  effect.before_ns = before.run.makespan_ns;
  effect.after_ns = after.run.makespan_ns;
  effect.comparable = &before.trace == &after.trace;
  if (effect.comparable) {
    look_at_ops(before, after, effect);
  } else {
    for (OpIndex op = 0; op < after.trace.size(); ++op)
      effect.sizeless += after.cost.lacks_bytes(op);
  }
  effect.why = reason_of(after, effect);
  return effect;
}

std::string to_text(const Effect& effect) {
  std::string text = fmt::format("what if  before {}, after {} ({:+.1f} %)",
                                 time_text(effect.before_ns), time_text(effect.after_ns),
                                 part_of(effect.after_ns - effect.before_ns, effect.before_ns));
  if (effect.comparable && effect.changed != 0) {
    text += fmt::format("; {} ops take {} instead of {}, {} of it on the critical path",
                        count_text(effect.changed), time_text(effect.changed_after_ns),
                        time_text(effect.changed_before_ns), time_text(effect.on_path_ns));
  }
  text += "\n";
  if (!effect.why.empty()) text += fmt::format("         it hardly moved: {}\n", effect.why);
  if (effect.sizeless != 0) {
    text += fmt::format(
        "         {} transfers and collectives keep their time: the trace does not "
        "tell what they move\n",
        count_text(effect.sizeless));
  }
  return text;
}

nlohmann::ordered_json to_json(const Effect& effect) {
  nlohmann::ordered_json json = {{"before_ns", effect.before_ns}, {"after_ns", effect.after_ns}};
  if (effect.comparable) {
    json["changed_ops"] = effect.changed;
    json["changed_before_ns"] = effect.changed_before_ns;
    json["changed_after_ns"] = effect.changed_after_ns;
    json["on_critical_path_ns"] = effect.on_path_ns;
  }
  json["without_bytes"] = effect.sizeless;
  if (!effect.why.empty()) json["why"] = effect.why;
  return json;
}

}  // namespace replay
