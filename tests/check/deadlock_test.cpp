// SPDX-License-Identifier: Apache-2.0
// Waits on a value whose value comes from another host thread, and those where no thread is left
// that could write it.
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>

#include "tests/check/cases.h"
#include "tests/support/child.h"
#include "tests/support/temp_dir.h"

using namespace check;

namespace {

/// The object that a stream waits for, and the act that may end the wait.
struct Wait {
  const char* name;
  std::function<void(aclrtStream)> begin;
  std::function<aclError(aclrtStream)> end;  // in another thread, which may not assert
};

/// A word, a notify and a flag, for the waits on a value that there are.
struct Values : Desk {
  world::DeviceMemory word{64};
  aclrtNotify notify = nullptr;
  aclrtCntNotify counter = nullptr;
  world::Event flag = world::Event::old(ACL_EVENT_SYNC);
  static constexpr std::uint64_t kOne = 1;

  Values() {
    REQUIRE_ACL(aclrtMemset(word, 64, 0, 64));
    REQUIRE_ACL(aclrtCreateNotify(&notify, 0));
    REQUIRE_ACL(aclrtCntNotifyCreate(&counter, 0));
  }
  ~Values() {
    aclrtDestroyNotify(notify);
    aclrtCntNotifyDestroy(counter);
  }

  void wait_for_word(aclrtStream stream) const {
    REQUIRE_ACL(aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_GEQ, stream));
  }
  std::vector<Wait> waits() {
    const auto for_word = [this](aclrtStream stream) { wait_for_word(stream); };
    return {
        {"a value that a task writes", for_word,
         [this](aclrtStream stream) { return aclrtValueWrite(word, 1, 0, stream); }},
        {"a value that the host copies", for_word,
         [this](aclrtStream) { return aclrtMemcpy(word, 8, &kOne, 8, ACL_MEMCPY_HOST_TO_DEVICE); }},
        {"a value that a task copies", for_word,
         [this](aclrtStream stream) {
           return aclrtMemcpyAsync(word, 8, in, 8, ACL_MEMCPY_HOST_TO_DEVICE, stream);
         }},
        {"a notify",
         [this](aclrtStream stream) { REQUIRE_ACL(aclrtWaitAndResetNotify(notify, stream, 0)); },
         [this](aclrtStream stream) { return aclrtRecordNotify(notify, stream); }},
        {"a count notify",
         [this](aclrtStream stream) {
           aclrtCntNotifyWaitInfo info{};
           info.mode = ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE;
           info.value = 1;
           REQUIRE_ACL(aclrtCntNotifyWaitWithTimeout(counter, stream, &info));
         },
         [this](aclrtStream stream) {
           aclrtCntNotifyRecordInfo info{};
           info.mode = ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE;
           info.value = 1;
           return aclrtCntNotifyRecord(counter, stream, &info);
         }},
        {"a flag", [this](aclrtStream stream) { wait(stream, flag); },
         [this](aclrtStream stream) { return aclrtRecordEvent(flag, stream); }},
    };
  }
};

/// How a host thread waits for a stream that waits.
struct Way {
  const char* name;
  bool blocks;  // in one call; else in several calls, and it counts the calls that were in vain
  std::function<void(const Desk&, aclrtEvent, std::atomic<int>& in_vain)> wait;
};

