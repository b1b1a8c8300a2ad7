// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/rtc/compiler.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "acl/acl_rt_compile.h"
#include "device_sim/base/uncancelled.h"
#include "runtime/acl/base/error.h"

extern char** environ;

namespace acl::rtc {
namespace {

namespace fs = std::filesystem;

/// The folder above the one that contains this library.
fs::path own_toolkit() {
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&find_toolkit), &self) == 0 || !self.dli_fname)
    return {};
  std::error_code failed;
  const fs::path library = fs::canonical(self.dli_fname, failed);
  return failed ? fs::path() : library.parent_path().parent_path();
}

// A library that is loaded into every program would observe the compiler too.
bool passes_on(const char* variable) { return std::strncmp(variable, "LD_PRELOAD=", 11) != 0; }

/// The redirections of a child process.
class Actions {
 public:
  explicit Actions(const std::string& log) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, log.c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
  ~Actions() { posix_spawn_file_actions_destroy(&actions_); }
  const posix_spawn_file_actions_t* get() const noexcept { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

}  // namespace

std::string compiler_of(const std::string& toolkit) { return toolkit + "/bin/bisheng"; }

std::string find_toolkit() {
  std::string searched;
  const char* const home = std::getenv("ASCEND_HOME_PATH");
  for (const fs::path& toolkit : {own_toolkit(), fs::path(home ? home : "")}) {
    if (toolkit.empty()) continue;
    const std::string compiler = compiler_of(toolkit.string());
    if (access(compiler.c_str(), X_OK) == 0) return toolkit.string();
    searched += (searched.empty() ? "" : " and ") + compiler;
  }
  fail(ACL_ERROR_RTC_FAILURE,
       "no kernel compiler: searched {}; expected the toolkit's folder in ASCEND_HOME_PATH",
       searched.empty() ? "nothing" : searched);
}

Folder::Folder() {
  const char* const parent = std::getenv("TMPDIR");
  path_ = std::string(parent && *parent != '\0' ? parent : "/tmp") + "/aclrtc-XXXXXX";
  if (!mkdtemp(path_.data())) {
    fail(ACL_ERROR_RTC_PROG_CREATION_FAILURE, "no folder '{}' for temporary files: {}", path_,
         std::system_category().message(errno));
  }
}

Folder::~Folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void Folder::write(const std::string& name, const std::string& text) const {
  const fs::path path = file(name);
  std::error_code ignored;  // the file below cannot be written then
  fs::create_directories(path.parent_path(), ignored);
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  if (!out.flush()) fail(ACL_ERROR_RTC_FAILURE, "'{}' cannot be written", path.string());
}

bool run(const Words& words, const std::string& log, const std::string& made) {
  const sim::Uncancelled whole;
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::vector<char*> variables;
  for (char** at = environ; at && *at; ++at) {
    if (passes_on(*at)) variables.push_back(*at);
  }
  variables.push_back(nullptr);
  const Actions actions(log);
  pid_t child = 0;
  const int error =
      posix_spawn(&child, arguments[0], actions.get(), nullptr, arguments.data(), variables.data());
  if (error != 0) {
    fail(ACL_ERROR_RTC_FAILURE, "'{}' cannot be started: {}", words[0],
         std::system_category().message(error));
  }
  int status = 0;
  pid_t ended = 0;
  do {
    ended = waitpid(child, &status, 0);
  } while (ended < 0 && errno == EINTR);
  if (ended < 0) return access(made.c_str(), R_OK) == 0;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace acl::rtc
