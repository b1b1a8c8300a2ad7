// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "tools/aclsim/options/common_options.h"
#include "tools/aclsim/output/standard_output.h"
#include "tools/aclsim/output/text_table.h"
#include "tools/aclsim/run/checks.h"
#include "tools/aclsim/verbs/commands.h"
#include "tools/aclsim/verbs/trace_verb.h"
#include "tools/replay/results/naming.h"
#include "tools/replay/topology/topology.h"
#include "tools/replay/topology/topology_fit.h"
#include "tools/trace/files/output_file.h"
#include "tools/trace/formats/format_table.h"
#include "tools/trace/read_trace.h"

namespace aclsim {
namespace {

struct TopoWishes {
  std::string file;
  std::vector<std::string> fit;
  std::string from;
  std::string output;
  std::string system;
  bool validate = false;
  bool quiet = false;
};

std::string speed(double bytes_per_s) { return replay::bytes_text(bytes_per_s) + "/s"; }

void print_kinds(const replay::Topology& topology) {
  std::vector<TableRow> rows{{"link", "bit", "latency", "bandwidth", "1 MiB takes"}};
  for (int k = 0; k < replay::kLinkKinds; ++k) {
    const auto kind = static_cast<replay::LinkKind>(k);
    const replay::LinkCost& cost = topology.kinds[static_cast<std::size_t>(k)];
    const std::uint32_t bit = replay::topology_bit(kind);
    rows.push_back({replay::word(kind), bit == 0 ? "-" : fmt::format("{:#04x}", bit),
                    replay::time_text(cost.lat_ns), speed(cost.bw),
                    replay::time_text(cost.transfer_ns(1 << 20))});
  }
  print_table(rows, {Align::left, Align::right});
}

void print_pairs(const replay::Topology& topology) {
  constexpr std::uint32_t kShown = 16;
  const std::uint32_t shown = std::min(topology.devices, kShown);
  std::vector<TableRow> rows{{""}};
  for (std::uint32_t d = 0; d < shown; ++d) rows[0].push_back(std::to_string(d));
  for (std::uint32_t a = 0; a < shown; ++a) {
    rows.push_back({std::to_string(a)});
    for (std::uint32_t b = 0; b < shown; ++b) {
      const auto kind = topology.kind(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
      rows.back().push_back(a == b ? "X" : replay::word(kind));
    }
  }
  print_out("\n{} devices\n", topology.devices);
  print_table(rows, {Align::right, Align::left});
  if (shown < topology.devices) print_out("and {} more\n", topology.devices - shown);
}

void print_network(const replay::Topology& topology) {
  std::vector<TableRow> rows{{"dimension", "shape", "ranks", "latency", "bandwidth", "1 MiB takes",
                              "all-reduce", "all-gather", "reduce-scatter", "all-to-all"}};
  for (std::size_t d = 0; d < topology.dimensions.size(); ++d) {
    const replay::Dimension& it = topology.dimensions[d];
    rows.push_back({std::to_string(d + 1), word(it.shape), std::to_string(it.count),
                    replay::time_text(it.link.lat_ns), speed(it.link.bw),
                    replay::time_text(it.link.transfer_ns(1 << 20))});
    for (const replay::Algorithm algorithm : it.algorithms) rows.back().push_back(word(algorithm));
  }
  print_out("{} ranks\n", topology.devices);
  print_table(rows, {Align::right, Align::left});
}

void print(const replay::Topology& topology) {
  if (!topology.dimensions.empty()) return print_network(topology);
  print_kinds(topology);
  print_pairs(topology);
  print_out("\nrecord {}, wake {}, notify {}, launch {}\n", replay::time_text(topology.record_ns),
            replay::time_text(topology.wake_ns), replay::time_text(topology.notify_ns),
            replay::time_text(topology.launch_ns));
}

void print_fit(const replay::Fit& fit) {
  std::vector<TableRow> rows{{"fitted", "samples", "latency", "bandwidth", "off (median)"}};
  for (const replay::FitLine& line : fit.lines) {
    const bool link = line.what.starts_with("link.");
    rows.push_back({line.what, std::to_string(line.samples),
                    replay::time_text(link ? line.link.lat_ns : line.ns),
                    link ? speed(line.link.bw) : "",
                    link ? fmt::format("{:.1f} %", line.off_percent) : ""});
  }
  print_table(rows, {Align::left, Align::right});
}

void write(const std::string& path, const replay::Topology& topology) {
  trace::OutputFile file(path);
  file.write(replay::to_toml(topology));
  file.close();
}

int topo(const TopoWishes& wishes) {
  replay::Topology base =
      wishes.file.empty() ? replay::Topology() : replay::read_topology(wishes.file);
  if (!wishes.system.empty()) replay::read_system(wishes.system, base);
  for (const std::string& remark : base.remarks) {
    if (!wishes.quiet) complain("note: " + remark);
  }
  if (wishes.validate) {
    print_out("{}: valid: {} devices, {} pairs named\n",
              wishes.file.empty() ? "default" : wishes.file, base.devices, base.pairs.size());
    return kOk;
  }
  if (wishes.fit.empty()) {
    if (wishes.output.empty())
      print(base);
    else
      write(wishes.output, base);
    return kOk;
  }
  trace::ReadOptions reading;
  reading.from = wishes.from;
  const trace::Trace trace = read_shown(wishes.fit, reading, wishes.quiet);
  const replay::Fit fit = replay::fit_topology(trace, base);
  if (fit.lines.empty()) {
    complain("topo: --fit: no recorded duration of a copy or a signal; expected a profile");
    return kUsage;
  }
  if (wishes.output != "-") print_fit(fit);
  if (!wishes.output.empty()) write(wishes.output, fit.topology);
  return kOk;
}

}  // namespace

void add_topo(CLI::App& app, Verb& chosen) {
  CLI::App* const verb =
      app.add_subcommand("topo", "Show or validate a topology, or fit one to a trace");
  verb->footer(
      "Exit codes: 0, or 2 for a file that is not valid.\n"
      "Example:\n  aclsim topo machine.toml\n  aclsim topo --fit rank0.db rank1.db -o fitted.toml");
  const auto wishes = std::make_shared<TopoWishes>();
  verb->add_option("FILE", wishes->file,
                   "the topology file (TOML), or a network (YAML); default: the built-in topology")
      ->type_name("")
      ->check(readable_file());
  verb->add_option("--system", wishes->system,
                   "read the algorithms of collectives from FILE, a system of ASTRA-sim (JSON)")
      ->type_name("FILE")
      ->check(readable_file());
  verb->add_flag("--validate", wishes->validate, "only check that the topology is valid");
  add_old_flag(*verb, "--check", "--validate", wishes->validate);
  verb->add_option("--fit", wishes->fit, "take latencies and bandwidths from these traces")
      ->type_name("TRACE");
  verb->add_option("--from", wishes->from,
                   "set the format of the traces; default: detected from the content")
      ->type_name("FORMAT")
      ->check(one_of(trace::format_names()));
  verb->add_option("-o,--output", wishes->output, "write the topology as TOML, - for stdout")
      ->type_name("FILE");
  add_quiet(*verb, wishes->quiet, "print no progress");
  verb->callback([=, &chosen] {
    chosen = [=] {
      return with_traces("topo", [&] {
        try {
          return topo(*wishes);
        } catch (const replay::TopologyError& error) {
          complain(fmt::format("topo: {}", error.what()));
          return int{kUsage};
        }
      });
    };
  });
}

}  // namespace aclsim
