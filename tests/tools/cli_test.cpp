// SPDX-License-Identifier: Apache-2.0
// The command line tool from the view of its users: exit codes, texts, the environment of programs.
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"

extern char** environ;

namespace {

using catch_compat::ContainsSubstring;

std::string tool() {
#if defined(ACLSIM_TOOL)
  return ACLSIM_TOOL;
#elif defined(ACLSIM_EXE)
  return ACLSIM_EXE;
#else
  const char* const path = std::getenv("ACLSIM_TOOL");
  return path ? path : "aclsim";
#endif
}

struct Result {
  int code = -1;
  std::string out;
  std::string err;
};

pid_t start(const std::vector<std::string>& arguments, const std::string& out,
            const std::string& err) {
  std::string program = tool();
  std::vector<char*> argv{program.data()};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const int flags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), flags, 0666);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), flags, 0666);
  pid_t pid = -1;
  REQUIRE(posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ) == 0);
  posix_spawn_file_actions_destroy(&actions);
  return pid;
}

int exit_code(pid_t pid) {
  int status = 0;
  REQUIRE(waitpid(pid, &status, 0) == pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

Result aclsim(const std::vector<std::string>& arguments) {
  const support::TempDir dir;
  const pid_t pid = start(arguments, (dir.path() / "out").string(), (dir.path() / "err").string());
  Result result;
  result.code = exit_code(pid);
  result.out = dir.read("out");
  result.err = dir.read("err");
  return result;
}

/// A variable that is set, or unset (null), while the object lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    had_ = std::getenv(name) != nullptr;
    set(value);
  }
  ~Variable() { set(had_ ? old_.c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const char* value) { value ? setenv(name_, value, 1) : unsetenv(name_); }

  const char* name_;
  bool had_ = false;
  std::string old_;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

// ---- run ----

TEST_CASE("run passes its program's exit code on") {
  CHECK(aclsim({"run", "--", "true"}).code == 0);
  CHECK(aclsim({"run", "--", "false"}).code == 1);
  CHECK(aclsim({"run", "--", "sh", "-c", "exit 42"}).code == 42);
}

TEST_CASE("run ends with 128 + n when signal n ended its program") {
  CHECK(aclsim({"run", "--", "sh", "-c", "kill -9 $$"}).code == 137);
  CHECK(aclsim({"run", "--", "sh", "-c", "kill -TERM $$"}).code == 143);
}

TEST_CASE("a program that does not exist gives 127, one that cannot be executed 126") {
  const support::TempDir dir;
  const Result missing = aclsim({"run", "--", "/nonexistent/program"});
  CHECK(missing.code == 127);
  CHECK(missing.err == "aclsim: run: cannot start /nonexistent/program: no such program\n");
  const std::string plain = dir.write("plain", "no program\n");
  const Result refused = aclsim({"run", "--", plain});
  CHECK(refused.code == 126);
  CHECK(refused.err == "aclsim: run: cannot start " + plain + ": Permission denied\n");
}

TEST_CASE("a wrong value ends with 2 and a text with the option, the value and what is allowed") {
  struct Row {
    const char* option;
    const char* value;
    const char* allowed;
  };
  const auto row = GENERATE(
      Row{"--devices", "many", "from 0 to 1024"}, Row{"--devices", "-1", "from 0 to 1024"},
      Row{"--devices", "4x", "from 0 to 1024"}, Row{"--workers", "0", "from 1 to 64"},
      Row{"--seed", "1.5", "from 0 to 18446744073709551615"},
      Row{"--schedule", "random", "threads, seeded"}, Row{"--strategy", "chaos", "pct:DEPTH"},
      Row{"--watchdog", "soon", "from 0 to 86400"},
      Row{"--config", "/nonexistent/c.toml", "the path of a file"},
      Row{"--fault", "kernle", "one of: call, task"}, Row{"--fault", "", "KIND,KEY=VALUE"},
      Row{"--timeline", "/nonexistent/t.json", "the path of a file"});
  const Result result = aclsim({"run", row.option, row.value, "--", "echo", "started"});
  CHECK(result.code == 2);
  CHECK(result.out.empty());
  CHECK_THAT(result.err, ContainsSubstring(row.option));
  CHECK_THAT(result.err, ContainsSubstring(std::string("'") + row.value + "'"));
  CHECK_THAT(result.err, ContainsSubstring(row.allowed));
}

TEST_CASE("run without a program, or with an unknown option, ends with 2") {
  CHECK(aclsim({"run"}).code == 2);
  CHECK(aclsim({"run", "--"}).code == 2);
  CHECK(aclsim({"run", "--devices"}).code == 2);
  const Result unknown = aclsim({"run", "--device", "2", "--", "true"});
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.err, ContainsSubstring("--device"));
}

TEST_CASE("run says by variables what its options say") {
  const Variable no_schedule("ACLSIM_SCHEDULE", nullptr);
  const support::TempDir dir;
  const std::string config = dir.write("machine.toml", "");
  const Result result =
      aclsim({"run", "--devices", "3", "--seed", "7", "--workers", "2", "--watchdog", "5",
              "--config", config, "--lenient", "--guard", "--", "env"});
  CHECK(result.code == 0);
  for (const std::string line :
       {"ACLSIM_DEVICES=3", "ACLSIM_SEED=7", "ACLSIM_SCHEDULE=seeded", "ACLSIM_WORKERS=2",
        "ACLSIM_WATCHDOG=5", "ACLSIM_LENIENT=1", "ACLSIM_HOST_ACCESS=guard"}) {
    CHECK_THAT("\n" + result.out, ContainsSubstring("\n" + line + "\n"));
  }
  CHECK_THAT(result.out, ContainsSubstring("ACLSIM_CONFIG=" + config + "\n"));
  CHECK_THAT(result.out, ContainsSubstring("LD_LIBRARY_PATH="));
}

TEST_CASE("the library of CUDA's driver is found where it was asked for, and nowhere else") {
  CHECK_THAT(aclsim({"run", "--cuda", "--", "env"}).out, ContainsSubstring("lib64/cuda:"));
  CHECK_THAT(aclsim({"run", "--", "env"}).out, !ContainsSubstring("lib64/cuda"));
}

TEST_CASE("faults are handed on in their order, whatever commas they hold") {
  const Result result = aclsim({"run", "--fault", "kernel,nth=2", "--fault=alloc,device=1", "--",
                                "sh", "-c", "echo $ACLSIM_FAULTS"});
  CHECK(result.out == "kernel,nth=2;alloc,device=1\n");
  CHECK(result.code == 0);
}

TEST_CASE("run leaves alone what no option names") {
  const Variable devices("ACLSIM_DEVICES", "5");
  const Variable schedule("ACLSIM_SCHEDULE", nullptr);
  const Result result =
      aclsim({"run", "--", "sh", "-c", "echo $ACLSIM_DEVICES ${ACLSIM_SCHEDULE-none}"});
  CHECK(result.out == "5 none\n");
}

TEST_CASE("a seed and another schedule than the seeded one contradict each other") {
  const Result result = aclsim({"run", "--seed", "1", "--schedule", "threads", "--", "true"});
  CHECK(result.code == 2);
  CHECK_THAT(result.err, ContainsSubstring("expected seeded"));
}

TEST_CASE("files of a check that make no sense are refused before a program runs") {
  const support::TempDir dir;
  const std::string known = dir.write("known.txt", "ACL007 *\nACL7 *\n");
  const std::vector<std::string> run{"run", "--check"};
  const std::vector<std::string> explore{"explore", "--runs", "1", "--check"};
  const auto refused = [&](std::vector<std::string> verb, const std::string& option,
                           const std::string& value, const std::string& why) {
    verb.insert(verb.end(), {option, value, "--", "echo", "the program ran"});
    const Result result = aclsim(verb);
    INFO(result.err);
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, ContainsSubstring(why));
  };
  refused(run, "--suppressions", known, "known.txt:2: ACL7 is no rule");
  refused(explore, "--suppressions", known, "known.txt:2: ACL7 is no rule");
  refused(run, "--report", "findings.pdf", "ends in .json, .sarif, .xml (JUnit) or .txt");
}

