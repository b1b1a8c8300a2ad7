// SPDX-License-Identifier: Apache-2.0
// Every verb if its output cannot be written: a full disk, a pipe without a reader, a limit of the
// size of files.
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"
#include "tests/support/waiting.h"

#if defined(ACLSIM_EXE) && defined(ACLSIM_GUEST_DIR)

namespace {

using catch_compat::ContainsSubstring;

struct Lost {
  int code = -1;
  int signal = 0;
  std::string text;  // standard error
};

/// The shell runs it with `out` as standard output, and limits the size of every file to
/// `file_limit`.
Lost run_into(const std::string& command, int out, rlim_t file_limit = RLIM_INFINITY) {
  int err[2];
  REQUIRE(pipe2(err, O_CLOEXEC) == 0);
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(out, STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    const rlimit limit{file_limit, file_limit};
    if (file_limit != RLIM_INFINITY) setrlimit(RLIMIT_FSIZE, &limit);
    const std::string line = "exec timeout -k 1 60 " + command;
    execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
    _exit(126);
  }
  close(err[1]);
  Lost answer;
  char piece[4096];
  for (ssize_t got; (got = read(err[0], piece, sizeof piece)) > 0;) {
    answer.text.append(piece, static_cast<std::size_t>(got));
  }
  close(err[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  answer.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return answer;
}

/// The command must fail, and print which output failed and why, in its own words.
void require_told(const Lost& answer, const std::string& what, const std::string& why) {
  CHECK(answer.signal == 0);
  CHECK((answer.code > 0 && answer.code < 64));
  CHECK_THAT(answer.text, ContainsSubstring(what));
  CHECK_THAT(answer.text, ContainsSubstring(why));
  for (const char* raw : {"cannot write to file", "terminate", "what()", "basic_", "exception",
                          "made no ACL call", "std::"}) {
    CHECK_THAT(answer.text, !ContainsSubstring(raw));
  }
}

/// Inputs for all verbs.
struct Inputs {
  support::TempDir dir;
  std::string tool = "'" ACLSIM_EXE "' ";
  std::string guest = " -- '" ACLSIM_GUEST_DIR "/race_and_end' ";
  std::string trace = path("t.aclt.jsonl"), report = path("r.json"), topology = path("topo.json");

  Inputs() {
    const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    REQUIRE(run_into(tool + "gen ring --ops 400 -o " + trace, null).code == 0);
    REQUIRE(run_into(tool + "replay " + trace + " --report " + report, null).code == 0);
    REQUIRE(run_into(tool + "topo -o " + topology, null).code == 0);
    close(null);
  }
  std::string path(const std::string& name) const { return (dir.path() / name).string(); }

  /// Commands that print to standard output.
  std::vector<std::string> talk() const {
    return {"devices",
            "devices --json",
            "api",
            "api --json",
            "api --format markdown",
            "info " + trace,
            "info --json " + trace,
            "convert " + trace + " -o -",
            "gen ring",
            "check " + trace,
            "check --json " + trace,
            "replay " + trace,
            "replay --json " + trace,
            "plot " + trace + " --ascii",
            "plot " + trace + " --to svg -o -",
            "topo " + topology,
            "topo " + topology + " -o -",
            "diff " + trace + " " + trace,
            "diff --json " + trace + " " + trace,
            "report " + report,
            "report " + report + " -o -",
            "completion bash",
            "--help",
            "--version",
            "run --help",
            "explore --runs 2 --jobs 1 -- true"};
  }
  /// Commands that write to a file, whose name is to be appended. Standard output is not
  /// redirected.
  std::vector<std::string> writers() const {
    return {"convert " + trace + " -o ",        "gen ring --ops 400 -o ",
            "plot " + trace + " --to html -o ", "plot " + trace + " --to svg -o ",
            "replay " + trace + " --report ",   "replay " + trace + " --timeline ",
            "replay " + trace + " --html ",     "report " + report + " -o ",
            "topo " + topology + " -o "};
  }
};

int nobody_reads() {
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  close(ends[0]);
  return ends[1];
}

}  // namespace

TEST_CASE("a verb that cannot write its standard output says so and fails", "[lost]") {
  const Inputs inputs;
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  const int closed = nobody_reads();
  for (const std::string& verb : inputs.talk()) {
    const Lost disk = run_into(inputs.tool + verb, full);
    INFO(verb << "\n" << disk.text);
    require_told(disk, "the standard output", "(No space left on device)");
    const Lost pipe = run_into(inputs.tool + verb, closed);
    INFO(pipe.text);
    require_told(pipe, "the standard output", "(Broken pipe)");
  }
  close(full);
  close(closed);
}

TEST_CASE("a verb that cannot complete a file names it and the reason, and fails", "[lost]") {
  const Inputs inputs;
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  const int closed = nobody_reads();
  for (const std::string& verb : inputs.writers()) {
    const Lost disk = run_into(inputs.tool + verb + "/dev/full", null);
    INFO(verb << "\n" << disk.text);
    require_told(disk, "/dev/full", "(No space left on device)");
    const std::string file = inputs.path("limited");
    const Lost limit = run_into(inputs.tool + verb + file, null, 100);
    INFO(limit.text);
    require_told(limit, file, "(File too large)");
    CHECK(access(file.c_str(), F_OK) != 0);  // written completely or not at all
  }
  const Lost findings =
      run_into(inputs.tool + "check " + inputs.trace + " --report /dev/stdout", closed);
  INFO(findings.text);
  require_told(findings, "/dev/stdout", "(Broken pipe)");
  const Lost replayed =
      run_into(inputs.tool + "replay " + inputs.trace + " --report /dev/full >&2", null);
  require_told(replayed, "/dev/full", "(No space left on device)");
  CHECK(replayed.text.find("wrote") == std::string::npos);
  const Lost pages = run_into(inputs.tool + "man-pages " + inputs.dir.path().string(), null, 100);
  INFO(pages.text);
  require_told(pages, "aclsim.1 cannot be written", "(File too large)");
  close(null);
  close(closed);
}

TEST_CASE("run says which of the program's files is not complete, and fails", "[lost]") {
  const Inputs inputs;
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  const std::string json = inputs.path("full.json"), packed = inputs.path("full.aclt.jsonl.gz");
  REQUIRE(symlink("/dev/full", json.c_str()) == 0);
  struct Row {
    std::string options, file;
  };
  for (const Row& row :
       {Row{"--timeline /dev/full", "/dev/full"}, Row{"--record /dev/full", "/dev/full"},
        Row{"--check --report " + json, json}, Row{"--check --timeline /dev/full", "/dev/full"},
        Row{"--check --quiet --record /dev/full", "/dev/full"}}) {
    const Lost answer = run_into(inputs.tool + "run " + row.options + inputs.guest + "'' ok", null);
    INFO(row.options << "\n" << answer.text);
    require_told(answer, row.file, "No space left on device");
    CHECK_THAT(answer.text, ContainsSubstring("aclsim: run: not complete: " + row.file));
    CHECK(answer.code == 1);
  }
  const Lost own =
      run_into(inputs.tool + "run --timeline /dev/full" + inputs.guest + "_exit5", null);
  CHECK(own.code == 5);  // the program's own code
  const Lost decisions = run_into(
      "env ACLSIM_DECISIONS=/dev/full " + inputs.tool + "run --seed 1" + inputs.guest, null);
  INFO(decisions.text);
  require_told(decisions, "/dev/full", "No space left on device");
  close(null);
}

TEST_CASE("a timeline that lost everything is told as lost, not as one of no call", "[lost]") {
  const Inputs inputs;
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  const int sealed = memfd_create("timeline", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  REQUIRE(fcntl(sealed, F_ADD_SEALS, F_SEAL_GROW) == 0);  // the file can be opened but not grow
  const std::string path = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(sealed);
  const Lost answer =
      run_into(inputs.tool + "run --timeline " + path + inputs.guest + "'' ok", null);
  INFO(answer.text);
  require_told(answer, "run: not complete: " + path, "Operation not permitted");
  CHECK_THAT(answer.text, !ContainsSubstring("no timeline"));
  CHECK(answer.code == 1);
  close(sealed);
  close(null);
}

TEST_CASE("signals that come while a recording is packed do not leave it half", "[lost]") {
  const Inputs inputs;
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  const std::string packed = inputs.path("x.aclt.jsonl.gz"), go = inputs.path("go");
  // The program replaces the file by a pipe, so that compression blocks until the pipe is read.
  const std::string program = "mkfifo " + packed +
                              "; head -c 1000000 /dev/urandom >$ACLSIM_RECORD; "
                              "while [ ! -e " +
                              go + " ]; do sleep 0.02; done";
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(null, STDERR_FILENO);
    execl(ACLSIM_EXE, "aclsim", "run", "--record", packed.c_str(), "--", "sh", "-c",
          program.c_str(), nullptr);
    _exit(126);
  }
  const auto is_pipe = [&] { return std::filesystem::is_fifo(packed); };
  REQUIRE(support::eventually(is_pipe));
  const int reader = open(packed.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  REQUIRE(reader >= 0);
  std::ofstream(go) << "go\n";
  pollfd begun{reader, POLLIN, 0};
  REQUIRE(poll(&begun, 1, 60'000) == 1);
  for (int i = 0; i < 2; ++i) kill(pid, SIGTERM);
  fcntl(reader, F_SETFL, 0);
  std::string bytes;
  char piece[4096];
  for (ssize_t got; (got = read(reader, piece, sizeof piece)) > 0;) {
    bytes.append(piece, static_cast<std::size_t>(got));
  }
  close(reader);
  int status = 0;
  REQUIRE(waitpid(pid, &status, 0) == pid);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  const std::string whole = inputs.path("whole.gz");
  std::ofstream(whole, std::ios::binary) << bytes;
  CHECK(run_into("gzip -t " + whole, null).code == 0);
  close(null);
}

TEST_CASE("a closed standard output is one that cannot be written, whatever is opened later",
          "[lost]") {
  const Inputs inputs;
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  for (const std::string& verb :
       {std::string("info ") + inputs.trace, std::string("devices"),
        std::string("check ") + inputs.trace, std::string("explore --runs 2 --jobs 1 -- true")}) {
    const Lost answer = run_into(inputs.tool + verb + " >&-", null);
    INFO(verb << "\n" << answer.text);
    require_told(answer, "the standard output", "(Bad file descriptor)");
  }
  const Lost named =
      run_into(inputs.tool + "run --timeline /dev/stdout" + inputs.guest + " >&-", null);
  INFO(named.text);
  require_told(named, "run: not complete: /dev/stdout", "");
  close(null);
}

TEST_CASE("what a verb says on standard error is not lost in silence", "[lost]") {
  const Inputs inputs;
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  const std::string check = "run --check ", guest = inputs.guest;
  const std::string timeline = inputs.path("line.json");
  for (const std::string& verb :
       {check + guest + "'' ok",              // a note, and the last line
        check + "--quiet" + guest + "'' ok",  // the last line only
        "run --timeline " + timeline + guest + "'' ok", "check " + inputs.trace}) {
    INFO(verb);
    const Lost read = run_into(inputs.tool + verb, null);
    INFO(read.text);
    REQUIRE(read.code == 0);
    REQUIRE(!read.text.empty());
    for (const char* lost : {" 2>/dev/full", " 2>&-"}) {
      INFO(lost);
      CHECK(run_into(inputs.tool + verb + lost, null).code == 1);
    }
  }
  // These commands print nothing to that stream.
  for (const std::string& verb : {"info " + inputs.trace, std::string("devices")}) {
    INFO(verb);
    CHECK(run_into(inputs.tool + verb + " 2>/dev/full", null).code == 0);
  }
  close(null);
}

TEST_CASE("findings that only the program's standard error loses make run fail", "[lost]") {
  const Inputs inputs;
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  for (const std::string& to : {std::string("2>/dev/full"), std::string("2>&-")}) {
    const std::string shell = inputs.tool + "run --check -- sh -c \"";
    const Lost answer =
        run_into(shell + "exec '" ACLSIM_GUEST_DIR "/race_and_end' '' ok " + to + "\"", null);
    INFO(answer.text);
    CHECK(answer.code == 1);
    CHECK_THAT(answer.text, ContainsSubstring("run: not complete: findings on standard error: "));
    // Lost output of the program itself does not make run fail.
    const Lost own = run_into(shell + "echo lost " + to + " >&2; true\"", null);
    INFO(own.text);
    CHECK(own.code == 0);
  }
  close(null);
}

TEST_CASE("ranks whose labelled output cannot be written go on, and run fails", "[lost]") {
  const Inputs inputs;
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  const int closed = nobody_reads();
  const std::string mark = inputs.path("mark");
  const std::string job = "run --ranks 2 -- sh -c 'echo result; touch " + mark + "$RANK_ID'";
  const Lost disk = run_into(inputs.tool + job, full);
  INFO(disk.text);
  require_told(disk, "run: not complete: the output of the ranks", "(No space left on device)");
  CHECK(disk.code == 1);
  CHECK(access((mark + "0").c_str(), F_OK) == 0);
  CHECK(access((mark + "1").c_str(), F_OK) == 0);
  const Lost pipe = run_into(inputs.tool + job, closed);
  INFO(pipe.text);
  require_told(pipe, "run: not complete: the output of the ranks", "(Broken pipe)");
  const Lost own = run_into(inputs.tool + "run --ranks 2 -- sh -c 'echo result; exit 5'", full);
  CHECK(own.code == 5);  // the code of a rank
  close(full);
  close(closed);
}

TEST_CASE("a compressed recording leaves a file of its plain name alone", "[lost]") {
  const Inputs inputs;
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  const std::string plain = inputs.path("kept.aclt.jsonl");
  std::ofstream(plain) << "not a trace\n";
  const Lost answer = run_into(inputs.tool + "run --record " + plain + ".gz" + inputs.guest, null);
  INFO(answer.text);
  CHECK(answer.code == 0);
  CHECK_THAT(answer.text, ContainsSubstring("recording " + plain + ".gz: "));
  std::string text;
  std::getline(std::ifstream(plain), text);
  CHECK(text == "not a trace");
  namespace fs = std::filesystem;
  CHECK(fs::file_size(plain + ".gz") > 0);
  for (const auto& entry : fs::directory_iterator(fs::path(plain).parent_path())) {
    CHECK(entry.path().filename().string().front() != '.');
  }
  close(null);
}

TEST_CASE("a program whose trace nobody reads any more goes on, and run fails", "[lost]") {
  const Inputs inputs;
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  for (const char* option : {"--timeline ", "--record "}) {
    const std::string fifo = inputs.path("fifo");
    REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
    const int reader = open(fifo.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    REQUIRE(reader >= 0);
    fcntl(reader, F_SETPIPE_SZ, 4096);  // less than the trace
    fcntl(reader, F_SETFL, 0);
    std::thread goes_away([&] {
      char first = 0;
      while (read(reader, &first, 1) == 0) std::this_thread::yield();  // the pipe has no writer yet
      close(reader);
    });
    const Lost answer =
        run_into(inputs.tool + "run " + option + fifo + inputs.guest + "many ok", null);
    goes_away.join();
    INFO(option << "\n" << answer.text);
    require_told(answer, fifo, "Broken pipe");
    CHECK(answer.code == 1);
    unlink(fifo.c_str());
  }
  close(null);
}

#endif