const std::vector<Way>& ways() {
  using Count = std::atomic<int>;
  static const std::vector<Way> all = {
      {"stream", true, [](const Desk& desk, aclrtEvent, Count&) { join(desk.a); }},
      {"event", true,
       [](const Desk&, aclrtEvent event, Count&) { REQUIRE_ACL(aclrtSynchronizeEvent(event)); }},
      {"device", true,
       [](const Desk&, aclrtEvent, Count&) { REQUIRE_ACL(aclrtSynchronizeDevice()); }},
      {"stream, with a limit", false,
       [](const Desk& desk, aclrtEvent, Count& in_vain) {
         while (aclrtSynchronizeStreamWithTimeout(desk.a, 5) != ACL_SUCCESS) ++in_vain;
       }},
      {"event, with a limit", false,
       [](const Desk&, aclrtEvent event, Count& in_vain) {
         while (aclrtSynchronizeEventWithTimeout(event, 5) != ACL_SUCCESS) ++in_vain;
       }},
      {"query", false,
       [](const Desk& desk, aclrtEvent, Count& in_vain) {
         auto status = ACL_STREAM_STATUS_RESERVED;
         while (aclrtStreamQuery(desk.a, &status) == ACL_SUCCESS &&
                status != ACL_STREAM_STATUS_COMPLETE)
           ++in_vain;
       }},
  };
  return all;
}

}  // namespace