TEST_CASE("a report that cannot be written is refused before a program runs") {
  const support::TempDir dir;
  const std::string folder = (dir.path() / "folder.json").string();
  std::filesystem::create_directory(folder);
  for (const std::string& path : {(dir.path() / "none" / "a.json").string(), folder,
                                  (dir.path() / "none" / "%p.json").string()}) {
    const Result result =
        aclsim({"run", "--check", "--report", path, "--", "echo", "the program ran"});
    INFO(result.err);
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, ContainsSubstring("--report: '" + path + "' cannot be written"));
  }
}

TEST_CASE("what belongs to a check is refused without one, its default value too") {
  for (const char* const level : {"error", "warning"}) {
    const Result result = aclsim({"run", "--fail-on", level, "--", "echo", "the program ran"});
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, ContainsSubstring("belong to --check"));
  }
}

TEST_CASE("a program's own options are its own, with and without the two dashes") {
  const std::string script = "printf '%s ' \"$@\"";
  CHECK(aclsim({"run", "--", "sh", "-c", script, "sh", "--devices", "x", "--", "-h"}).out ==
        "--devices x -- -h ");
  CHECK(aclsim({"run", "--devices", "1", "sh", "-c", script, "sh", "--seed", "--", "a"}).out ==
        "--seed -- a ");
}

