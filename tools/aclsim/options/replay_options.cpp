// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/options/replay_options.h"

#include <CLI/CLI.hpp>

#include "tools/aclsim/run/checks.h"

namespace aclsim {

replay::Options ReplayOptions::values() const {
  replay::Options options;
  if (cost == "recorded") options.cost = replay::CostSource::recorded;
  if (cost == "model") options.cost = replay::CostSource::model;
  if (contention == "share") options.contention = replay::Contention::share;
  if (contention == "off") options.contention = replay::Contention::off;
  if (sends == "eager") options.sends = replay::Sends::eager;
  if (sends == "rendezvous") options.sends = replay::Sends::rendezvous;
  options.gaps = gaps == "recorded";
  options.scale = scale;
  options.jitter = jitter;
  options.seed = seed;
  return options;
}

replay::Topology ReplayOptions::topology() const {
  return topo.empty() ? replay::Topology() : replay::read_topology(topo);
}

void add_replay_options(CLI::App& verb, ReplayOptions& options) {
  verb.add_option("--topo", options.topo, "topology file (TOML), see aclsim topo")
      ->type_name("FILE")
      ->check(readable_file());
  verb.add_option("--cost", options.cost,
                  "durations: recorded; model: transfers and signals by the topology; mixed: the "
                  "model where nothing was recorded (default)")
      ->type_name("SOURCE")
      ->check(one_of({"recorded", "model", "mixed"}));
  verb.add_option("--contention", options.contention,
                  "modelled transfers on one link: fifo, one after the other (default); share, "
                  "max-min fair; off")
      ->type_name("KIND")
      ->check(one_of({"fifo", "share", "off"}));
  verb.add_option("--sends", options.sends,
                  "eager: a send ends by itself; rendezvous: with its receive; default: what the "
                  "trace says, else eager")
      ->type_name("KIND")
      ->check(one_of({"eager", "rendezvous"}));
  verb.add_option("--gaps", options.gaps,
                  "recorded: keep what passed between the moment an op could begin and the moment "
                  "it did (default; never with --cost model); none")
      ->type_name("KIND")
      ->check(one_of({"recorded", "none"}));
  verb.add_option("--scale", options.scale, "factor of the durations of kernels (default 1)")
      ->type_name("X")
      ->check(number(0, 1e6));
  verb.add_option("--jitter", options.jitter,
                  "each duration times 1 + X * u, u between -1 and 1 by the seed (default 0)")
      ->type_name("X")
      ->check(number(0, 10));
  verb.add_option("--seed", options.seed, "seed of the jitter (default 0)")
      ->type_name("S")
      ->check(whole_number(0, UINT64_MAX));
}

}  // namespace aclsim
