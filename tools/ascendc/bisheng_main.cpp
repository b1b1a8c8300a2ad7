// SPDX-License-Identifier: Apache-2.0
//
// bisheng: accepts the command lines of the kernel compiler and calls the host compiler. A source
// of kernels is preprocessed, translated and compiled: the host compiler runs twice.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>

#include "tools/ascendc/command_line.h"
#include "tools/ascendc/launch_names.h"
#include "tools/ascendc/translate.h"

extern char** environ;

namespace {

namespace fs = std::filesystem;
using kernel_compiler::CommandLine;
using kernel_compiler::Goal;
using kernel_compiler::Item;

/// Thrown for a failed step that has already reported its reason.
struct StepFailed {
  int status;
};

/// A folder for the intermediate files.
class Workplace {
 public:
  Workplace() {
    std::string name = (fs::temp_directory_path() / "bisheng-XXXXXX").string();
    if (!mkdtemp(name.data())) {
      throw std::runtime_error("no folder for temporary files in '" +
                               fs::temp_directory_path().string() + "'");
    }
    path_ = name;
  }
  Workplace(Workplace&&) = delete;
  ~Workplace() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

class Driver {
 public:
  explicit Driver(CommandLine line) : line_(std::move(line)) {
    find_toolkit();
    find_compiler();
  }

  void run() {
    if (!line_.has_inputs()) return host(host_arguments(line_, prefix_));
    switch (line_.goal) {
      case Goal::preprocess:
        return preprocess();
      case Goal::compile:
      case Goal::assembly:
        return compile_each();
      case Goal::archive:
        return archive();
      case Goal::link:
        return host(link_arguments(line_, prefix_, objects()));
    }
  }

 private:
  /// Finds the folder above this program that contains the headers of kernels.
  void find_toolkit() {
    const fs::path program = fs::read_symlink("/proc/self/exe");
    for (fs::path at = program.parent_path(); at != at.parent_path(); at = at.parent_path()) {
      if (fs::exists(at / "include/ascendc/impl/chevron.h")) {
        prefix_ = at.string();
        return;
      }
    }
    throw std::runtime_error("no folder above '" + program.string() +
                             "' has include/ascendc/impl/chevron.h; expected it in a toolkit");
  }

  void find_compiler() {
    const char* const from_environment = std::getenv("CXX");
    std::string name = !line_.host_compiler.empty() ? line_.host_compiler
                       : from_environment           ? from_environment
                                                    : "";
    if (name.find("bisheng") != std::string::npos) name.clear();
    if (fs::exists(name)) {
      compiler_ = {name};
      return;
    }
    for (std::size_t at = 0; at < name.size();) {  // "ccache g++"
      const std::size_t end = std::min(name.find(' ', at), name.size());
      if (end > at) compiler_.push_back(name.substr(at, end - at));
      at = end + 1;
    }
    if (compiler_.empty()) compiler_ = {"c++"};
  }

  void host(const std::vector<std::string>& arguments) {
    std::vector<std::string> all = compiler_;
    all.insert(all.end(), arguments.begin(), arguments.end());
    execute(all);
  }

  void execute(std::vector<std::string>& all) {
    std::vector<char*> words;
    for (std::string& word : all) words.push_back(word.data());
    words.push_back(nullptr);
    if (line_.verbose) {
      for (const std::string& word : all) std::cerr << word << ' ';
      std::cerr << std::endl;
    }
    pid_t child = 0;
    const int error = posix_spawnp(&child, words[0], nullptr, nullptr, words.data(), environ);
    if (error != 0) {
      throw std::runtime_error("the host compiler '" + all[0] + "' cannot be started: " +
                               std::strerror(error) + "; expected one in CXX, or c++");
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (status != 0) throw StepFailed{WIFEXITED(status) ? WEXITSTATUS(status) : 1};
  }

  void preprocess() {
    for (const Item& item : line_.items) {
      if (item.kernels) host(preprocess_arguments(line_, item, prefix_, line_.output, "-"));
    }
    if (!has_kernels()) host(host_arguments(line_, prefix_));
  }

  bool has_kernels() const {
    for (const Item& item : line_.items) {
      if (item.kernels) return true;
    }
    return false;
  }

  void compile_each() {
    const char* const ending = line_.goal == Goal::assembly ? ".s" : ".o";
    std::size_t others = 0;
    for (const Item& item : line_.items) {
      if (item.kernels) {
        compile(item, !line_.output.empty() ? line_.output
                                            : fs::path(item.text).stem().string() + ending);
      } else {
        others += !item.text.empty() && item.text[0] != '-' && is_host_source(item.text);
      }
    }
    if (others != 0) host(host_arguments(line_, prefix_));
  }

  static bool is_host_source(const std::string& path) {
    const std::string ending = fs::path(path).extension().string();
    return ending == ".cpp" || ending == ".cc" || ending == ".cxx" || ending == ".c" ||
           ending == ".C";
  }

  void archive() {
    std::vector<std::string> all = {"ar", "rcs", line_.output};
    for (std::string& object : objects()) all.push_back(std::move(object));
    std::error_code ignored;
    fs::remove(line_.output, ignored);
    for (const Item& item : line_.items) {
      if (!item.kernels && item.text.ends_with(".o")) all.push_back(item.text);
    }
    execute(all);
  }

  /// One object for each source of kernels.
  std::vector<std::string> objects() {
    std::vector<std::string> made;
    for (const Item& item : line_.items) {
      if (!item.kernels) continue;
      made.push_back(place_.file(std::to_string(made.size()) + "_" +
                                 fs::path(item.text).stem().string() + ".o"));
      compile(item, made.back());
    }
    return made;
  }

  void compile(const Item& source, const std::string& object) {
    const std::string stem = fs::path(source.text).stem().string();
    const std::string preprocessed = place_.file(stem + ".ii");
    const std::string translated = place_.file(stem + ".translated.ii");
    host(preprocess_arguments(line_, source, prefix_, preprocessed, object));
    translate(source.text, preprocessed, translated, object);
    host(compile_arguments(line_, translated, object));
  }

  void translate(const std::string& name, const std::string& from, const std::string& to,
                 const std::string& object) const {
    std::ifstream in(from, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const bool launchers = !line_.launch_headers.empty();
    const kernel_compiler::Translation translation =
        kernel_compiler::translate(text, name, {launchers, line_.workspace, line_.tiling});
    std::ofstream out(to, std::ios::binary | std::ios::trunc);
    out << translation.text;
    if (!out.flush()) throw std::runtime_error("'" + to + "' cannot be written");
    if (launchers)
      kernel_compiler::write_launch_headers(line_.launch_headers, object, name,
                                            translation.kernels);
  }

  const CommandLine line_;
  std::string prefix_;
  std::vector<std::string> compiler_;
  const Workplace place_;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc > 1 && std::strcmp(argv[1], "--asc-require-one-definition") == 0) {
      kernel_compiler::require_one_definition({argv + 2, argv + argc});
      return 0;
    }
    Driver(kernel_compiler::read_command_line({argv + 1, argv + argc})).run();
    return 0;
  } catch (const StepFailed& failed) {
    return failed.status;
  } catch (const kernel_compiler::SourceError& error) {
    std::cerr << error.what() << '\n';
  } catch (const std::exception& error) {
    std::cerr << "bisheng: error: " << error.what() << '\n';
  }
  return 1;
}
