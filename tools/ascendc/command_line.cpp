// SPDX-License-Identifier: Apache-2.0
#include "tools/ascendc/command_line.h"

#include <algorithm>
#include <stdexcept>

namespace kernel_compiler {
namespace {

constexpr Architecture kArchitectures[] = {{"dav-2201", "2201", "220", "C220"},
                                           {"dav-3510", "3510", "310", "C310"},
                                           {"dav-2002", "2002", "200", ""},
                                           {"dav-1001", "1001", "100", ""},
                                           {"dav-3002", "3002", "300", ""}};

/// Options of the host compiler whose value is the next argument.
constexpr std::string_view kWithValue[] = {
    "-I",         "-D",       "-U",        "-L",        "-l",       "-T",
    "-u",         "-z",       "-B",        "-e",        "-isystem", "-iquote",
    "-idirafter", "-iprefix", "-isysroot", "--sysroot", "--param",  "-include",
    "-imacros",   "-MF",      "-MT",       "-MQ",       "-Xlinker", "-Xpreprocessor",
    "-Xassembler"};

bool starts_with(std::string_view text, std::string_view begin) {
  return text.substr(0, begin.size()) == begin;
}

bool takes_value(std::string_view option) {
  return std::find(std::begin(kWithValue), std::end(kWithValue), option) != std::end(kWithValue);
}

std::string known_architectures() {
  std::string list;
  for (const Architecture& architecture : kArchitectures) {
    list += (list.empty() ? "" : ", ") + std::string(architecture.name);
  }
  return list;
}

bool is_source(std::string_view path) {
  constexpr std::string_view kEndings[] = {".asc", ".cpp", ".cc", ".cxx", ".cce", ".C", ".h"};
  return std::any_of(std::begin(kEndings), std::end(kEndings),
                     [path](std::string_view ending) { return path.ends_with(ending); });
}

class Reader {
 public:
  explicit Reader(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  CommandLine read() {
    for (at_ = 0; at_ < arguments_.size(); ++at_) argument(arguments_[at_]);
    if (in_device_part_) {
      throw std::invalid_argument("-Xaicore-start has no -Xaicore-end");
    }
    for (Item& item : line_.items) item.kernels |= all_sources_ && is_source(item.text);
    check_output();
    return std::move(line_);
  }

 private:
  const std::string& value(const std::string& option) {
    if (at_ + 1 >= arguments_.size()) throw std::invalid_argument(option + " has no value");
    return arguments_[++at_];
  }

  /// The value of --name=VALUE or --name VALUE; nullopt for another option.
  std::optional<std::string> value_of(const std::string& argument, std::string_view name) {
    if (argument == name) return value(argument);
    if (!starts_with(argument, std::string(name) + "=")) return {};
    return argument.substr(name.size() + 1);
  }

  void argument(const std::string& a) {
    if (in_device_part_) {
      device_part(a);
    } else if (a == "-Xaicore-start") {
      in_device_part_ = true;
    } else if (a == "-Xhost-start" || a == "-Xhost-end" ||
               a == "-forward-options-to-host-compiler") {
      // The options between these markers are treated like all others.
    } else if (!own_option(a) && !claim(a) && !device_option(a) && !goal(a)) {
      host_option_or_file(a);
    }
  }

  /// Options for the device alone: definitions and includes are kept, the others have no effect.
  void device_part(const std::string& a) {
    if (a == "-Xaicore-end") {
      in_device_part_ = false;
    } else if (claim(a)) {
      return;
    } else if (starts_with(a, "-D") || starts_with(a, "-U") || starts_with(a, "-I") ||
               a == "-include" || a == "-isystem") {
      host_option_or_file(a);
    }
  }

  /// Options that give reserved parts of the unified buffer to the program.
  bool claim(const std::string& a) {
    if (a == "--cce-disable-asc-reserved-ubuf") return line_.claims_library_ub = true;
    if (a == "--cce-disable-vf-stack-reserved-ubuf") return line_.claims_stack_ub = true;
    return false;
  }

  bool own_option(const std::string& a) {
    if (const auto arch = value_of(a, "--npu-arch")) {
      if (!find_architecture(*arch)) {
        throw std::invalid_argument("--npu-arch=" + *arch + " is unknown; expected " +
                                    known_architectures());
      }
      line_.arch = *arch;
    } else if (const auto mode = value_of(a, "--run-mode")) {
      if (*mode != "npu" && *mode != "cpu" && *mode != "sim") {
        throw std::invalid_argument("--run-mode=" + *mode +
                                    " is unknown; expected npu, cpu or sim");
      }
      line_.cpu_mode = *mode == "cpu";
    } else if (const auto compiler = value_of(a, "--asc-host-compiler")) {
      line_.host_compiler = *compiler;
    } else if (const auto folder = value_of(a, "--asc-launch-headers")) {
      line_.launch_headers = *folder;
    } else if (a == "--enable-simt") {
      line_.simt = true;
    } else if (a == "--asc-aicore-lang") {
      all_sources_ = true;
    } else if (a == "--aicore-only" || a == "--cce-aicore-only") {
      add("-fPIC");  // the linker makes a loadable file from the object
    } else {
      return false;
    }
    return true;
  }

  /// Options that only a compiler for the device understands.
  bool device_option(const std::string& a) {
    if (a == "-mllvm" || a == "-Xclang") {
      value(a);
      return true;
    }
    return starts_with(a, "--cce-") || starts_with(a, "-cce-") || starts_with(a, "--asc-") ||
           a == "--sanitizer" || starts_with(a, "--sanitizer=") ||
           starts_with(a, "--gcc-toolchain=");
  }

  bool goal(const std::string& a) {
    if (a == "-o") {
      line_.output = value(a);
    } else if (starts_with(a, "-o") && a.size() > 2) {
      line_.output = a.substr(2);
    } else if (a == "-c" || a == "-dc") {
      line_.goal = Goal::compile;
    } else if (a == "-S") {
      line_.goal = Goal::assembly;
    } else if (a == "-E" || a == "-M" || a == "-MM") {
      line_.goal = Goal::preprocess;
      if (a != "-E") add(a, &Item::before_translation);
    } else if (a == "-lib" || a == "--lib") {
      line_.goal = Goal::archive;
    } else if (a == "-x") {
      language(value(a));
    } else if (starts_with(a, "-x") && a.size() > 2) {
      language(a.substr(2));
    } else {
      return false;
    }
    return true;
  }

  void language(const std::string& name) {
    kernels_ = name == "asc" || name == "cce";
    if (!kernels_) {
      line_.items.push_back({"-x"});
      line_.items.push_back({name});
    }
  }

  void host_option_or_file(const std::string& a) {
    if (a.empty() || a[0] != '-' || a == "-") {
      line_.items.push_back({a, kernels_ || a.ends_with(".asc")});
      return;
    }
    note(a);
    if (starts_with(a, "-M")) {
      make_option(a);
    } else if (a == "-include" || a == "-imacros") {
      add(a, &Item::before_translation);
      add(value(a), &Item::before_translation);
    } else if (starts_with(a, "-Wl,") || starts_with(a, "-L") || starts_with(a, "-l") ||
               a == "-Xlinker" || a == "-T" || a == "-u" || a == "-z" || a == "-e" ||
               a == "-shared" || a == "-static" || a == "-pie" || a == "-rdynamic" || a == "-s") {
      add(a, &Item::linking);
      if (takes_value(a)) add(value(a), &Item::linking);
    } else {
      add(a);
      if (takes_value(a)) add(value(a));
    }
  }

  void note(const std::string& a) {
    const std::string definition = a == "-D" && at_ + 1 < arguments_.size()
                                       ? arguments_[at_ + 1]
                                       : a.substr(1 + (a[1] == 'D'));
    const std::string name = definition.substr(0, definition.find('='));
    if (a[1] == 'D' && name == "HAVE_WORKSPACE") line_.workspace = true;
    if (a[1] == 'D' && name == "HAVE_TILING") line_.tiling = true;
    if (starts_with(a, "-std=")) line_.has_standard = true;
    if (starts_with(a, "-g")) line_.has_debug_level = true;
    if (a == "-v") line_.verbose = true;
  }

  void make_option(const std::string& a) {
    add(a, &Item::before_translation);
    if (a == "-MD" || a == "-MMD") line_.dependencies = true;
    if (a == "-MT" || a == "-MQ") line_.has_dependency_target = true;
    if (a == "-MF") line_.dependency_file = arguments_[std::min(at_ + 1, arguments_.size() - 1)];
    if (takes_value(a)) add(value(a), &Item::before_translation);
  }

  void add(const std::string& text, bool Item::*kind = nullptr) {
    Item item{text};
    if (kind) item.*kind = true;
    line_.items.push_back(std::move(item));
  }

  void check_output() const {
    const auto sources = std::count_if(line_.items.begin(), line_.items.end(),
                                       [](const Item& item) { return item.kernels; });
    const bool one_each = line_.goal == Goal::compile || line_.goal == Goal::assembly;
    if (one_each && !line_.output.empty() && sources > 1) {
      throw std::invalid_argument("-o " + line_.output + " with several sources; expected one");
    }
    if (line_.goal == Goal::archive && line_.output.empty()) {
      throw std::invalid_argument("-lib has no -o; expected the name of the library");
    }
  }

  const std::vector<std::string>& arguments_;
  CommandLine line_;
  std::size_t at_ = 0;
  bool in_device_part_ = false;
  bool kernels_ = false;      // -x asc holds
  bool all_sources_ = false;  // --asc-aicore-lang
};

std::vector<std::string> own_includes(const std::string& prefix) {
  return {"-isystem", prefix + "/include", "-isystem", prefix + "/include/ascendc"};
}

/// The compiler is one of C++, so an option names the language of sources in C.
void append_file(std::vector<std::string>& to, const std::string& text) {
  const bool is_c =
      text.ends_with(".c") && text[0] != '-' && (to.empty() || !takes_value(to.back()));
  if (is_c) to.insert(to.end(), {"-x", "c"});
  to.push_back(text);
  if (is_c) to.insert(to.end(), {"-x", "none"});
}

void append(std::vector<std::string>& to, std::vector<std::string> more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

bool CommandLine::has_inputs() const {
  for (const Item& item : items) {
    if (item.kernels || (!item.text.empty() && item.text[0] != '-')) return true;
  }
  return false;
}

const Architecture* find_architecture(std::string_view name) {
  for (const Architecture& architecture : kArchitectures) {
    if (architecture.name == name) return &architecture;
  }
  return nullptr;
}

CommandLine read_command_line(const std::vector<std::string>& arguments) {
  return Reader(arguments).read();
}

namespace {

/// Options of the compiler, without files, and without the pairs `-x LANGUAGE`.
std::vector<std::string> options_of(const CommandLine& line, bool with_preprocessor) {
  std::vector<std::string> options;
  bool is_value = false;
  for (std::size_t i = 0; i < line.items.size(); ++i) {
    const Item& item = line.items[i];
    if (item.text == "-x" && !is_value) {
      ++i;
      continue;
    }
    const bool option = is_value || (!item.kernels && !item.text.empty() && item.text[0] == '-');
    is_value = option && !is_value && takes_value(item.text);
    if (!option || item.linking || (item.before_translation && !with_preprocessor)) continue;
    options.push_back(item.text);
  }
  return options;
}

}  // namespace

std::vector<std::string> preprocess_arguments(const CommandLine& line, const Item& source,
                                              const std::string& prefix,
                                              const std::vector<std::string>& definitions,
                                              const Preprocessed& to, const std::string& object) {
  std::vector<std::string> all = options_of(line, true);
  if (!line.has_standard) all.insert(all.begin(), "-std=c++17");
  append(all, definitions);
  if (line.cpu_mode) all.push_back("-DASCENDC_CPU_DEBUG=1");
  if (line.simt) all.push_back("-DACLSIM_ENABLE_SIMT=1");
  if (line.dependencies) {
    const std::size_t dot = object.rfind('.');
    if (!to.dependencies.empty()) {
      append(all, {"-MF", to.dependencies});
    } else if (line.dependency_file.empty()) {
      append(all, {"-MF", object.substr(0, dot) + ".d"});
    }
    if (!line.has_dependency_target) append(all, {"-MQ", object});
  }
  append(all, own_includes(prefix));
  append(all,
         {"-include", prefix + "/include/ascendc/impl/chevron.h", "-E", "-x", "c++", source.text});
  if (!to.text.empty()) append(all, {"-o", to.text});
  return all;
}

std::vector<std::string> compile_arguments(const CommandLine& line, const std::string& text,
                                           const std::string& object) {
  std::vector<std::string> all = options_of(line, false);
  if (!line.has_standard) all.insert(all.begin(), "-std=c++17");
  if (!line.has_debug_level) all.push_back("-g1");  // findings name lines of kernels
  // These warnings depend on comments or on macros, which the preprocessor has removed, or on
  // options for it.
  append(all,
         {"-Wno-misleading-indentation", "-Wno-implicit-fallthrough", "-Wno-tautological-compare",
          "-Wno-address", "-Wno-int-in-bool-context", "-Wno-unused-command-line-argument"});
  append(all,
         {"-x", "c++-cpp-output", line.goal == Goal::assembly ? "-S" : "-c", text, "-o", object});
  return all;
}

std::vector<std::string> link_arguments(const CommandLine& line, const std::string& prefix,
                                        const std::vector<std::string>& objects) {
  std::vector<std::string> all;
  std::size_t next = 0;
  for (const Item& item : line.items) {
    if (item.before_translation) continue;
    if (item.kernels) {
      all.push_back(objects[next++]);
    } else {
      append_file(all, item.text);
    }
  }
  append(all, own_includes(prefix));
  all.push_back("-Wno-unused-command-line-argument");
  append(all, {"-L" + prefix + "/lib64", "-lascendc_runtime", "-lascendcl", "-lc_sec", "-ldl",
               "-lpthread"});
  if (!line.output.empty()) append(all, {"-o", line.output});
  return all;
}

std::vector<std::string> host_arguments(const CommandLine& line, const std::string& prefix) {
  std::vector<std::string> all;
  for (const Item& item : line.items) {
    if (!item.kernels) append_file(all, item.text);
  }
  append(all, own_includes(prefix));
  if (line.goal == Goal::compile) all.push_back("-c");
  if (line.goal == Goal::assembly) all.push_back("-S");
  if (line.goal == Goal::preprocess) all.push_back("-E");
  if (!line.output.empty()) append(all, {"-o", line.output});
  return all;
}

}  // namespace kernel_compiler
