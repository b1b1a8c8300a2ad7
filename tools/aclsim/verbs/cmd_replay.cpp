// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "tools/aclsim/devices/device_replay.h"
#include "tools/aclsim/devices/replay_runs.h"
#include "tools/aclsim/options/common_options.h"
#include "tools/aclsim/options/replay_options.h"
#include "tools/aclsim/output/colour.h"
#include "tools/aclsim/output/progress.h"
#include "tools/aclsim/output/standard_output.h"
#include "tools/aclsim/run/checks.h"
#include "tools/aclsim/verbs/commands.h"
#include "tools/aclsim/verbs/trace_verb.h"
#include "tools/replay/engine/simulator.h"
#include "tools/replay/pictures/chrome_timeline.h"
#include "tools/replay/pictures/page.h"
#include "tools/replay/results/effect.h"
#include "tools/replay/results/naming.h"
#include "tools/replay/results/report.h"
#include "tools/replay/results/verdict.h"
#include "tools/trace/files/output_file.h"
#include "tools/trace/read_trace.h"

namespace aclsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kManySlices = 1'000'000;  // viewers become slow at about this number

struct ReplayWishes {
  TraceInput input;
  ReplayOptions model;
  std::string mode = "virtual";
  bool each = false;
  std::uint64_t seeds = 1;
  std::string shard_text;
  Shard shard;
  std::string report, timeline, html;
  double tolerance = -1;
  DeviceReplayOptions devices;
  std::size_t path_steps = 0;
  std::string progress = "auto";
  bool json = false;

  Progress::Style style() const {
    if (input.quiet) return Progress::Style::quiet;
    return progress == "json" ? Progress::Style::json : Progress::Style::automatic;
  }
};

/// The result of a run: its part of the report, and its exit code.
struct RunOutcome {
  Json json;
  int code = kOk;
};

class ReplayVerb {
 public:
  explicit ReplayVerb(const ReplayWishes& wishes)
      : wishes_(wishes), topology_(wishes.model.topology()), progress_(wishes.style(), "ops") {
    if (wishes.input.quiet) return;
    for (const std::string& remark : topology_.remarks) complain("note: " + remark);
  }

  int run() {
    const RunPlan plan(wishes_.input.files, wishes_.each, wishes_.model.seed, wishes_.seeds,
                       wishes_.shard);
    const bool pictures = !wishes_.timeline.empty() || !wishes_.html.empty();
    if (pictures && plan.size() != 1) {
      throw std::invalid_argument(fmt::format(
          "replay: --timeline, --html: {} runs; expected one, without --runs and --each",
          plan.size()));
    }
    single_ = wishes_.seeds == 1 && !wishes_.each;
    planned_ = plan.size();
    int code = kOk;
    std::vector<Json> rows;
    for (std::uint64_t i = 0; i < plan.size(); ++i) {
      RunOutcome outcome = run_one(plan[i]);
      rows.push_back(std::move(outcome.json));
      code = std::max(code, outcome.code);
      if (interrupts_.asked()) {
        code = kInterrupted;
        break;
      }
    }
    finish(std::move(rows));
    return code;
  }

 private:
  void read(const std::vector<std::string>& files) {
    if (files == files_ && trace_) return;
    trace::ReadOptions options;
    options.from = wishes_.input.from;
    options.keep.ranges = false;
    trace_ = read_shown(files, options, wishes_.style() != Progress::Style::automatic);
    files_ = files;
    require_work("replay", *trace_, files);
    if (!wishes_.input.quiet) show_remarks(*trace_, false);
    other_ = wishes_.model.shaped(*trace_, topology_);
    if (other_ && !wishes_.input.quiet) show_remarks(*other_, true);
    before_.reset();
  }
  /// The trace that is run: the trace that was read, or with --ranks the generated one.
  const trace::Trace& job() const { return other_ ? *other_ : *trace_; }

  replay::Execution run_virtual(const replay::Options& values) {
    replay::Options options = values;
    const auto show = [&](std::uint64_t done, replay::Nanoseconds now) {
      const std::uint64_t to_come = (planned_ - runs_) * job().size();
      progress_.show(done_ops_ + done, done_ops_ + to_come, now);
    };
    options.stop = [&](std::uint64_t done, replay::Nanoseconds now) {
      show(done, now);
      return interrupts_.asked();
    };
    replay::Execution run = replay::run_virtual(job(), topology_, options);
    show(run.done_ops, run.makespan_ns);
    done_ops_ += run.done_ops;
    ++runs_;
    return run;
  }

