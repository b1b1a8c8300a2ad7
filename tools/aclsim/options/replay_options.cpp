// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/options/replay_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <stdexcept>

#include "device_sim/base/nearest_word.h"
#include "tools/aclsim/run/checks.h"
#include "tools/replay/results/naming.h"
#include "tools/trace/repeat.h"

namespace aclsim {

namespace {

using Factor = replay::WhatIf::Factor;

/// Reads "kernels=0.5", or "0.5" as a factor of `otherwise`.
std::optional<Factor> factor_of(const std::string& text, const std::string& otherwise) {
  const std::size_t at = text.rfind('=');
  std::string number = at == std::string::npos ? text : text.substr(at + 1);
  if (number.starts_with('x')) number.erase(0, 1);
  double value = 0;
  const char* const end = number.data() + number.size();
  const auto [read, error] = std::from_chars(number.data(), end, value);
  if (error != std::errc() || read != end || !(value >= 0)) return std::nullopt;
  return Factor{at == std::string::npos ? otherwise : text.substr(0, at), value};
}

std::string check_scale(const std::string& text) {
  const auto factor = factor_of(text, "kernels");
  if (factor && factor->factor <= 1e6 && !factor->what.empty()) return {};
  return fmt::format(
      "'{}' is not valid; expected WHAT=X with kernels, copies, communication, host "
      "or a name for WHAT and a number up to 1000000 for X",
      text);
}

std::string check_links(const std::string& text) {
  const auto factor = factor_of(text, "");
  const bool named = factor && (factor->what.empty() || replay::link_kind(factor->what));
  if (named && factor->factor >= 1e-6 && factor->factor <= 1e6) return {};
  return fmt::format(
      "'{}' is not valid; expected a factor such as x2, or of one kind of link: "
      "HCCS=x2",
      text);
}

/// Whether the name of any op matches the pattern.
bool any_has(const trace::Trace& trace, const std::string& pattern) {
  std::vector<bool> seen;  // names that were compared already
  for (trace::OpIndex op = 0; op < trace.size(); ++op) {
    const std::uint32_t name = trace[op].name;
    if (name == 0) {
      if (replay::meant(pattern, replay::op_word(trace, op))) return true;
      if (replay::meant(pattern, replay::op_title(trace, op))) return true;
      continue;
    }
    if (seen.size() <= name) seen.resize(name + 1);
    if (seen[name]) continue;
    seen[name] = true;
    if (replay::meant(pattern, trace.name(op))) return true;
  }
  return false;
}

bool is_class(const std::string& what) {
  return what == "kernels" || what == "copies" || what == "communication" || what == "host";
}

std::vector<std::string> op_names(const trace::Trace& trace) {
  std::set<std::string> names;
  for (trace::OpIndex op = 0; op < trace.size(); ++op) names.insert(trace.name(op));
  return {names.begin(), names.end()};
}

void look_for(const trace::Trace& trace, const std::string& option, const std::string& name) {
  if (any_has(trace, name)) return;
  throw std::invalid_argument(fmt::format(
      "{} {}: no operation of the trace has this name; expected a name from the trace, with * for "
      "any text{}",
      option, name, sim::did_you_mean(name, op_names(trace))));
}

std::int64_t largest_rank(const trace::Trace& trace) {
  std::int64_t most = -1;
  for (const trace::Track& track : trace.tracks()) {
    if (track.size() != 0) most = std::max<std::int64_t>(most, trace.ranks()[track.rank].id);
  }
  return most;
}

}  // namespace

bool ReplayOptions::what_if() const {
  return !scales.empty() || !links.empty() || !removed.empty() || ranks != 0 || !topo.empty();
}

replay::Options ReplayOptions::values() const {
  replay::Options options;
  if (cost == "recorded") options.cost = replay::CostSource::recorded;
  if (cost == "model") options.cost = replay::CostSource::model;
  if (contention == "share") options.contention = replay::Contention::share;
  if (contention == "off") options.contention = replay::Contention::off;
  if (sends == "eager") options.sends = replay::Sends::eager;
  if (sends == "rendezvous") options.sends = replay::Sends::rendezvous;
  options.gaps = gaps == "recorded";
  for (const std::string& text : scales) {
    const Factor scale = factor_of(text, "kernels").value();
    if (scale.what == "kernels")
      options.scale *= scale.factor;
    else
      options.what_if.scales.push_back(scale);
  }
  for (const std::string& text : links) {
    options.what_if.links.push_back(factor_of(text, "").value());
  }
  options.what_if.removed = removed;
  options.what_if.topology = !topo.empty() && options.cost == replay::CostSource::mixed;
  options.what_if.collectives = ranks != 0 && options.cost == replay::CostSource::mixed;
  options.jitter = jitter;
  options.seed = seed;
  return options;
}

replay::Topology ReplayOptions::topology() const {
  replay::Topology made = topo.empty() ? replay::Topology() : replay::read_topology(topo);
  if (!system.empty()) replay::read_system(system, made);
  return made;
}

std::optional<trace::Trace> ReplayOptions::shaped(const trace::Trace& trace,
                                                  const replay::Topology& topology) const {
  for (const std::string& text : scales) {
    const std::string what = factor_of(text, "kernels")->what;
    if (!is_class(what)) look_for(trace, "--scale", what);
  }
  for (const std::string& name : removed) look_for(trace, "--remove", name);
  const std::int64_t largest = ranks != 0 ? std::int64_t{ranks} - 1 : largest_rank(trace);
  const bool few = largest >= std::int64_t{topology.devices};
  const bool network = !topology.dimensions.empty();
  if (few && (network || (ranks != 0 && !topo.empty()))) {
    throw std::invalid_argument(fmt::format("--topo {}: has {} {}; expected one for rank {}", topo,
                                            topology.devices, network ? "ranks" : "devices",
                                            largest));
  }
  if (ranks == 0) return std::nullopt;
  std::uint32_t first = 0;  // the rank with the smallest number among those with work
  std::int64_t best = INT64_MAX;
  for (const trace::Track& track : trace.tracks()) {
    if (track.size() == 0 || trace.ranks()[track.rank].id >= best) continue;
    best = trace.ranks()[track.rank].id;
    first = track.rank;
  }
  trace::Trace made = trace::repeat_rank(trace, first, ranks);
  if (few) {
    made.add_remark(
        {trace::Level::warning,
         fmt::format("--ranks {}: the default topology has {} devices; the replay assumes {} "
                     "devices with a link between any two (--topo selects another topology)",
                     ranks, topology.devices, ranks),
         trace::kNone, 0});
  }
  return made;
}

void add_replay_options(CLI::App& verb, ReplayOptions& options) {
  verb.add_option("--topo", options.topo,
                  "read the topology from FILE: TOML, or a network (YAML); see aclsim topo")
      ->type_name("FILE")
      ->check(readable_file());
  verb.add_option("--cost", options.cost,
                  "set the source of durations: recorded; model: transfers and signals follow the "
                  "topology; mixed (default): the model if no duration was recorded")
      ->type_name("SOURCE")
      ->check(one_of({"recorded", "model", "mixed"}));
  verb.add_option("--contention", options.contention,
                  "set how modelled transfers and collectives share a link: fifo (default), one "
                  "after the other; share, max-min fair; off")
      ->type_name("KIND")
      ->check(one_of({"fifo", "share", "off"}));
  verb.add_option("--sends", options.sends,
                  "set when a send ends: eager, by itself; rendezvous, with its receive; default: "
                  "as the trace specifies, else eager")
      ->type_name("KIND")
      ->check(one_of({"eager", "rendezvous"}));
  verb.add_option("--gaps", options.gaps,
                  "recorded (default; never with --cost model): keep the time between the moment "
                  "an op could begin and the moment it began; none: drop it")
      ->type_name("KIND")
      ->check(one_of({"recorded", "none"}));
  verb.add_option("--system", options.system,
                  "read the algorithms of collectives from FILE, a system of ASTRA-sim (JSON)")
      ->type_name("FILE")
      ->check(readable_file());
  verb.add_option("--scale", options.scales,
                  "what if: multiply durations by X; WHAT is kernels (default), copies, "
                  "communication, host, or a name of ops with * for any text")
      ->type_name("WHAT=X")
      ->allow_extra_args(false)
      ->check(check_scale);
  verb.add_option("--links", options.links,
                  "what if: multiply the bandwidths of links between devices by X, for one kind of "
                  "link: HCCS=x2")
      ->type_name("xX")
      ->allow_extra_args(false)
      ->check(check_links);
  verb.add_option("--remove", options.removed,
                  "what if: let ops of that name (* for any text) take no time and block no other "
                  "op")
      ->type_name("NAME")
      ->allow_extra_args(false);
  verb.add_option("--ranks", options.ranks,
                  "what if: run the work of the first rank on N ranks, under the topology")
      ->type_name("N")
      ->check(whole_number(1, 65'536));
  verb.add_option("--jitter", options.jitter,
                  "multiply each duration by 1 + X * u, with u random between -1 and 1 (default 0)")
      ->type_name("X")
      ->check(number(0, 10));
  verb.add_option("--seed", options.seed, "set the seed of the jitter (default 0)")
      ->type_name("S")
      ->check(whole_number(0, UINT64_MAX));
}

}  // namespace aclsim
