// SPDX-License-Identifier: Apache-2.0
// The configuration file and the environment.
#include <algorithm>

#include "tests/acl/world.h"
#include "tests/support/child.h"
#include "tests/support/temp_dir.h"

using namespace world;
using catch_compat::ContainsSubstring;

namespace {

const support::Environment kNoVariables = {
    {"ACLSIM_CONFIG", ""},   {"ACLSIM_DEVICES", ""},     {"ACLSIM_WORKERS", ""},
    {"ACLSIM_SEED", ""},     {"ACLSIM_SCHEDULE", ""},    {"ACLSIM_TRACE", ""},
    {"ACLSIM_LENIENT", ""},  {"ACLSIM_MEMORY", ""},      {"ACLSIM_HOST_ACCESS", ""},
    {"ACLSIM_TOPOLOGY", ""}, {"ACLSIM_WATCHDOG", ""},    {"ASCEND_RT_VISIBLE_DEVICES", ""},
};

support::ChildResult run(const char* program, const support::Environment& variables) {
  support::Environment all = kNoVariables;
  all.insert(all.end(), variables.begin(), variables.end());
  return support::run_child(program, all);
}

support::ChildResult run_with_file(const char* program, const support::TempDir& dir,
                                   const std::string& text,
                                   const support::Environment& variables = {}) {
  support::Environment all = variables;
  all.emplace_back("ACLSIM_CONFIG", dir.write("machine.toml", text));
  return run(program, all);
}

}  // namespace

// ---- what is refused -------------------------------------------------------------------------------------

// Every call fails with the same code; the text of the first is printed.
CHILD_PROGRAM(call_with_a_bad_configuration) {
  std::uint32_t count = 0;
  CHILD_EXPECT_CODE(aclrtGetDeviceCount(&count), ACL_ERROR_INVALID_PARAM);
  const char* text = aclGetRecentErrMsg();
  CHILD_EXPECT(text != nullptr);
  std::fprintf(stderr, "%s\n", text);
  CHILD_EXPECT_CODE(aclInit(nullptr), ACL_ERROR_INVALID_PARAM);
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_ERROR_INVALID_PARAM);
  aclrtStream stream = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateStream(&stream), ACL_ERROR_INVALID_PARAM);
  aclsimMachine machine{};
  machine.size = sizeof machine;
  CHILD_EXPECT_CODE(aclsimGetMachine(&machine), ACL_ERROR_INVALID_PARAM);
  return 0;
}

TEST_CASE("a mistake in the configuration file is named with file, line and what is allowed") {
  struct Mistake {
    const char* text;
    int line;
    std::vector<const char*> named;
  };
  const auto mistake = GENERATE(
      Mistake{"[machine]\ndevcies = 4\n", 2, {"devcies", "machine.devices"}},
      Mistake{"[machin]\ndevices = 4\n", 2, {"machin", "machine.devices"}},
      Mistake{"[machine]\nworkers = 2\nschedule = \"random\"\n", 3, {"random", "threads", "seeded"}},
      Mistake{"\n\n[machine]\ndevices = \"many\"\n", 4, {"devices", "many"}},
      Mistake{"[machine]\ndevices = -1\n", 2, {"devices", "-1"}},
      Mistake{"[machine]\nmemory = \"big\"\n", 2, {"memory", "big", "GiB"}},
      Mistake{"[machine]\nhost_access = \"shut\"\n", 2, {"shut", "open", "guard"}},
      Mistake{"[machine]\ntopology = \"ring\"\n", 2, {"ring", "all-to-all", "two-groups"}},
      Mistake{"[machine]\nworkers = 0\n", 2, {"workers"}},
      Mistake{"[limits]\nstreams = 0\n", 2, {"streams"}},
      Mistake{"[link.hccs]\nlatency_ns = \"fast\"\n", 2, {"latency_ns", "fast"}},
      Mistake{"[machine]\ndevices = [1, 2]\n", 2, {"devices"}},
      Mistake{"[machine\ndevices = 4\n", 1, {}});
  CAPTURE(mistake.text);
  const support::TempDir dir;
  const auto child = run_with_file("call_with_a_bad_configuration", dir, mistake.text);
  INFO(child.output);
  CHECK(child.clean());
  CHECK_THAT(child.output, ContainsSubstring("machine.toml:" + std::to_string(mistake.line)));
  for (const char* word : mistake.named) CHECK_THAT(child.output, ContainsSubstring(word));
}

TEST_CASE("a configuration file that is not there is named") {
  const auto child =
      run("call_with_a_bad_configuration", {{"ACLSIM_CONFIG", "/nonexistent/machine.toml"}});
  INFO(child.output);
  CHECK(child.clean());
  CHECK_THAT(child.output, ContainsSubstring("/nonexistent/machine.toml"));
}

