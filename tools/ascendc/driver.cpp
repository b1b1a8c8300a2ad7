// SPDX-License-Identifier: Apache-2.0
#include "tools/ascendc/driver.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "tools/ascendc/launch_names.h"
#include "tools/ascendc/passes.h"
#include "tools/ascendc/process.h"
#include "tools/ascendc/translate.h"

namespace kernel_compiler {
namespace {

namespace fs = std::filesystem;

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

  void run_all() {
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
    if (compiler_.empty()) compiler_ = {default_compiler()};
  }

  /// Public kernels need clang: GCC refuses explicit specialisations inside of classes.
  static std::string default_compiler() {
    const char* const path = std::getenv("PATH");
    const std::string folders = path ? path : "";
    for (const char* const name : {"clang++", "clang++-18", "clang++-14"}) {
      for (std::size_t at = 0; at < folders.size();) {
        const std::size_t end = std::min(folders.find(':', at), folders.size());
        if (access((folders.substr(at, end - at) + "/" + name).c_str(), X_OK) == 0) return name;
        at = end + 1;
      }
    }
    return "c++";
  }

  Words compiler(const Words& arguments) const {
    Words all = compiler_;
    all.insert(all.end(), arguments.begin(), arguments.end());
    return all;
  }

  void host(const Words& arguments) { run(compiler(arguments), line_.verbose); }