TEST_CASE("a wait that another host thread ends later is no deadlock") {
  Values desk;
  std::memset(desk.in, 0, kSize);
  *desk.in.as<std::uint64_t>() = 1;
  const auto waits = desk.waits();
  const Wait& value = waits[GENERATE(range(0, 6))];
  const Way& way = ways()[GENERATE(range(0, 6))];
  const bool called_before = GENERATE(true, false);
  CAPTURE(value.name, way.name, called_before);
  const auto event = world::Event::ex();
  const aclrtContext context = this_context();
  const world::Caller caller;
  std::atomic<bool> ready{false};
  std::atomic<int> in_vain{0};
  CHECK(told("ACL003", [&] {
          value.begin(desk.a);
          fill(desk.a, desk.x);
          record(event, desk.a);
          aclError began = ACL_SUCCESS, entered = ACL_SUCCESS, ended = ACL_SUCCESS;
          std::jthread writer([&] {
            if (called_before) began = aclrtSetCurrentContext(context);
            ready = true;
            if (way.blocks) caller.await_blocked();
            world::eventually([&] { return way.blocks || in_vain > 1; });
            entered = aclrtSetCurrentContext(context);
            ended = value.end(desk.b);
          });
          world::eventually([&] { return ready.load(); });
          way.wait(desk, event, in_vain);
          writer.join();
          for (const aclError code : {began, entered, ended}) REQUIRE_ACL(code);
          // The order that the wait has made remains.
          REQUIRE_ACL(aclrtMemcpy(desk.out, kSize, desk.x, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
        }) == 0);
  CHECK(found_from("warning") == 0);
  join(desk.a);
  join(desk.b);
}

// ---- when no thread is left ----

namespace {

void say(const char* line) {
  std::puts(line);
  std::fflush(stdout);
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The objects of a program that hangs, without assertions of tests: it is a process of its own.
struct Hanging {
  aclrtContext context = nullptr;
  aclrtStream a = nullptr, b = nullptr;
  aclrtEvent event = nullptr;
  aclrtNotify first = nullptr, second = nullptr;
  void* word = nullptr;
  const world::Caller main;

  Hanging() {
    CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
    aclrtGetCurrentContext(&context);
    for (aclrtStream* stream : {&a, &b}) aclrtCreateStream(stream);
    for (aclrtNotify* notify : {&first, &second}) aclrtCreateNotify(notify, 0);
    aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC);
    aclrtMalloc(&word, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemset(word, 64, 0, 64);
  }
  void wait_for_word(aclrtStream stream) const {
    CHILD_EXPECT_CODE(aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_GEQ, stream), ACL_SUCCESS);
  }
  void serve() const {
    aclrtSubscribeReport(world::this_thread_id(), b);
    aclrtProcessReport(-1);
  }
};

/// By what the program has beside the thread that waits.
struct Hang {
  const char* name;
  int findings;
  const char* level;
  void (*program)(Hanging&);
};

const Hang kHangs[] = {
    {"nothing", 1, "warning",
     [](Hanging& of) {
       of.wait_for_word(of.a);
       aclrtSynchronizeStream(of.a);
     }},
    {"nothing, and it waits for an event", 1, "warning",
     [](Hanging& of) {
       of.wait_for_word(of.a);
       aclrtRecordEvent(of.event, of.a);
       aclrtSynchronizeEvent(of.event);
     }},
    {"nothing, and it destroys the stream", 1, "warning",
     [](Hanging& of) {
       of.wait_for_word(of.a);
       aclrtDestroyStream(of.a);
     }},
    {"another thread that waits", 2, "warning",
     [](Hanging& of) {
       of.wait_for_word(of.a);
       aclrtWaitAndResetNotify(of.first, of.b, 0);
       std::jthread other([&] {
         aclrtSetCurrentContext(of.context);
         of.main.await_blocked();
         aclrtSynchronizeStream(of.b);
       });
       aclrtSynchronizeStream(of.a);
     }},
    {"another thread that waits in the same cycle", 2, "error",
     [](Hanging& of) {
       aclrtWaitAndResetNotify(of.first, of.a, 0);
       aclrtRecordNotify(of.second, of.a);
       aclrtWaitAndResetNotify(of.second, of.b, 0);
       aclrtRecordNotify(of.first, of.b);
       std::jthread other([&] {
         aclrtSetCurrentContext(of.context);
         of.main.await_blocked();
         aclrtSynchronizeDevice();
       });
       aclrtSynchronizeStream(of.a);
     }},
    {"another thread that has ended", 1, "warning",
     [](Hanging& of) {
       std::jthread([&] {
         aclrtSetCurrentContext(of.context);
         of.wait_for_word(of.a);
       }).join();
       aclrtSynchronizeStream(of.a);
     }},
    {"another thread that ends later", 1, "warning",
     [](Hanging& of) {
       of.wait_for_word(of.a);
       std::jthread other([&] {
         aclrtSetCurrentContext(of.context);
         of.main.await_blocked();
       });
       aclrtSynchronizeStream(of.a);
     }},
    {"another thread that serves callbacks", 1, "warning",
     [](Hanging& of) {
       of.wait_for_word(of.a);
       std::jthread other([&] {
         aclrtSetCurrentContext(of.context);
         of.serve();
       });
       aclrtSynchronizeStream(of.a);
     }},
    {"a thread that calls nothing, up to its end", 1, "warning",
     [](Hanging& of) {
       of.wait_for_word(of.a);
       std::jthread other([&] {
         of.main.await_blocked();
         say("blocked");
         while (std::getchar() != '\n') {
         }
       });
       aclrtSynchronizeStream(of.a);
     }},
};

}  // namespace

CHILD_PROGRAM(hang) {
  Hanging of;
  for (const Hang& hang : kHangs) {
    if (support::environment_variable("ACLSIM_TEST_HANG") == hang.name) hang.program(of);
  }
  return 0;
}

TEST_CASE("a wait for a value is a deadlock when every thread waits or has ended") {
  const Hang& hang = kHangs[GENERATE(range(0, 9))];
  CAPTURE(hang.name);
  const support::TempDir folder;
  const std::string report = (folder.path() / "report.txt").string();
  support::RunningChild child("hang", {{"ACLSIM_CHECK", "1"},
                                       {"ACLSIM_CHECK_QUIET", "1"},
                                       {"ACLSIM_CHECK_REPORT", report},
                                       {"ACLSIM_TEST_HANG", hang.name}});
  if (std::string(hang.name).find("calls nothing") != std::string::npos) {
    REQUIRE(child.hear() == "blocked");
    CHECK_FALSE(std::filesystem::exists(report));
    child.say("end");
  }
  const auto count = [&] {
    const std::string text = text_of(report);
    const std::string wanted = std::string(": ") + hang.level + ": deadlock: ";
    int found = 0;
    for (std::size_t at = 0; (at = text.find(wanted, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  CHECK(support::eventually([&] { return count() == hang.findings; }, support::kDeadline,
                            std::chrono::milliseconds(5)));
}

// ---- calls with a limit ----

CHILD_PROGRAM(limited_waits) {
  Hanging of;
  if (support::environment_variable("ACLSIM_TEST_CYCLE").empty()) {
    of.wait_for_word(of.a);
  } else {
    aclrtWaitAndResetNotify(of.first, of.a, 0);
    aclrtRecordNotify(of.second, of.a);
    aclrtWaitAndResetNotify(of.second, of.b, 0);
    aclrtRecordNotify(of.first, of.b);
  }
  CHILD_EXPECT(aclrtSynchronizeStreamWithTimeout(of.a, 5) != ACL_SUCCESS);
  for (const aclrtStream stream : {of.a, of.b}) aclrtStreamAbort(stream);
  return 0;
}

TEST_CASE(
    "of a call with a limit a deadlock says that it can only time out, and where the waits are") {
  const bool cycle = GENERATE(false, true);
  const auto result = support::run_child(
      "limited_waits",
      {{"ACLSIM_CHECK", "1"}, {"ACLSIM_CHECK_QUIET", ""}, {"ACLSIM_TEST_CYCLE", cycle ? "1" : ""}});
  INFO(result.output);
  const auto says = [&](const char* words) {
    return result.output.find(words) != std::string::npos;
  };
  CHECK(says("deadlock: aclrtSynchronizeStreamWithTimeout can only time out; "));
  CHECK_FALSE(says("never return"));
  CHECK(says("these waits form a cycle: the notify wait on stream ") == cycle);
  CHECK(says("fix: break the cycle: enqueue one of the waits at ") == cycle);
  CHECK(says("enqueued so far satisfies the value wait on stream ") == !cycle);
  CHECK_FALSE(says("_WAIT"));
}

// ---- while another thread could still end it ----

CHILD_PROGRAM(value_that_comes_late) {
  Hanging of;
  of.wait_for_word(of.a);
  std::jthread writer([&] {
    of.main.await_blocked();
    // The time itself is tested: the line about a wait that takes long.
    support::let_time_pass(std::chrono::milliseconds(3000));
    aclrtSetCurrentContext(of.context);
    aclrtValueWrite(of.word, 1, 0, of.b);
    aclrtSynchronizeStream(of.b);
  });
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(of.a), ACL_SUCCESS);
  return 0;
}

TEST_CASE("a line says who waits for which value when that takes long, and is no finding") {
  const bool quiet = GENERATE(false, true);
  const auto result = support::run_child(
      "value_that_comes_late", {{"ACLSIM_CHECK", "1"}, {"ACLSIM_CHECK_QUIET", quiet ? "1" : ""}});
  INFO(result.output);
  CHECK(result.clean());
  CHECK(result.output.find("ACL003") == std::string::npos);
  const std::size_t line = result.output.find(
      "aclrtSynchronizeStream waits; no operation enqueued so far satisfies the value wait on "
      "stream ");
  CHECK((line != std::string::npos) == !quiet);
  CHECK((result.output.find(", now 0; another host thread still may") != std::string::npos) ==
        !quiet);
}

// A thread from before the first call of the program: that it will call is not known.
CHILD_PROGRAM(first_call_after_the_finding) {
  const world::Caller main;
  std::atomic<Hanging*> of{nullptr};
  std::jthread writer([&] {
    world::eventually([&] { return of.load() != nullptr; });
    main.await_blocked();
    const std::string report = support::environment_variable("ACLSIM_CHECK_REPORT");
    const auto told = [&] { return text_of(report).find("[ACL003]") != std::string::npos; };
    say(world::eventually(told) ? "told" : "not told");
    aclrtSetCurrentContext(of.load()->context);
    aclrtValueWrite(of.load()->word, 1, 0, of.load()->b);
    aclrtSynchronizeStream(of.load()->b);
  });
  Hanging hanging;
  hanging.wait_for_word(hanging.a);
  of = &hanging;
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(hanging.a), ACL_SUCCESS);
  say(text_of(support::environment_variable("ACLSIM_CHECK_REPORT")).find("[ACL003]") ==
              std::string::npos
          ? "taken back"
          : "still there");
  writer.join();
  return 0;
}

TEST_CASE("a deadlock that a thread ends by the first call it makes is taken back") {
  const support::TempDir folder;
  const std::string report = (folder.path() / "report.txt").string();
  const auto result = support::run_child(
      "first_call_after_the_finding",
      {{"ACLSIM_CHECK", "1"}, {"ACLSIM_CHECK_QUIET", ""}, {"ACLSIM_CHECK_REPORT", report}});
  INFO(result.output);
  CHECK(result.clean());
  const auto says = [&](const char* words) {
    return result.output.find(words) != std::string::npos;
  };
  CHECK(says("told\n"));
  CHECK_FALSE(says("not told"));
  CHECK(says("taken back\n"));
  CHECK(
      says("aclrtSynchronizeStream has ended as it should; the deadlock that was reported there is "
           "none"));
  CHECK(text_of(report).find("ACL003") == std::string::npos);
}

// ---- a finding changes no order ----

// A finding reports a wait that no thread ends, and then a thread ends it. ACLSIM_TEST_WITHOUT: the
// same without the finding.
CHILD_PROGRAM(deadlock_that_is_resolved) {
  Hanging of;
  void* memory = nullptr;
  aclrtMalloc(&memory, kSize, ACL_MEM_MALLOC_HUGE_FIRST);
  of.wait_for_word(of.a);
  aclrtWaitAndResetNotify(of.first, of.a, 0);
  aclrtMemsetAsync(memory, kSize, 1, kSize, of.a);
  aclrtRecordEvent(of.event, of.a);
  if (support::environment_variable("ACLSIM_TEST_WITHOUT").empty()) {
    CHILD_EXPECT(aclrtSynchronizeStreamWithTimeout(of.a, 5) != ACL_SUCCESS);
    CHILD_EXPECT(aclrtSynchronizeEventWithTimeout(of.event, 5) != ACL_SUCCESS);
  }
  aclrtValueWrite(of.word, 1, 0, of.b);
  aclrtRecordNotify(of.first, of.b);
  const bool by_thread = !support::environment_variable("ACLSIM_TEST_THREAD").empty();
  const auto join_both = [&] {
    aclrtSetCurrentContext(of.context);
    aclrtSynchronizeStream(of.a);
    aclrtSynchronizeStream(of.b);
  };
  if (by_thread) {
    std::thread(join_both).join();
  } else {
    join_both();
  }
  aclrtFree(memory);
  aclrtFree(of.word);
  aclrtDestroyNotify(of.first);
  aclrtDestroyEvent(of.event);
  return 0;
}

TEST_CASE("a wait that was told as a deadlock orders as any other when it has ended") {
  const bool by_thread = GENERATE(false, true);
  const bool without = GENERATE(false, true);
  const auto result = support::run_child("deadlock_that_is_resolved",
                                         {{"ACLSIM_CHECK", "1"},
                                          {"ACLSIM_CHECK_QUIET", ""},
                                          {"ACLSIM_CHECK_LEVEL", "note"},
                                          {"ACLSIM_TEST_THREAD", by_thread ? "1" : ""},
                                          {"ACLSIM_TEST_WITHOUT", without ? "1" : ""}});
  INFO(result.output);
  CHECK(result.clean());
  CHECK((result.output.find("[ACL003]") != std::string::npos) == !without);
  CHECK(result.output.find("[ACL006]") == std::string::npos);
  // Only the host knows that a thread was joined.
  CHECK((result.output.find("[ACL019]") != std::string::npos) == by_thread);
}