TEST_CASE("a mistake in the environment is named with what is allowed") {
  struct Mistake {
    const char* variable;
    const char* value;
    std::vector<const char*> named;
  };
  const auto mistake =
      GENERATE(Mistake{"ACLSIM_DEVICES", "banana", {"number"}},
               Mistake{"ACLSIM_DEVICES", "8 ", {"number"}},
               Mistake{"ACLSIM_WORKERS", "0", {"number"}},
               Mistake{"ACLSIM_SEED", "x", {"number"}},
               Mistake{"ACLSIM_SCHEDULE", "random", {"threads", "seeded"}},
               Mistake{"ACLSIM_MEMORY", "lots", {"GiB"}},
               Mistake{"ACLSIM_HOST_ACCESS", "shut", {"open", "guard"}},
               Mistake{"ACLSIM_TOPOLOGY", "ring", {"all-to-all", "two-groups"}},
               Mistake{"ACLSIM_WATCHDOG", "soon", {"number"}},
               Mistake{"ACLSIM_LENIENT", "maybe", {}});
  CAPTURE(mistake.variable, mistake.value);
  const auto child =
      run("call_with_a_bad_configuration", {{mistake.variable, mistake.value}});
  INFO(child.output);
  CHECK(child.clean());
  CHECK_THAT(child.output, ContainsSubstring(mistake.variable));
  CHECK_THAT(child.output, ContainsSubstring(mistake.value));
  for (const char* word : mistake.named) CHECK_THAT(child.output, ContainsSubstring(word));
}

// ---- what counts -----------------------------------------------------------------------------------------

CHILD_PROGRAM(print_the_machine) {
  aclsimMachine machine{};
  machine.size = sizeof machine;
  CHILD_EXPECT_CODE(aclsimGetMachine(&machine), ACL_SUCCESS);
  std::printf("devices=%u workers=%u memory=%llu seeded=%u guarded=%u seed=%llu topology=%s\n",
              machine.devices, machine.workersPerDevice,
              static_cast<unsigned long long>(machine.memoryBytes), machine.seeded, machine.guarded,
              static_cast<unsigned long long>(machine.seed), machine.topology);
  return 0;
}

TEST_CASE("the machine is what the file says") {
  const support::TempDir dir;
  const auto child = run_with_file("print_the_machine", dir,
                                   "[machine]\ndevices = 3\nmemory = \"256MiB\"\nworkers = 5\n"
                                   "seed = 42\nschedule = \"seeded\"\nhost_access = \"guard\"\n"
                                   "topology = \"two-groups\"\n"
                                   "[limits]\nstreams = 10\nevents = 10\npeers = 2\n"
                                   "[link.hccs]\nlatency_ns = 500\nbandwidth = 1e9\n");
  CHECK(child.clean());
  CHECK(child.output ==
        "devices=3 workers=5 memory=268435456 seeded=1 guarded=1 seed=42 topology=two-groups\n");
}

TEST_CASE("memory may be given in bytes") {
  const support::TempDir dir;
  const auto child = run_with_file("print_the_machine", dir, "[machine]\nmemory = 134217728\n");
  CHECK(child.clean());
  CHECK_THAT(child.output, ContainsSubstring("memory=134217728 "));
}

TEST_CASE("an empty file is a working machine") {
  const support::TempDir dir;
  const auto child = run_with_file("print_the_machine", dir, "");
  CHECK(child.clean());
  CHECK_THAT(child.output, ContainsSubstring("devices=8 "));
  CHECK_THAT(child.output, ContainsSubstring("seeded=0 guarded=0"));
}

TEST_CASE("the environment wins over the file") {
  const support::TempDir dir;
  const auto child = run_with_file(
      "print_the_machine", dir,
      "[machine]\ndevices = 3\nmemory = \"256MiB\"\nworkers = 5\nseed = 42\n"
      "schedule = \"seeded\"\nhost_access = \"guard\"\ntopology = \"two-groups\"\n",
      {{"ACLSIM_DEVICES", "2"},
       {"ACLSIM_MEMORY", "1GiB"},
       {"ACLSIM_WORKERS", "1"},
       {"ACLSIM_SEED", "7"},
       {"ACLSIM_SCHEDULE", "threads"},
       {"ACLSIM_HOST_ACCESS", "open"},
       {"ACLSIM_TOPOLOGY", "all-to-all"}});
  CHECK(child.clean());
  CHECK(child.output ==
        "devices=2 workers=1 memory=1073741824 seeded=0 guarded=0 seed=7 topology=all-to-all\n");
}

// ---- a seed ----------------------------------------------------------------------------------------------

// Prints the order in which the tasks of several streams ran.
CHILD_PROGRAM(print_an_order) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  std::vector<aclrtStream> streams(5);
  std::string order;
  std::mutex mutex;
  for (aclrtStream& stream : streams) CHILD_EXPECT_CODE(aclrtCreateStream(&stream), ACL_SUCCESS);
  for (int i = 0; i < 60; ++i) {
    const int s = i % 5;
    CHILD_EXPECT_CODE(try_launch(streams[static_cast<std::size_t>(s)],
                                 [&, s] {
                                   const std::lock_guard guard(mutex);
                                   order += static_cast<char>('a' + s);
                                 }),
                      ACL_SUCCESS);
  }
  CHILD_EXPECT_CODE(aclrtSynchronizeDevice(), ACL_SUCCESS);
  std::puts(order.c_str());
  return 0;
}

