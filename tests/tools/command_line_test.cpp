// SPDX-License-Identifier: Apache-2.0
// The words of the command line: suggestions for mistyped words, options with the same name in
// every verb, former names, help texts, and colours on a terminal.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"

using catch_compat::ContainsSubstring;

namespace {

struct Printed {
  std::string text;
  int code = -1;
};

/// The output of "aclsim WORDS" on both streams, unless the words redirect one.
Printed tool(const std::string& words, const std::string& environment = "") {
  const std::string command = environment + " " ACLSIM_EXE " " + words;
  FILE* const pipe = popen(("{ " + command + "; } 2>&1").c_str(), "r");
  REQUIRE(pipe);
  Printed printed;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) printed.text += static_cast<char>(c);
  const int status = pclose(pipe);
  printed.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return printed;
}

/// The output if both streams are a terminal.
std::string on_terminal(const std::string& words, const std::string& environment = "") {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  REQUIRE(terminal >= 0);
  REQUIRE(grantpt(terminal) == 0);
  REQUIRE(unlockpt(terminal) == 0);
  const std::string name = ptsname(terminal);
  const int open_end =
      open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);  // prevents an early hang-up
  const std::string command = "env -u NO_COLOR TERM=xterm " + environment + " " ACLSIM_EXE " " +
                              words + " >" + name + " 2>&1 </dev/null";
  FILE* const shell = popen(command.c_str(), "r");
  REQUIRE(shell);
  std::string text;
  std::thread ends([&] {
    pclose(shell);
    close(open_end);
  });
  char block[4096];
  for (ssize_t got = 0; (got = read(terminal, block, sizeof block)) > 0;) {
    text.append(block, static_cast<std::size_t>(got));
  }
  ends.join();
  close(terminal);
  return text;
}

std::vector<std::string> verbs() {
  const std::string fish = tool("completion fish").text;
  static const std::regex kVerb("-n __fish_use_subcommand -a ([a-z]+)");
  std::vector<std::string> names;
  for (std::sregex_iterator at(fish.begin(), fish.end(), kVerb), end; at != end; ++at) {
    names.push_back((*at)[1]);
  }
  REQUIRE(names.size() > 10);
  return names;
}

/// A trace with a finding, and one without.
struct Traces {
  support::TempDir dir;
  std::string racy = (dir.path() / "racy.aclt.jsonl").string();
  std::string ring = (dir.path() / "ring.aclt.jsonl").string();
  Traces() {
    REQUIRE(tool("gen racy -o " + racy).code == 0);
    REQUIRE(tool("gen ring -o " + ring).code == 0);
  }
  std::string path(const char* name) const { return (dir.path() / name).string(); }
};

constexpr const char* kEscape = "\x1b[";

}  // namespace

// ---- suggestions ----