  RunOutcome run_one(const PlannedRun& one) {
    read(one.files);
    info_.files = one.files;
    info_.mode = wishes_.mode;
    info_.topology = wishes_.model.topology_name();
    info_.options = wishes_.model.values();
    info_.options.seed = one.seed;
    info_.path_steps = wishes_.path_steps;
    const replay::Execution run = run_virtual(info_.options);
    const replay::Cost cost(job(), topology_, info_.options);
    const replay::Summary summary = replay::summarise(job(), run, cost);
    RunOutcome outcome;
    outcome.json = replay::to_json(info_, job(), run, summary, alone(run));
    outcome.code = run.interrupted ? kInterrupted : run.blocked.empty() ? kOk : kDeadlock;
    std::string verdict = outcome.code == kOk ? "PASS"
                          : run.interrupted   ? "NONE"
                                              : "FAIL (deadlock)";
    std::string text;
    std::string changed;
    if (run.complete()) changed = tell_effect(one.seed, run, cost, outcome.json);
    const replay::Verdict found = verdict_of(run, summary);
    if (outcome.code == kOk && !found.why.empty()) {
      outcome.code = kTolerance;
      verdict = fmt::format("FAIL ({})", found.why);
    }
    // The order on the devices is checked even if the times miss the tolerance.
    if (run.complete() && wishes_.mode != "virtual") {
      text = run_on_devices(run, outcome, verdict);
    }
    text = changed + text;
    write_pictures(run, cost, summary, verdict);
    tell(one, run, summary, text, verdict);
    outcome.json["verdict"] = verdict;
    return outcome;
  }

  /// With what-if options, compares the run with a run of the unchanged trace.
  std::string tell_effect(std::uint64_t seed, const replay::Execution& run,
                          const replay::Cost& cost, Json& json) {
    if (!wishes_.model.what_if()) return {};
    if (!before_ || before_options_.seed != seed) {
      before_options_ = info_.options;
      before_options_.what_if = {};
      before_options_.scale = 1;
      before_ = replay::run_virtual(*trace_, plain_, before_options_);
    }
    if (!before_->complete()) return {};
    const replay::Cost before(*trace_, plain_, before_options_);
    const replay::Effect effect =
        replay::effect_of({*trace_, *before_, before}, {job(), run, cost});
    json["what_if"] = replay::to_json(effect);
    return replay::to_text(effect);
  }

  std::string run_on_devices(const replay::Execution& run, RunOutcome& outcome,
                             std::string& verdict) {
    const DeviceRun devices =
        replay_on_devices(job(), run, wishes_.devices, [this] { return interrupts_.asked(); });
    outcome.json["threads"] = to_json(devices);
    if (devices.end == DeviceRun::End::timeout) {
      outcome.json["status"] = "timeout";
      outcome.code = kDeadlock;
      verdict = "FAIL (timeout on the devices)";
    } else if (devices.end == DeviceRun::End::interrupted) {
      outcome.json["status"] = "interrupted";
      outcome.code = kInterrupted;
      verdict = "NONE";
    } else if (devices.violated != 0 || devices.wrong_copies != 0) {
      outcome.code = kFailed;
      verdict = "FAIL (order)";
    }
    return to_text(job(), devices);
  }

  /// The makespan without contention between transfers.
  replay::Nanoseconds alone(const replay::Execution& run) {
    if (!run.queued || !run.complete()) return run.makespan_ns;
    replay::Options options = info_.options;
    options.contention = replay::Contention::off;
    return replay::run_virtual(job(), topology_, options).makespan_ns;
  }

  replay::Verdict verdict_of(const replay::Execution& run, const replay::Summary& summary) const {
    const bool deviates = replay::deviates(info_.options, !wishes_.model.topo.empty());
    replay::Verdict found = replay::verdict_of(run, summary, wishes_.tolerance, deviates);
    if (wishes_.input.quiet || !single_) return found;
    for (const std::string& warning : found.warnings) {
      complain(fmt::format("replay: warning: {}", warning));
    }
    return found;
  }

  void write_pictures(const replay::Execution& run, const replay::Cost& cost,
                      const replay::Summary& summary, const std::string& verdict) {
    if (!wishes_.timeline.empty()) {
      trace::OutputFile file(wishes_.timeline);
      replay::write_chrome(job(), run, cost, [&](std::string_view text) { file.write(text); });
      file.close();
      if (run.done_ops > kManySlices && !wishes_.input.quiet) {
        complain(fmt::format("replay: {}: {} slices; viewers are slow beyond a million",
                             wishes_.timeline, replay::count_text(run.done_ops)));
      }
    }
    if (!wishes_.html.empty()) {
      trace::OutputFile file(wishes_.html);
      replay::PageText about{"aclsim replay", "verdict " + verdict, command()};
      file.write(replay::to_html(
          replay::draw_run(job(), run, summary, {.slices = replay::kSlicesOfPage}), about));
      file.close();
    }
  }

  std::string command() const {
    return fmt::format("aclsim replay {}", fmt::join(wishes_.input.files, " "));
  }