TEST_CASE("the same seed gives the same order, another seed another") {
  const auto order_of = [](const char* seed) {
    const auto child =
        run("print_an_order", {{"ACLSIM_SCHEDULE", "seeded"}, {"ACLSIM_SEED", seed}});
    CHECK(child.clean());
    return child.output;
  };
  const std::string first = order_of("11");
  CHECK(first.size() == 61);
  CHECK(order_of("11") == first);
  CHECK((order_of("12") != first || order_of("13") != first));
}

// ---- a trace ---------------------------------------------------------------------------------------------

CHILD_PROGRAM(be_traced) {
  CHILD_EXPECT_CODE(aclrtSetDevice(1), ACL_SUCCESS);
  aclrtStream first = nullptr;
  aclrtStream second = nullptr;
  aclrtEvent event = nullptr;
  void* memory = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateStream(&first), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtCreateStream(&second), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtCreateEvent(&event), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtMemsetAsync(memory, 4096, 0, 4096, first), ACL_SUCCESS);
  CHILD_EXPECT_CODE(try_launch(first, [] {}, "my_\"first\"_kernel"), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtRecordEvent(event, first), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtStreamWaitEvent(second, event), ACL_SUCCESS);
  CHILD_EXPECT_CODE(try_launch(second, [] {}, "my_second_kernel"), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeDevice(), ACL_SUCCESS);
  return 0;
}

TEST_CASE("a trace of a run is written though the program never finalizes") {
  const support::TempDir dir;
  const auto child =
      support::run_child("be_traced", {{"ACLSIM_TRACE", (dir.path() / "out.json").string()}});
  INFO(child.output);
  CHECK(child.clean());
  const std::string trace = dir.read("out.json");
  REQUIRE_FALSE(trace.empty());
  const auto last = trace.find_last_not_of(" \n");
  CHECK((trace[0] == '{' || trace[0] == '['));
  CHECK((trace[last] == '}' || trace[last] == ']'));
  CHECK(std::count(trace.begin(), trace.end(), '{') == std::count(trace.begin(), trace.end(), '}'));
  CHECK_THAT(trace, ContainsSubstring("my_\\\"first\\\"_kernel"));
  CHECK_THAT(trace, ContainsSubstring("my_second_kernel"));
  CHECK_THAT(trace, ContainsSubstring("\"ph\""));
  CHECK_THAT(trace, ContainsSubstring("aclrtStreamWaitEvent"));
}

TEST_CASE("a trace that cannot be written harms no program") {
  const auto child =
      support::run_child("be_traced", {{"ACLSIM_TRACE", "/nonexistent/folder/out.json"}});
  INFO(child.output);
  CHECK(child.clean());
  CHECK_THAT(child.output, ContainsSubstring("/nonexistent/folder/out.json"));
}

// ---- leniency --------------------------------------------------------------------------------------------

CHILD_PROGRAM(do_what_strict_rules_refuse) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtStream first = nullptr;
  aclrtStream second = nullptr;
  aclrtEvent stamp = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateStream(&first), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtCreateStream(&second), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtCreateEventWithFlag(&stamp, ACL_EVENT_TIME_LINE), ACL_SUCCESS);
  int value = 0;
  int seen = 0;
  static std::atomic<int> calls{0};
  CHILD_EXPECT_CODE(try_launch(first,
                               [&] {
                                 std::this_thread::sleep_for(2ms);
                                 value = 5;
                               }),
                    ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtRecordEvent(stamp, first), ACL_SUCCESS);
  for (int i = 0; i < 3; ++i) CHILD_EXPECT_CODE(aclrtStreamWaitEvent(second, stamp), ACL_SUCCESS);
  CHILD_EXPECT_CODE(try_launch(second, [&] { seen = value; }), ACL_SUCCESS);
  for (int i = 0; i < 3; ++i) {
    CHILD_EXPECT_CODE(
        aclrtLaunchCallback([](void*) { ++calls; }, nullptr, ACL_CALLBACK_BLOCK, second),
        ACL_SUCCESS);
  }
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(second), ACL_SUCCESS);
  CHILD_EXPECT(seen == 5);
  CHILD_EXPECT(calls == 3);
  return 0;
}

TEST_CASE("a lenient runtime lets programs do what real ones do, and warns once of each") {
  const auto child = support::run_child("do_what_strict_rules_refuse", {{"ACLSIM_LENIENT", "1"}});
  INFO(child.output);
  CHECK(child.clean());
  CHECK_THAT(child.output, ContainsSubstring("lenient"));
  CHECK_THAT(child.output, ContainsSubstring("event"));
  CHECK_THAT(child.output, ContainsSubstring("aclrtLaunchCallback"));
  const auto lines = std::count(child.output.begin(), child.output.end(), '\n');
  CHECK(lines >= 2);
  CHECK(lines <= 4);
}