TEST_CASE("a mistyped verb, option or value is answered with the one that was meant") {
  struct Row {
    const char* words;
    const char* answer;
  };
  const auto row = GENERATE(
      Row{"rnu -- true", "aclsim: 'rnu' is not a verb; did you mean 'run'?\n"},
      Row{"cheka", "aclsim: 'cheka' is not a verb; did you mean 'check'?\n"},
      Row{"expl", "aclsim: 'expl' is not a verb; did you mean 'explore' or 'explain'?\n"},
      Row{"check --sup x", "--sup: no such option; did you mean '--suppressions'?\n"},
      Row{"completion --shel",
          "aclsim: completion: --shel: no such option; write SHELL without dashes: aclsim "
          "completion "
          "SHELL\n"},
      Row{"--vresion", "aclsim: --vresion: no such option; did you mean '--version'?\n"},
      Row{"check --jsn x", "aclsim: check: --jsn: no such option; did you mean '--json'?\n"},
      Row{"gen ring --device=3",
          "aclsim: gen: --device: no such option; did you mean '--devices'?\n"},
      Row{"run --sedd 3 -- true", "aclsim: run: --sedd: no such option; did you mean '--seed'?\n"},
      Row{"explore --rnus 3 -- true",
          "aclsim: explore: --rnus: no such option; did you mean '--runs'?\n"},
      Row{"gen rign", "; did you mean 'ring'?\n"},
      Row{"run --schedule seded -- true", "; did you mean 'seeded'?\n"},
      Row{"run --strategy randm -- true", "; did you mean 'random'?\n"},
      Row{"run --fault kernle -- true", "; did you mean 'kernel'?\n"},
      Row{"run --fault kernel,nht=3 -- true", "; did you mean 'nth'?\n"},
      Row{"run --fault task,code=1,op=cpoy -- true", "; did you mean 'copy'?\n"},
      Row{"devices",
          "aclsim: ACLSIM_SCHEDULE: 'seded' is not valid; expected threads or seeded; "
          "did you mean 'seeded'?\n"});
  const Printed printed = tool(row.words, "ACLSIM_SCHEDULE=seded");
  CAPTURE(row.words);
  CHECK(printed.code == 2);
  CHECK_THAT(printed.text, ContainsSubstring(row.answer));
}

TEST_CASE("an unknown option is told before what is wrong with the other words") {
  struct Row {
    const char* words;
    const char* answer;
  };
  const auto row = GENERATE(
      Row{"topo --fitt x", "aclsim: topo: --fitt: no such option; did you mean '--fit'?\n"},
      Row{"diff --jsn a b", "aclsim: diff: --jsn: no such option; did you mean '--json'?\n"},
      Row{"gen --opps 3 ring", "aclsim: gen: --opps: no such option; did you mean '--ops'?\n"},
      Row{"devices weather --jsn", "aclsim: devices: --jsn: no such option"},
      Row{"run --sedd 3 --workers 0 -- true", "aclsim: run: --sedd: no such option"},
      Row{"run --workers 0 true --sedd", "aclsim: run: --workers: '0' is not valid"},
      Row{"--json check x",
          "aclsim: --json: an option of a verb comes after the verb: aclsim check --json\n"});
  CAPTURE(row.words);
  const Printed printed = tool(row.words);
  CHECK(printed.code == 2);
  CHECK_THAT(printed.text, ContainsSubstring(row.answer));
}

TEST_CASE("what is like nothing known is answered with what there is") {
  CHECK_THAT(tool("weather").text, ContainsSubstring("expected one of: run, explore, devices"));
  CHECK_THAT(tool("info --weather x").text, ContainsSubstring("aclsim info --help lists them"));
  CHECK_THAT(tool("devices weather").text, ContainsSubstring("'weather' is one argument too many"));
  CHECK_THAT(tool("gen ring --devices").text,
             ContainsSubstring("gen: --devices: the value is missing; expected N"));
  CHECK_THAT(tool("gen ring --ops 2 --ops 3").text,
             ContainsSubstring("gen: --ops is given 2 times; expected once"));
  CHECK_THAT(tool("check").text, ContainsSubstring("check: FILE is missing"));
  CHECK_THAT(tool("check --weather").text, ContainsSubstring("--weather: no such option"));
}

TEST_CASE("an unknown variable is told, with the nearest name; one of the tests is not") {
  const Printed mistyped = tool("devices --to tsv", "ACLSIM_DEVCIES=3");
  CHECK(mistyped.code == 0);
  CHECK_THAT(mistyped.text,
             ContainsSubstring("aclsim: warning: ACLSIM_DEVCIES: there is no such variable and it "
                               "has no effect; did you mean 'ACLSIM_DEVICES'?\n"));
  CHECK_THAT(tool("devices --to tsv", "ACLSIM_WEATHER=sunny").text,
             ContainsSubstring("aclsim: warning: ACLSIM_WEATHER: there is no such variable and it "
                               "has no effect; docs/configuration.md lists all that "
                               "there are\n"));
  for (const char* name :
       {"ACLSIM_DEVCIES=", "ACLSIM_TOOL=x", "ACLSIM_JOBS=2", "ACLSIM_TEST_SEED=3",
        "ACLSIM_KERNEL_CHECKS=off", "ACLSIM_KERNEL_BLOCKS=0", "ACLSIM_KERNEL_PREFIX=on",
        "ACLSIM_CUDA_MULTICAST=1", "ACLSIM_JOB_SECRET=x"}) {
    CHECK_THAT(tool("devices --to tsv", name).text, !ContainsSubstring("warning"));
  }
}

