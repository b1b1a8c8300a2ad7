// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/seeds.h"

#include <map>
#include <nlohmann/json.hpp>

#include "tests/support/temp_dir.h"
#include "tests/trace/lookalike.h"
#include "tools/replay/engine/simulator.h"
#include "tools/replay/results/report.h"
#include "tools/replay/topology/topology.h"
#include "tools/trace/aclt/aclt_writer.h"
#include "tools/trace/files/output_file.h"
#include "tools/trace/formats/chakra_writer.h"
#include "tools/trace/formats/readers.h"
#include "tools/trace/generate.h"

namespace fuzz {
namespace {

using Files = std::map<std::string, std::vector<std::string>>;

trace::Trace generated(const char* kind) {
  trace::GenerateOptions options;
  options.kind = kind;
  return trace::generate(options);
}

std::string packed(const std::string& text, const support::TempDir& dir) {
  trace::OutputFile file((dir.path() / "packed.gz").string());
  file.write(text);
  file.close();
  return dir.read("packed.gz");
}

std::string topology() {
  replay::Topology it;
  it.port_in = it.port_out = 100e9;
  it.pairs[{0, 1}] = {replay::LinkKind::sio, replay::LinkCost{100, 30e9}};
  return replay::to_toml(it);
}

/// A report of a run that completes, or of one that deadlocks.
std::string report(const char* kind) {
  const trace::Trace it = generated(kind);
  const replay::RunInfo info;
  const replay::Topology topology;
  const replay::Execution run = replay::run_virtual(it, topology, info.options);
  const auto summary = replay::summarise(it, run, replay::Cost(it, topology, info.options));
  return replay::make_report({replay::to_json(info, it, run, summary, run.makespan_ns)}).dump(1);
}

Files all_files() {
  Files files;
  const support::TempDir dir;
  files["aclt"] = {lookalike::aclt(), trace::to_aclt(generated("racy")),
                   trace::to_aclt(generated("deadlock"))};
  files["ascend-timeline"] = {lookalike::ascend_timeline(0)};
  files["graph-debug"] = {lookalike::graph_debug()};
  files["kineto"] = {lookalike::kineto()};
  files["chrome"] = {lookalike::chrome()};
  if (trace::has_protobuf()) {
    trace::write_chakra(generated("sends"), (dir.path() / "s.et").string());
    files["chakra"] = {dir.read("s.0.et")};
  }
#if ACLSIM_HAVE_SQLITE
  lookalike::write_msprof_db((dir.path() / "s.db").string(), 0);
  files["msprof-db"] = {dir.read("s.db")};
#endif
  std::vector<std::string> any;
  for (const auto& [format, texts] : files) any.insert(any.end(), texts.begin(), texts.end());
  for (const std::string& text : any) files["gzip"].push_back(packed(text, dir));
  files["gzip"].push_back(lookalike::aclt());  // a file need not be compressed
  files["any"] = std::move(any);
  files["topology"] = {topology(), replay::to_toml({})};
  files["network"] = {
      "# two levels\ntopology: [ Ring, Switch ]\nnpus_count: [ 4, 2 ]\n"
      "bandwidth: [ 50.5, 25 ]\nlatency: [ 500, 1000 ]\n",
      "topology:\n- FullyConnected\nnpus_count: 8\nbandwidth: 1\nlatency: 0\n"};
  files["report"] = {report("ring"), report("deadlock")};
  return files;
}

}  // namespace

std::vector<std::string> seeds(const std::string& target) {
  static const Files files = all_files();
  const auto found = files.find(target);
  return found == files.end() ? std::vector<std::string>{} : found->second;
}

}  // namespace fuzz