TEST_CASE("run passes a signal on and reports how its program ended") {
  const auto signal = GENERATE(SIGTERM, SIGINT);
  const support::TempDir dir;
  const std::string out = (dir.path() / "out").string();
  const std::string err = (dir.path() / "err").string();
  REQUIRE(mkfifo(out.c_str(), 0600) == 0);
  const int reader = open(out.c_str(), O_RDONLY | O_NONBLOCK);
  const pid_t pid = start(
      {"run", "--", "sh", "-c", "trap 'exit 9' TERM INT; echo ready; while :; do sleep 0.02; done"},
      out, err);
  pollfd ready{reader, POLLIN, 0};
  REQUIRE(poll(&ready, 1, 30'000) == 1);  // the shell has set its trap
  kill(pid, signal);
  CHECK(exit_code(pid) == 9);
  close(reader);
}

// The children of aclsim run are the guard process and the program, or its ranks.
TEST_CASE("run goes on if its guard process is stopped, and says so") {
  const std::string stop_guard =
      "read first rest < /proc/$PPID/task/$PPID/children; kill -STOP $first; ";
  const std::string again = "kill -STOP $first; exit 7";
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"run", "--"}, {"run", "--ranks", "1", "--no-labels", "--"}}) {
    for (const std::string& script : {stop_guard + "exit 7", stop_guard + again}) {
      std::vector<std::string> arguments = options;
      arguments.insert(arguments.end(), {"sh", "-c", script});
      const Result result = aclsim(arguments);
      INFO(script << "\n" << result.err);
      CHECK(result.code == 7);
      CHECK_THAT(result.err, ContainsSubstring("the guard process") &&
                                 ContainsSubstring("was stopped by signal 19; it is continued"));
    }
  }
}

TEST_CASE("run says that its guard process has been killed") {
  const Result result = aclsim({"run", "--", "sh", "-c",
                                "read first rest < /proc/$PPID/task/$PPID/children; "
                                "kill -KILL $first; exit 0"});
  INFO(result.err);
  CHECK(result.code == 0);
  CHECK_THAT(result.err, ContainsSubstring("signal 9 has ended the guard process"));
}

TEST_CASE("a trace that no ACL call has filled is told, and leaves no file") {
  const support::TempDir dir;
  const std::string trace = dir.write("trace.json", "an earlier run");
  const Result result = aclsim({"run", "--timeline", trace, "--", "true"});
  CHECK(result.code == 0);
  CHECK_THAT(result.err, ContainsSubstring("no timeline"));
  CHECK_FALSE(std::filesystem::exists(trace));
}

TEST_CASE("run tells where the trace is and how many device slices it holds") {
  const support::TempDir dir;
  const std::string trace = (dir.path() / "trace.json").string();
  const std::string script =
      R"(printf '[\n{"ph":"X","cat":"device"},\n{"ph":"X","cat":"device"}\n]' > "$ACLSIM_TIMELINE")";
  const Result result = aclsim({"run", "--timeline", trace, "--", "sh", "-c", script});
  CHECK(result.out.empty());
  CHECK(result.err == "aclsim: run: timeline " + trace + ": 2 device slices\n");
}

// ---- the other verbs ----

TEST_CASE("devices prints a row per device that scripts can read") {
  const Variable devices("ACLSIM_DEVICES", "3");
  const Variable visible("ASCEND_RT_VISIBLE_DEVICES", nullptr);
  const Variable config("ACLSIM_CONFIG", nullptr);
  const Result result = aclsim({"devices", "--to", "tsv"});
  CHECK(result.code == 0);
  const std::vector<std::string> lines = lines_of(result.out);
  REQUIRE(lines.size() == 3);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::vector<std::string> fields;
    std::istringstream line(lines[i]);
    for (std::string field; std::getline(line, field, '\t');) fields.push_back(field);
    REQUIRE(fields.size() == 6);
    CHECK(fields[0] == std::to_string(i));
    CHECK(std::stoull(fields[2]) <= std::stoull(fields[3]));
    CHECK(std::stoull(fields[4]) > 0);
    CHECK(fields[5] == "OK");
  }
}