// ---- consistent names ----

TEST_CASE("a former name works and says the new one") {
  const Traces traces;
  const std::string timeline = traces.path("timeline.json");
  const Printed run = tool("run --trace " + timeline + " -- sh -c 'echo \"[$ACLSIM_TIMELINE]\"'");
  CHECK(run.code == 0);
  CHECK_THAT(run.text, ContainsSubstring("aclsim: run: --trace is now named --timeline; the old "
                                         "name still works\n[" +
                                         timeline + "]\n"));
  const std::string findings = traces.path("findings.json");
  const Printed check = tool("run --check --check-report " + findings + " --report " +
                             traces.path("b.xml") + " -- sh -c 'echo $ACLSIM_CHECK_REPORT'");
  CHECK_THAT(check.text, ContainsSubstring("--check-report is now named --report"));
  CHECK_THAT(check.text, ContainsSubstring(findings));
  CHECK_THAT(check.text, ContainsSubstring(traces.path("b.xml")));
  const Printed plot = tool("plot --format svg -o - " + traces.ring);
  CHECK(plot.code == 0);
  CHECK_THAT(plot.text, ContainsSubstring("plot: --format is now named --to"));
  CHECK_THAT(plot.text, ContainsSubstring("<svg"));
  const Printed rows = tool("devices --format tsv");
  CHECK(rows.code == 0);
  CHECK_THAT(rows.text, ContainsSubstring("devices: --format is now named --to; the old name"));
  CHECK_THAT(tool("api --format summary").text,
             ContainsSubstring("api: --format is now named --to"));
  CHECK_THAT(tool("api --format yaml").text, ContainsSubstring("'yaml' is not valid"));
  const Printed topo = tool("topo --check");
  CHECK_THAT(topo.text, ContainsSubstring("topo: --check is now named --validate; the old name"));
  CHECK_THAT(topo.text, ContainsSubstring("valid: "));
  const Printed devices = tool("devices --format json");
  CHECK_THAT(devices.text, ContainsSubstring("--format json is now named --json"));
  CHECK_THAT(devices.text, ContainsSubstring("\"links\""));
}

TEST_CASE("the value of a former name is looked at like that of the new one") {
  const Printed run = tool("run --check --check-report findings.pdf -- echo started");
  CHECK(run.code == 2);
  CHECK_THAT(run.text, ContainsSubstring("ends in .json, .sarif, .xml (JUnit) or .txt"));
  CHECK_THAT(run.text, !ContainsSubstring("started"));
}

TEST_CASE("former names are in no help text and in no completion") {
  CHECK_THAT(tool("topo --help").text, !ContainsSubstring("--check"));
  for (const std::string verb : {"run", "plot", "devices", "api"}) {
    const std::string help = tool(verb + " --help").text;
    CHECK_THAT(help, !ContainsSubstring("--trace"));
    CHECK_THAT(help, !ContainsSubstring("--check-report"));
    CHECK_THAT(help, !ContainsSubstring("--format"));
  }
  CHECK_THAT(tool("completion bash").text, !ContainsSubstring("--check-report"));
  CHECK_THAT(tool("completion fish").text, !ContainsSubstring("-l trace"));
}

