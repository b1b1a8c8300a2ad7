// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>

#include "tools/aclsim/options/common_options.h"
#include "tools/aclsim/options/replay_options.h"
#include "tools/aclsim/output/colour.h"
#include "tools/aclsim/output/standard_output.h"
#include "tools/aclsim/run/checks.h"
#include "tools/aclsim/verbs/commands.h"
#include "tools/aclsim/verbs/trace_verb.h"
#include "tools/check/check.h"
#include "tools/replay/engine/deadlock.h"
#include "tools/replay/engine/simulator.h"
#include "tools/replay/pictures/page.h"
#include "tools/replay/results/breakdown_text.h"
#include "tools/replay/results/compare_traces.h"
#include "tools/replay/results/naming.h"
#include "tools/trace/files/output_file.h"
#include "tools/trace/read_trace.h"

namespace aclsim {
namespace {

struct PlotWishes {
  TraceInput input;
  ReplayOptions model;
  std::string output;
  std::string times = "auto";
  std::string format;
  std::string window;
  std::size_t width = 0;
  bool ascii = false;
  bool check = false;
};

/// Reads "10ms,20ms" as two times; numbers without a unit are ns.
std::pair<replay::Nanoseconds, replay::Nanoseconds> parse_window(const std::string& text) {
  const auto bad = [&] {
    return std::invalid_argument(fmt::format(
        "plot: --window: '{}' is not valid; expected FROM,TO as in 10ms,20.5ms (ns, us, ms, s)",
        text));
  };
  const auto one = [&](const std::string& part) {
    char* end = nullptr;
    const double value = ::strtod(part.c_str(), &end);
    const std::string unit = end;
    const double factor = unit == "s"                    ? 1e9
                          : unit == "ms"                 ? 1e6
                          : unit == "us"                 ? 1e3
                          : unit.empty() || unit == "ns" ? 1
                                                         : 0;
    if (end == part.c_str() || factor == 0 || value < 0 || value * factor > 1e18) throw bad();
    return static_cast<replay::Nanoseconds>(value * factor);
  };
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) throw bad();
  const auto window = std::pair(one(text.substr(0, comma)), one(text.substr(comma + 1)));
  if (window.first >= window.second) throw bad();
  return window;
}

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 100;
}

std::string ending(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(dot + 1);
}

std::string format_of(const PlotWishes& wishes) {
  const std::string format = wishes.format.empty() ? ending(wishes.output) : wishes.format;
  return format == "htm" ? "html" : format;
}

int write(const PlotWishes& wishes, const replay::Picture& picture, const replay::PageText& about) {
  const std::size_t columns = wishes.width != 0 ? wishes.width : terminal_width();
  if (wishes.ascii) {
    print_out("{}", replay::to_ascii(picture, columns, has_colours(STDOUT_FILENO)));
    if (wishes.output.empty()) return kOk;
  }
  const std::string format = format_of(wishes);
  std::string text;
  if (format == "svg") {
    text = replay::to_svg(picture, wishes.width != 0 ? wishes.width : 1200, about.title);
  } else if (format == "html") {
    text = replay::to_html(picture, about);
  } else if (format == "txt") {
    text = replay::to_ascii(picture, columns, false);
  } else {
    throw std::invalid_argument(
        fmt::format("plot: -o: '{}' has no known extension; expected .html, .svg or .txt, or --to",
                    wishes.output));
  }
  trace::OutputFile file(wishes.output);
  file.write(text);
  file.close();
  if (wishes.output != "-" && !wishes.input.quiet) {
    complain(fmt::format("plot: wrote {} ({})", wishes.output,
                         replay::bytes_text(static_cast<double>(text.size()))));
  }
  return kOk;
}

