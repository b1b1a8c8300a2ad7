// SPDX-License-Identifier: Apache-2.0
// A host that may not touch device memory (host_access = "guard").
#include <sys/syscall.h>
#include <unistd.h>

#include <csetjmp>
#include <csignal>
#include <cstdio>

#include "tests/acl/world.h"
#include "tests/support/child.h"

CHILD_PROGRAM(use_guarded_memory) {
  aclsimMachine machine{};
  machine.size = sizeof machine;
  CHILD_EXPECT_CODE(aclsimGetMachine(&machine), ACL_SUCCESS);
  CHILD_EXPECT(machine.guarded == 1);
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  void* memory = nullptr;
  CHILD_EXPECT_CODE(aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  int value = 3;
  CHILD_EXPECT_CODE(aclrtMemcpy(memory, 4, &value, 4, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  CHILD_EXPECT_CODE(
      world::try_launch(nullptr, [number = static_cast<int*>(memory)] { *number += 1; }),
      ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtMemcpy(&value, 4, memory, 4, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
  CHILD_EXPECT(value == 4);
  return 0;
}

TEST_CASE("kernels and copies use memory that the host may not touch") {
  const auto child = support::run_child("use_guarded_memory", {{"ACLSIM_HOST_ACCESS", "guard"}});
  INFO(child.output);
  CHECK(child.clean());
}

CHILD_PROGRAM(touch_guarded_memory) {
  CHILD_EXPECT_CODE(aclrtSetDevice(2), ACL_SUCCESS);
  void* memory = nullptr;
  CHILD_EXPECT_CODE(aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  *static_cast<volatile int*>(memory) = 1;
  return 0;
}

TEST_CASE("a host that touches guarded device memory is stopped with a diagnosis") {
  const auto child = support::run_child("touch_guarded_memory", {{"ACLSIM_HOST_ACCESS", "guard"}});
  INFO(child.output);
  CHECK_FALSE(child.timed_out);
  CHECK_FALSE(child.clean());
  CHECK_THAT(child.output, catch_compat::ContainsSubstring("device 2"));
  CHECK_THAT(child.output, catch_compat::ContainsSubstring("4096"));
}

// ---- pages of free memory ----

/// Prints whether the bytes after an allocation, and the pages of a freed one, are mapped.
CHILD_PROGRAM(look_at_free_memory) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  void* memory = nullptr;
  void* next = nullptr;
  CHILD_EXPECT_CODE(aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtMalloc(&next, 4096, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  int ends[2];
  CHILD_EXPECT(pipe(ends) == 0);
  const auto is_there = [&](std::size_t offset) {
    return syscall(SYS_write, ends[1], static_cast<char*>(memory) + offset, 1) ==
           1;  // which no sanitizer looks at
  };
  CHILD_EXPECT(is_there(0) && is_there(4095));
  std::printf("%s, ", is_there(4096) ? "there" : "not there");
  CHILD_EXPECT_CODE(aclrtFree(memory), ACL_SUCCESS);
  std::printf("%s\n", is_there(0) ? "there" : "not there");
  return 0;
}

TEST_CASE("free memory is open to the program, unless kernels are to be checked") {
  const auto usual = support::run_child("look_at_free_memory");
  CHECK(usual.clean());
  CHECK_THAT(usual.output, catch_compat::ContainsSubstring("there, there"));
  CHECK_THAT(usual.output, !catch_compat::ContainsSubstring("not there"));
  const auto checked = support::run_child("look_at_free_memory", {{"ACLSIM_KERNEL_CHECKS", "on"}});
  CHECK(checked.clean());
  CHECK_THAT(checked.output, catch_compat::ContainsSubstring("not there, not there"));
}

// ---- programs with a handler of their own
// --------------------------------------------------------------

namespace {

sigjmp_buf after_fault;

void jump_back(int) { siglongjmp(after_fault, 1); }

struct sigaction found_handler;

// As crash reporters do it: puts back what it found and lets the fault happen again.
void report_crash(int, siginfo_t*, void*) {
  std::fputs("the program's own report\n", stderr);
  sigaction(SIGSEGV, &found_handler, nullptr);
}

/// True when the program's handler got the fault.
bool faults() {
  if (sigsetjmp(after_fault, 1) != 0) return true;
  std::raise(SIGSEGV);
  return false;
}

int* guarded_number() {
  void* memory = nullptr;
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  return static_cast<int*>(memory);
}

void run_in_kernel(int* number) {
  CHILD_EXPECT_CODE(world::try_launch(nullptr, [number] { *number += 1; }), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
}

}  // namespace

CHILD_PROGRAM(set_a_handler_later) {
  int* const number = guarded_number();
  std::signal(SIGSEGV, jump_back);
  run_in_kernel(number);
  for (int round = 0; round < 2; ++round) {  // the handler serves the program's own faults
    CHILD_EXPECT(faults());
    run_in_kernel(number);
  }
  int value = 0;
  CHILD_EXPECT_CODE(aclrtMemcpy(&value, 4, number, 4, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
  CHILD_EXPECT(value == 3);
  return 0;
}

TEST_CASE("a handler that the program sets later does not come between kernels and their memory") {
  const auto child = support::run_child("set_a_handler_later", {{"ACLSIM_HOST_ACCESS", "guard"}});
  INFO(child.output);
  CHECK(child.clean());
}

CHILD_PROGRAM(crash_with_a_reporter) {
  int* const number = guarded_number();
  struct sigaction action {};
  action.sa_sigaction = report_crash;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, &found_handler);
  run_in_kernel(number);
  *static_cast<volatile int*>(number) = 1;
  return 0;
}

TEST_CASE("a crash reporter that puts back what it found is asked once, and the program ends") {
  const auto child = support::run_child("crash_with_a_reporter", {{"ACLSIM_HOST_ACCESS", "guard"}});
  INFO(child.output);
  CHECK_FALSE(child.timed_out);
  CHECK_FALSE(child.clean());
  CHECK_THAT(child.output, catch_compat::ContainsSubstring("the host touched device memory"));
  const auto first = child.output.find("the program's own report");
  REQUIRE(first != std::string::npos);
  CHECK(child.output.find("the program's own report", first + 1) == std::string::npos);
}
