// SPDX-License-Identifier: Apache-2.0
// The command line tool if the system refuses to create threads.
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/catch.h"

#if defined(ACLSIM_EXE) && defined(ACLSIM_GUEST_DIR)

TEST_CASE("run --check goes on without the thread that looks for deadlocks between processes") {
  const std::string refusing = std::string(ACLSIM_GUEST_DIR) + "/refuse_threads.so";
  if (!std::filesystem::exists(refusing)) return;  // not built with sanitizers
  const std::string command = "THREADS_LEFT=0 LD_PRELOAD=" + refusing +
                              " timeout -k 1 60 '" ACLSIM_EXE
                              "' run --check -- sh -c 'exit 5' 2>&1";
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  const int status = ::pclose(pipe);
  INFO(text);
  CHECK(WEXITSTATUS(status) == 5);
}

#endif