int plot(const PlotWishes& wishes) {
  if (wishes.output.empty() && !wishes.ascii) {
    throw std::invalid_argument("plot: no output; expected -o FILE or --ascii");
  }
  trace::ReadOptions reading;
  reading.from = wishes.input.from;
  reading.keep.ranges = wishes.check;
  const trace::Trace read = read_shown(wishes.input.files, reading, wishes.input.quiet);
  require_work("plot", read, wishes.input.files);
  if (!wishes.input.quiet) show_remarks(read, false);
  const replay::Topology topology = wishes.model.topology();
  const std::optional<trace::Trace> other = wishes.model.shaped(read, topology);
  const trace::Trace& trace = other ? *other : read;
  const replay::Options options = wishes.model.values();
  const replay::Execution run = replay::run_virtual(trace, topology, options);
  const replay::Cost cost(trace, topology, options);
  const replay::Summary summary = replay::summarise(trace, run, cost);
  const bool as_recorded =
      wishes.times == "recorded" ||
      (wishes.times == "auto" && replay::has_times(trace) && !wishes.model.what_if());
  replay::PictureLimits limits;
  if (format_of(wishes) == "html") limits.slices = replay::kSlicesOfPage;
  const replay::OpPairs found =
      wishes.check ? check::check(trace, {}).unordered : replay::OpPairs();
  replay::Picture picture = as_recorded ? replay::draw_recording(trace, run, summary, limits, found)
                                        : replay::draw_run(trace, run, summary, limits, found);
  if (wishes.check) {
    picture.facts.push_back(fmt::format("{} pair{} of unordered accesses: red arrows", found.size(),
                                        found.size() == 1 ? "" : "s"));
  }
  picture.facts.insert(picture.facts.begin(), as_recorded
                                                  ? "times as recorded; critical path of the replay"
                                                  : "times of the replay in virtual time");
  const replay::Breakdown times = replay::break_down(trace, as_recorded ? nullptr : &run);
  constexpr std::size_t kKernels = 10;
  if (!times.ranks.empty()) picture.summary = replay::to_text(trace, times, kKernels);
  if (!wishes.window.empty()) {
    const auto [begin, end] = parse_window(wishes.window);
    replay::cut(picture, begin, end);
  }
  replay::PageText about{fmt::format("{}", fmt::join(wishes.input.files, ", ")), "",
                         fmt::format("aclsim plot {}", fmt::join(wishes.input.files, " "))};
  if (!run.blocked.empty()) {
    about.verdict = fmt::format("FAIL: deadlock, {} tracks are blocked", run.blocked.size());
    complain(replay::to_text(replay::explain(run, trace.tracks().size()), run, trace));
  }
  const int code = write(wishes, picture, about);
  return code == kOk && !run.blocked.empty() ? int{kDeadlock} : code;
}

}  // namespace

void add_plot(CLI::App& app, Verb& chosen) {
  CLI::App* const verb =
      app.add_subcommand("plot", "Draw traces as a page, an SVG, or text for a terminal");
  verb->footer(
      "The page is one file that needs no network; drag to move, wheel to zoom, / to search.\n"
      "Exit codes: 0 success, 2 wrong option or input, 3 the trace ends in a deadlock.\n"
      "Example:\n  aclsim plot trace_view.json -o page.html\n  aclsim plot rank0.db --ascii");
  const auto wishes = std::make_shared<PlotWishes>();
  add_trace_input(*verb, wishes->input);
  verb->add_option("-o,--output", wishes->output, "write the picture to FILE: .html, .svg or .txt")
      ->type_name("FILE");
  CLI::Option* const to =
      verb->add_option("--to", wishes->format,
                       "set the output format: html, svg or txt; default: by the file extension")
          ->type_name("FORMAT")
          ->check(one_of({"html", "svg", "txt"}));
  add_old_name(*verb, "--format", to);
  verb->add_flag("--ascii", wishes->ascii, "print the picture as text, as wide as the terminal");
  verb->add_flag("--check", wishes->check,
                 "also draw unordered conflicting accesses in red (aclsim check reports them)");
  verb->add_option(
          "--times", wishes->times,
          "set the times that are drawn: recorded; replay; auto (default): recorded if the "
          "trace has times")
      ->type_name("WHICH")
      ->check(one_of({"auto", "recorded", "replay"}));
  verb->add_option("--window", wishes->window,
                   "draw only the time between FROM and TO, as in 10ms,20ms")
      ->type_name("FROM,TO");
  verb->add_option("--width", wishes->width,
                   "set the width: pixels of the SVG (default 1200), columns of the text")
      ->type_name("N")
      ->check(whole_number(40, 20'000));
  add_replay_options(*verb, wishes->model);
  verb->callback([=, &chosen] {
    chosen = [=] {
      return with_traces("plot", [&] {
        try {
          return plot(*wishes);
        } catch (const replay::TopologyError& error) {
          complain(fmt::format("plot: --topo: {}", error.what()));
          return int{kUsage};
        }
      });
    };
  });
}

}  // namespace aclsim
