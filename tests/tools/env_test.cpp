// SPDX-License-Identifier: Apache-2.0
// The settings that an installed aclsim prints for its own folder, and the manual pages that it
// writes.
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"

using catch_compat::ContainsSubstring;
using support::TempDir;

namespace {

namespace fs = std::filesystem;

/// The output of bash on both streams for `script`, with `first` as $1.
std::string bash_prints(const std::string& script, const std::string& first, int* code = nullptr) {
  const std::string quoted = "bash -c '" + script + "' bash \"" + first + "\" 2>&1";
  FILE* const pipe = popen(quoted.c_str(), "r");
  REQUIRE(pipe);
  std::string text;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  const int status = pclose(pipe);
  if (code) *code = WEXITSTATUS(status);
  return text;
}

/// A tree with the layout of an installation, in a folder whose name needs quotes in a shell.
struct Installation {
  TempDir dir;
  fs::path root = dir.path() / "it's a tree";

  Installation() {
    const fs::path built = fs::path(ACLSIM_EXE).parent_path().parent_path();
    fs::create_directories(root / "bin");
    fs::create_directories(root / "include/acl");
    fs::create_directories(root / "python/site-packages");
    fs::create_directory_symlink(built / "lib64", root / "lib64");
    fs::copy_file(ACLSIM_EXE, root / "bin/aclsim");
    fs::copy_file(fs::path(ACLSIM_SOURCE_DIR) / "cmake/install/set_env.sh", root / "set_env.sh");
    std::ofstream(root / "include/acl/acl.h") << '\n';
  }
};

}  // namespace

TEST_CASE("aclsim env and set_env.sh of an installation set the same variables") {
  const Installation it;
  const std::string surroundings =
      R"(unset CPATH; PYTHONPATH=$1/python/site-packages; )"
      R"(export PYTHONPATH LD_LIBRARY_PATH=":/else where:$1/lib64:/more:"; )";
  const std::string shown = R"(; env | grep -v ^_= | sort)";
  const std::string sourced =
      bash_prints(surroundings + R"(. "$1/set_env.sh")" + shown, it.root.string());
  const std::string evaluated =
      bash_prints(surroundings + R"sh(eval "$("$1/bin/aclsim" env)")sh" + shown, it.root.string());
  CHECK(sourced == evaluated);
  CHECK_THAT(evaluated, ContainsSubstring("ASCEND_HOME_PATH=" + it.root.string() + "\n"));
  CHECK_THAT(evaluated, ContainsSubstring("\nLD_LIBRARY_PATH=" + it.root.string() +
                                          "/lib64:/else where:/more\n"));
}

TEST_CASE("aclsim env --json is one object") {
  const Installation it;
  const auto object =
      nlohmann::json::parse(bash_prints(R"("$1/bin/aclsim" env --json)", it.root.string()));
  CHECK(object.at("ASCEND_HOME_PATH") == it.root.string());
  CHECK(object.at("NPU_HOST_LIB") == (it.root / "runtime/lib64/stub").string());
}

TEST_CASE("aclsim env sets no PYTHONPATH where the module lies elsewhere") {
  const Installation it;
  fs::remove_all(it.root / "python");
  const std::string text = bash_prints(R"("$1/bin/aclsim" env)", it.root.string());
  CHECK_THAT(text, !ContainsSubstring("PYTHONPATH"));
}

TEST_CASE("aclsim env fails where nothing is installed, and names what is missing") {
  const Installation it;
  fs::remove_all(it.root / "include");
  int code = 0;
  const std::string text = bash_prints(R"("$1/bin/aclsim" env)", it.root.string(), &code);
  CHECK(code == 1);
  CHECK_THAT(text, ContainsSubstring("include/acl/acl.h is missing"));
}

TEST_CASE("each verb has a manual page with the text of its --help") {
  const TempDir dir;
  int code = 0;
  bash_prints(ACLSIM_EXE " man-pages \"$1\"", dir.path().string(), &code);
  REQUIRE(code == 0);
  const std::string all = dir.read("aclsim.1");
  for (const char* verb : {"run", "explore", "check", "replay", "env"}) {
    const std::string page = dir.read("aclsim-" + std::string(verb) + ".1");
    CHECK_THAT(page, ContainsSubstring(".SH SYNOPSIS"));
    CHECK_THAT(page, ContainsSubstring(".SH OPTIONS"));
    CHECK_THAT(all, ContainsSubstring("aclsim\\-" + std::string(verb) + " (1)"));
  }
  const std::string explore = dir.read("aclsim-explore.1");
  CHECK_THAT(explore, ContainsSubstring("\\-\\-runs N"));
  CHECK_THAT(explore, ContainsSubstring("run N schedules"));
}

TEST_CASE("the verb of the build that writes manual pages is shown nowhere") {
  const TempDir dir;
  CHECK_THAT(bash_prints(ACLSIM_EXE " --help", ""), !ContainsSubstring("man-pages"));
  CHECK_THAT(bash_prints(ACLSIM_EXE " completion fish", ""), !ContainsSubstring("man-pages"));
  bash_prints(ACLSIM_EXE " man-pages \"$1\"", dir.path().string());
  CHECK(!fs::exists(dir.path() / "aclsim-man-pages.1"));
}