  void tell(const PlannedRun& one, const replay::Execution& run, const replay::Summary& summary,
            const std::string& more, const std::string& verdict) {
    if (wishes_.json) return;
    if (::isatty(STDOUT_FILENO) != 0) progress_.hide();  // both would use the same line
    if (!single_) {
      print_out("{} seed {}: makespan {}, verdict {}\n", fmt::join(one.files, " "), one.seed,
                replay::time_text(run.makespan_ns), paint_verdict(verdict, STDOUT_FILENO));
      return;
    }
    print_out("{}{}", replay::to_text(info_, job(), run, summary), more);
    std::string wrote;
    for (const std::string* path : {&wishes_.report, &wishes_.timeline, &wishes_.html}) {
      if (!path->empty() && *path != "-") wrote += " " + *path;
    }
    if (!wrote.empty()) conclusion_ = fmt::format("wrote   {}\n", wrote);
    conclusion_ += fmt::format("verdict  {}\n", paint_verdict(verdict, STDOUT_FILENO));
  }

  void finish(std::vector<Json> rows) {
    const Json report = replay::make_report(std::move(rows));
    const std::string text = report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    if (wishes_.json) {
      print_out("{}", text);
    } else if (!single_) {
      print_out("{}", replay::to_text(report));
    }
    if (!wishes_.report.empty()) {
      trace::OutputFile file(wishes_.report);
      file.write(text);
      file.close();
    }
    print_out("{}", conclusion_);
  }

  const ReplayWishes& wishes_;
  replay::Topology topology_;
  Interrupts interrupts_;
  Progress progress_;
  std::uint64_t runs_ = 0;      // runs that have ended
  std::uint64_t done_ops_ = 0;  // ops of these runs
  std::uint64_t planned_ = 0;
  std::string conclusion_;  // last lines of a single run, printed after its report is written
  replay::RunInfo info_;
  std::optional<trace::Trace> trace_;
  std::optional<trace::Trace> other_;
  replay::Topology plain_;  // the topology of the unchanged run
  replay::Options before_options_;
  std::optional<replay::Execution> before_;
  std::vector<std::string> files_;
  bool single_ = true;
};

int replay_traces(const ReplayWishes& wishes) {
  return with_traces("replay", [&] {
    if (!wishes.model.removed.empty() && wishes.mode != "virtual") {
      throw std::invalid_argument(
          "replay: --remove: only in virtual time; expected --mode virtual");
    }
    try {
      return ReplayVerb(wishes).run();
    } catch (const replay::TopologyError& error) {
      complain(fmt::format("replay: --topo: {}", error.what()));
      return int{kUsage};
    }
  });
}

void add_outputs(CLI::App& verb, ReplayWishes& wishes) {
  verb.add_option("--report", wishes.report,
                  "write the report to FILE as JSON, - for standard output")
      ->type_name("FILE");
  verb.add_option("--timeline", wishes.timeline,
                  "write a timeline for ui.perfetto.dev to FILE (may end in .gz)")
      ->type_name("FILE");
  verb.add_option("--html", wishes.html, "write the run to FILE as a page, as aclsim plot does")
      ->type_name("FILE");
  verb.add_option("--tolerance", wishes.tolerance,
                  "exit with 4 if the makespan differs from the recorded one by more than PERCENT "
                  "% (default 5, or no limit with options that change the work)")
      ->type_name("PERCENT")
      ->check(number(0, 1e6));
  verb.add_option("--path", wishes.path_steps,
                  "list the N longest steps of the critical path (default 0)")
      ->type_name("N")
      ->check(whole_number(0, 1'000'000));
  verb.add_option("--progress", wishes.progress,
                  "set the style of progress on stderr: auto (default), or json for programs")
      ->type_name("STYLE")
      ->check(one_of({"auto", "json"}));
  add_json(verb, wishes.json);
}

}  // namespace

void add_replay(CLI::App& app, Verb& chosen) {
  CLI::App* const verb =
      app.add_subcommand("replay", "Run traces again, in virtual time or on the emulated devices");
  verb->footer(
      "Exit codes: 0 success, 1 the orders differ, 2 wrong option or input, 3 deadlock or "
      "timeout,\n"
      "4 tolerance exceeded, 130 interrupted.\n"
      "Example:\n  aclsim replay rank0.db rank1.db --report report.json --timeline out.json");
  const auto wishes = std::make_shared<ReplayWishes>();
  add_trace_input(*verb, wishes->input);
  verb->add_option("--mode", wishes->mode,
                   "virtual (default): replay by the cost model; threads: on the emulated devices, "
                   "with copies that move bytes; both: do both and compare the orders")
      ->type_name("MODE")
      ->check(one_of({"virtual", "threads", "both"}));
  add_replay_options(*verb, wishes->model);
  verb->add_flag("--each", wishes->each,
                 "replay each file as a run of its own, not as a rank of one job");
  verb->add_option("--runs", wishes->seeds, "do N runs (default 1) with seeds from --seed on")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000'000));
  verb->add_option("--shard", wishes->shard_text, "do only part I of N of all runs")
      ->type_name("I/N")
      ->check([=](const std::string& text) { return parse_shard(text, wishes->shard); });
  add_device_options(*verb, wishes->devices);
  add_outputs(*verb, *wishes);
  verb->callback([=, &chosen] { chosen = [=] { return replay_traces(*wishes); }; });
}

}  // namespace aclsim