TEST_CASE("--to names the format that a verb prints or writes") {
  CHECK(tool("devices --to tsv").text == tool("devices --format tsv 2>/dev/null").text);
  CHECK(tool("devices --to json").text == tool("devices --json").text);
  CHECK_THAT(tool("api --to markdown").text, ContainsSubstring("| Header | Tier |"));
  CHECK_THAT(tool("api --to yaml").text, ContainsSubstring("--to: 'yaml' is not valid"));
  CHECK(tool("topo --validate").text == tool("topo --check 2>/dev/null").text);
}

TEST_CASE("--json prints one JSON value and nothing else on stdout") {
  const Traces traces;
  const std::string report = traces.path("report.json");
  REQUIRE(tool("replay -q " + traces.ring + " --report " + report).code == 0);
  for (const std::string& words :
       {std::string("devices"), std::string("api"), "info " + traces.ring, "check " + traces.racy,
        "replay " + traces.ring, "report " + report, "diff " + traces.ring + " " + traces.ring}) {
    CAPTURE(words);
    CHECK(nlohmann::json::accept(tool(words + " --json 2>/dev/null").text));
  }
  CHECK(tool("check " + traces.racy + " --json 2>/dev/null").code == 1);
}

TEST_CASE("-q and --quiet are the same for every verb that has them") {
  const Traces traces;
  const std::string out = traces.path("out.json");
  for (const std::string quiet : {"-q", "--quiet"}) {
    for (const std::string& words :
         {"info " + traces.ring, "convert " + traces.ring + " -o " + out, "replay " + traces.ring,
          "plot " + traces.ring + " --to txt -o " + out, "diff " + traces.ring + " " + traces.ring,
          std::string("topo"), std::string("run --check -- true")}) {
      CAPTURE(words);
      const auto program = words.find(" -- ");
      std::string command = words;
      command.insert(std::min(program, words.size()), " " + quiet);
      CHECK(tool(command).code == 0);
    }
  }
  const std::string last = tool("check -q " + traces.racy).text;
  CHECK(std::count(last.begin(), last.end(), '\n') == 1);
  const std::string explored = tool("explore -q --runs 3 -- false").text;
  CHECK(explored.rfind("reproduce: ", 0) == 0);
  CHECK(std::count(explored.begin(), explored.end(), '\n') == 2);
}

namespace {

/// The cells of a line of a table in Markdown, without their backquotes.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream rest(line.substr(1));
  for (std::string cell; std::getline(rest, cell, '|');) {
    std::erase_if(cell, [](char c) { return c == ' ' || c == '`'; });
    cells.push_back(cell);
  }
  return cells;
}

std::string with_dashes(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

}  // namespace

TEST_CASE("options, variables and keys correspond, in the table of the documentation too") {
  const std::string help = tool("run --help").text;
  std::ifstream page(ACLSIM_SOURCE_DIR "/docs/configuration.md");
  int rows = 0;
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("| `machine.", 0) && line.rfind("| `run.", 0) && line.rfind("| `check.", 0)) {
      continue;
    }
    const std::vector<std::string> cells = cells_of(line);
    REQUIRE(cells.size() >= 3);
    const std::size_t dot = cells[0].find('.');
    const std::string section = cells[0].substr(0, dot);
    const std::string key = cells[0].substr(dot + 1, cells[0].find(',') - dot - 1);
    std::string name = section == "check" ? key == "on" ? section : section + "_" + key : key;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return std::toupper(c); });
    const std::string option = key == "on"       ? "--check"
                               : key == "faults" ? "--fault"
                                                 : with_dashes(key);
    CAPTURE(line);
    if (!cells[1].empty()) CHECK(cells[1] == "ACLSIM_" + name);
    if (cells[2].empty()) continue;
    CHECK(cells[2] == option);
    CHECK_THAT(help, ContainsSubstring(option + " ") || ContainsSubstring("," + option + " "));
    ++rows;
  }
  CHECK(rows > 15);
}

// ---- help ----