TEST_CASE("devices prints JSON with a square matrix of links") {
  const Variable devices("ACLSIM_DEVICES", "2");
  const Variable visible("ASCEND_RT_VISIBLE_DEVICES", nullptr);
  const auto json = nlohmann::json::parse(aclsim({"devices", "--json"}).out);
  CHECK(json["devices"].size() == 2);
  REQUIRE(json["links"].size() == 2);
  CHECK(json["links"][0][0] == "X");
  CHECK(json["links"][0][1] == json["links"][1][0]);
  CHECK_THAT(aclsim({"devices"}).out, ContainsSubstring("links ("));
}

TEST_CASE("a machine without devices is a machine") {
  const Variable devices("ACLSIM_DEVICES", "0");
  const Result table = aclsim({"devices"});
  CHECK(table.code == 0);
  CHECK_THAT(table.out, ContainsSubstring("no devices"));
  const Result rows = aclsim({"devices", "--to", "tsv"});
  CHECK(rows.code == 0);
  CHECK(rows.out.empty());
}

TEST_CASE("devices says which variable is wrong") {
  const Variable devices("ACLSIM_DEVICES", "lots");
  const Result result = aclsim({"devices"});
  CHECK(result.code == 2);
  CHECK(result.out.empty());
  CHECK_THAT(result.err, ContainsSubstring("ACLSIM_DEVICES"));
}

TEST_CASE("api lists every function once for each of its declarations, and filters them") {
  const auto all = nlohmann::json::parse(aclsim({"api", "--json"}).out);
  CHECK(all.size() > 600);
  std::size_t parts = 0;
  for (const std::string state : {"emulated", "unsupported", "inline"}) {
    const auto part = nlohmann::json::parse(aclsim({"api", "--state", state, "--json"}).out);
    for (const auto& row : part) CHECK(row["state"] == state);
    parts += part.size();
  }
  CHECK(parts == all.size());
  parts = 0;
  for (const std::string interface : {"acl", "hccl", "shmem", "cuda", "aclnn"}) {
    const auto part =
        nlohmann::json::parse(aclsim({"api", "--interface", interface, "--json"}).out);
    for (const auto& row : part) CHECK(row["interface"] == interface);
    CHECK(!part.empty());
    parts += part.size();
  }
  CHECK(parts == all.size());
  const auto core = nlohmann::json::parse(aclsim({"api", "--tier", "T0", "--json"}).out);
  for (const auto& row : core) CHECK(row["tier"] == "T0");
}

TEST_CASE("no function of the core is refused") {
  const Result result = aclsim({"api", "--tier", "T0", "--state", "unsupported", "--json"});
  CHECK(nlohmann::json::parse(result.out).empty());
}

TEST_CASE(
    "of HCCL the table says that all of the first two tiers is there, and nothing of the last") {
  const auto rows = [](const char* tier, const char* state) {
    return nlohmann::json::parse(
        aclsim({"api", "--interface", "hccl", "--tier", tier, "--state", state, "--json"}).out);
  };
  for (const char* const tier : {"T0", "T1"}) CHECK(rows(tier, "unsupported").empty());
  CHECK(rows("T3", "emulated").empty());
  CHECK(rows("T3", "unsupported").size() > 150);
}

TEST_CASE("api prints the table of docs/api.md") {
  const Result result = aclsim({"api", "--to", "markdown"});
  CHECK(result.code == 0);
  CHECK_THAT(result.out, ContainsSubstring("| Header | Tier | Emulated | Inline | Refused |"));
  CHECK_THAT(result.out, ContainsSubstring("</details>"));
}

TEST_CASE("help and version go to stdout, and every verb has an example") {
  CHECK_THAT(aclsim({"--version"}).out, ContainsSubstring("aclsim "));
  CHECK_THAT(aclsim({"--help"}).out, ContainsSubstring("Example"));
  for (const std::string verb : {"run", "devices", "api"}) {
    const Result result = aclsim({verb, "--help"});
    CHECK(result.code == 0);
    CHECK(result.err.empty());
    CHECK_THAT(result.out, ContainsSubstring("Example:\n"));
  }
}

TEST_CASE("an unknown verb, and none at all, end with 2 and the verbs there are") {
  CHECK(aclsim({}).code == 2);
  CHECK_THAT(aclsim({}).err, ContainsSubstring("run, explore, devices, api"));
  CHECK(aclsim({"rum"}).code == 2);
  CHECK(aclsim({"api", "--to", "yaml"}).code == 2);
  CHECK(aclsim({"devices", "--", "true"}).code == 2);
}