  void preprocess() {
    for (const Item& item : line_.items) {
      if (!item.kernels) continue;
      host(preprocess_arguments(line_, item, prefix_, pass_definitions(Pass::vector, line_),
                                {line_.output, {}}, "-"));
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
    Words all = {"ar", "rcs", line_.output};
    for (std::string& object : objects()) all.push_back(std::move(object));
    std::error_code ignored;
    fs::remove(line_.output, ignored);
    for (const Item& item : line_.items) {
      if (!item.kernels && item.text.ends_with(".o")) all.push_back(item.text);
    }
    kernel_compiler::run(all, line_.verbose);
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

  struct PassFile {
    Pass pass;
    std::string path;
    std::string dependencies;
    std::string text;
  };

  void compile(const Item& source, const std::string& object) {
    std::vector<PassFile> passes = {pass_file(Pass::vector), pass_file(Pass::host)};
    preprocess_passes(source, passes, object);
    const std::vector<std::string> files = source_files(passes[0].text, prefix_);
    if (may_use_cube_cores(distinguishing_text(passes[0].text, prefix_), files)) {
      std::vector<PassFile> cube = {pass_file(Pass::cube)};
      preprocess_passes(source, cube, object);
      passes.push_back(std::move(cube[0]));
    }
    for (std::size_t i = 1; i < passes.size(); ++i) add_dependencies(passes[i], object);

    const PassTexts texts = {&passes[1].text, &passes[0].text,
                             passes.size() > 2 ? &passes[2].text : nullptr};
    const Plan plan = plan_passes(texts, source.text, prefix_);
    warn_about_emptied_kernels(texts, source.text, plan.kinds);
    std::vector<std::string> objects;
    std::vector<Step> steps;
    for (const Part& part : plan.parts) {
      const PassFile& from = *std::find_if(passes.begin(), passes.end(), [&](const PassFile& file) {
        return file.pass == part.pass;
      });
      objects.push_back(plan.parts.size() == 1 ? object : from.path + ".o");
      const std::string translated = from.path + ".translated.ii";
      translate(source.text, from.text, translated, object, plan, part.role);
      Words arguments = compile_arguments(line_, translated, objects.back());
      if (part.role != Role::whole) {
        const Words more = {"-fno-lto", "-Wno-unused-function", "-Wno-unused-variable",
                            "-Wno-unused-const-variable", "-Wno-undefined-internal"};
        arguments.insert(arguments.begin(), more.begin(), more.end());
        // The linker keeps symbols of this kind although they belong to one pass.
        if (!is_clang()) arguments.insert(arguments.begin(), "-fno-gnu-unique");
        // The vendor's compiler does not look into device code here, which lacks the macros of its
        // architecture. So the host's pass parses a template only if it is instantiated.
        if (part.role == Role::host && is_clang()) {
          arguments.insert(arguments.begin(), "-fdelayed-template-parsing");
        }
      }
      steps.push_back({name_of(part.pass), compiler(arguments)});
    }
    if (line_.goal == Goal::assembly && steps.size() > 1) {
      throw std::runtime_error("-S: '" + source.text +
                               "' needs an object for each kind of core; expected -c");
    }
    run_together(steps, line_.verbose);
    if (objects.size() > 1) combine(plan, objects, object);
  }

  bool is_clang() {
    if (!clang_) {
      const std::string text = output_of(compiler({"--version"}), false);
      clang_ = text.find("clang") != std::string::npos;
    }
    return *clang_;
  }

  static const char* name_of(Pass pass) {
    return pass == Pass::host ? "the host" : pass == Pass::vector ? "vector cores" : "cube cores";
  }

  PassFile pass_file(Pass pass) const {
    const std::string name = std::to_string(static_cast<int>(pass));
    return {pass, place_.file(name + ".ii"), place_.file(name + ".d"), {}};
  }

  void preprocess_passes(const Item& source, std::vector<PassFile>& passes,
                         const std::string& object) {
    std::vector<Step> steps;
    for (const PassFile& file : passes) {
      // The pass for vector cores writes the file of dependencies that the program asks for.
      const std::string dependencies = file.pass == Pass::vector ? "" : file.dependencies;
      steps.push_back(
          {name_of(file.pass),
           compiler(preprocess_arguments(line_, source, prefix_, pass_definitions(file.pass, line_),
                                         {file.path, dependencies}, object))});
    }
    run_together(steps, line_.verbose);
    for (PassFile& file : passes) file.text = read(file.path);
  }

  static std::string read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  /// Appends the files that only one pass reads as a rule of their own for make.
  void add_dependencies(const PassFile& pass, const std::string& object) const {
    if (!line_.dependencies) return;
    const std::string path = !line_.dependency_file.empty()
                                 ? line_.dependency_file
                                 : object.substr(0, object.rfind('.')) + ".d";
    std::ofstream(path, std::ios::binary | std::ios::app) << read(pass.dependencies);
  }

  static void warn_about_emptied_kernels(const PassTexts& texts, const std::string& name,
                                         const KernelKinds& kinds) {
    for (const std::string& kernel : emptied_kernels(texts, name, kinds, read)) {
      const std::size_t space = kernel.find(' ');
      std::cerr << kernel.substr(space + 1) << ": warning: the kernel '" << kernel.substr(0, space)
                << "' contains no code for the cores that it runs on\n";
    }
  }

  /// Joins the objects of the passes to one. Functions and constants of a device pass become local,
  /// so that other passes may use the same names. Variables are shared.
  void combine(const Plan& plan, const std::vector<std::string>& objects,
               const std::string& object) {
    Words link = {"ld", "-r", "-o", object, objects[0]};
    for (std::size_t i = 1; i < objects.size(); ++i) {
      const std::string whole = objects[i] + ".whole.o";
      kernel_compiler::run({"ld", "-r", "--force-group-allocation", "-o", whole, objects[i]},
                           line_.verbose);
      const std::string calls = "*" + std::string(pass_prefix(plan.parts[i].role)) + "*";
      // In a namespace without a name these functions are local.
      kernel_compiler::run({"objcopy", "-w", "--globalize-symbol=" + calls, whole}, line_.verbose);
      Words change = {"objcopy", "-w", "--keep-global-symbol=" + calls,
                      // The host's object initialises variables.
                      "--remove-section=.init_array*", "--remove-section=.rela.init_array*",
                      "--remove-section=.ctors*", "--remove-section=.rela.ctors*"};
      for (const std::string& name :
           shared_variables(output_of({"nm", "-g", "-P", whole}, line_.verbose))) {
        change.push_back("--keep-global-symbol=" + name);
        change.push_back("--weaken-symbol=" + name);
      }
      change.push_back(whole);
      kernel_compiler::run(change, line_.verbose);
      link.push_back(whole);
    }
    kernel_compiler::run(link, line_.verbose);
    kernel_compiler::run({"objcopy", "-w", "--localize-symbol=*aclsim_on_vector_*",
                          "--localize-symbol=*aclsim_on_cube_*", object},
                         line_.verbose);
  }

  void translate(const std::string& name, const std::string& text, const std::string& to,
                 const std::string& object, const Plan& plan, Role role) const {
    const bool launchers = !line_.launch_headers.empty();
    TranslateOptions options;
    options.launchers = launchers;
    options.workspace = line_.workspace;
    options.tiling = line_.tiling;
    options.role = role;
    options.vector_pass = plan.vector_pass;
    options.cube_pass = plan.cube_pass;
    options.kinds = plan.kinds;
    const Translation translation = kernel_compiler::translate(text, name, options);
    std::ofstream out(to, std::ios::binary | std::ios::trunc);
    out << translation.text;
    if (!out.flush()) throw std::runtime_error("'" + to + "' cannot be written");
    if (launchers && (role == Role::whole || role == Role::host))
      write_launch_headers(line_.launch_headers, object, name, translation.kernels);
  }

  const CommandLine line_;
  std::string prefix_;
  Words compiler_;
  std::optional<bool> clang_;  // whether the compiler is clang
  const Workplace place_;
};

}  // namespace

void run_compiler(CommandLine line) { Driver(std::move(line)).run_all(); }

}  // namespace kernel_compiler