namespace {

/// Words of the option library, or of its labels, that must not appear in texts for users.
std::string library_word_in(const std::string& text) {
  static const std::regex kWords(
      "\\b(TEXT|INT|UINT|FLOAT|BOOLEAN|ENUM|DIR|REQUIRED|Positionals|Needs|Excludes)\\b|Env:|:("
      "FILE|PATH|DIR)|"
      "\\bin \\[|\\[\\]|[Ss][Uu][Bb][Cc][Oo][Mm][Mm][Aa][Nn][Dd]");
  std::smatch found;
  return std::regex_search(text, found, kWords) ? found.str() : "";
}

}  // namespace

TEST_CASE("no help text and no manual page has a word of the option library") {
  std::vector<std::string> all{""};
  for (const std::string& verb : verbs()) all.push_back(verb);
  for (const std::string& verb : all) {
    const Printed help = tool(verb + " --help");
    INFO("aclsim " << verb << " --help");
    CHECK(help.code == 0);
    CHECK(library_word_in(help.text).empty());
    CHECK_THAT(help.text, !ContainsSubstring("\n\n\n"));
  }
  const support::TempDir pages;
  REQUIRE(tool("man-pages " + pages.path().string()).code == 0);
  for (const std::string& verb : all) {
    const std::string page = "aclsim" + (verb.empty() ? verb : "-" + verb) + ".1";
    INFO(page);
    CHECK(!pages.read(page).empty());
    CHECK(library_word_in(pages.read(page)).empty());
  }
}

TEST_CASE("help says how a verb is used, what must be given and which variable sets an option") {
  CHECK_THAT(tool("--help").text, ContainsSubstring("Usage: aclsim [OPTIONS] VERB\n"));
  CHECK_THAT(tool("--help").text, ContainsSubstring("\nVerbs:\n"));
  for (const std::string verb : {"run", "explore"}) {
    const std::string help = tool(verb + " --help").text;
    CHECK_THAT(help,
               ContainsSubstring("Usage: aclsim " + verb + " [OPTIONS] -- PROGRAM [ARGUMENTS]\n"));
    CHECK_THAT(help.substr(0, help.find('\n')), !ContainsSubstring("PROGRAM"));
  }
  CHECK_THAT(tool("run --help").text, ContainsSubstring("ACLSIM_CHECK_FAIL_ON"));
  CHECK_THAT(tool("convert --help").text, ContainsSubstring("-o,--output FILE"));
  CHECK_THAT(tool("convert --help").text, ContainsSubstring("must be given"));
}

// ---- colours ----

TEST_CASE("a terminal sees colours, a file does not") {
  const Traces traces;
  struct Row {
    std::string words;
    const char* colour;
  };
  for (const Row& row :
       {Row{"check " + traces.racy, "\x1b[1;31merror:\x1b[0m"},
        Row{"replay " + traces.ring, "verdict  \x1b[1;32mPASS\x1b[0m"},
        Row{"plot --ascii " + traces.ring, kEscape},
        Row{"diff --tolerance 1 " + traces.ring + " " + traces.ring, "\x1b[1;32mPASS\x1b[0m"},
        Row{"explore --runs 2 -- true", "\x1b[1;32mnothing found\x1b[0m"},
        Row{"explore --runs 2 -- false", "\x1b[1;31mfound\x1b[0m"}}) {
    CAPTURE(row.words);
    CHECK_THAT(on_terminal(row.words), ContainsSubstring(row.colour));
    CHECK_THAT(on_terminal(row.words, "NO_COLOR=1"), !ContainsSubstring("\x1b[1;"));
    CHECK_THAT(on_terminal(row.words, "TERM=dumb"), !ContainsSubstring("\x1b[1;"));
    CHECK_THAT(tool(row.words, "env -u NO_COLOR TERM=xterm").text, !ContainsSubstring(kEscape));
  }
  CHECK_THAT(on_terminal("check " + traces.racy, "NO_COLOR="), ContainsSubstring(kEscape));
}
