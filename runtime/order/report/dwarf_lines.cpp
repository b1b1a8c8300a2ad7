// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/report/dwarf_lines.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdlib>
#include <type_traits>
#include <utility>
#include <vector>

#include "device_sim/base/files.h"
#include "device_sim/base/mutex.h"
#include "device_sim/base/thread_annotations.h"

namespace order {

namespace {

// Threads may look up places while the process ends: never destroyed.
sim::Mutex& turn() {
  static auto& mutex = *new sim::Mutex;
  return mutex;
}
bool stopped GUARDED_BY(turn()) = false;

}  // namespace

std::string demangled(const char* name) {
  int status = 0;
  char* const text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 && text ? text : name;
  std::free(text);
  return result;
}

bool in_interface(const std::string& file) {
  return file.find("include/ascendc/impl/") != std::string::npos ||
         file.find("include/ascendc/simt_api/") != std::string::npos;
}

// The parts of libdw's interface that are used.
struct DwarfLines::Library {
  struct Callbacks {
    void* find_elf;
    void* find_debuginfo;
    void* section_address;
    char** debuginfo_path;
  };

  /// Null when something is missing. The session has no modules yet.
  static std::unique_ptr<Library> load() {
    auto made = std::make_unique<Library>();
    void* const library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library || !made->find_all(library)) return nullptr;
    made->callbacks = {dlsym(library, "dwfl_linux_proc_find_elf"),
                       dlsym(library, "dwfl_standard_find_debuginfo"),
                       dlsym(library, "dwfl_offline_section_address"), &made->debuginfo_path};
    made->session = made->begin(&made->callbacks);
    return made->session ? std::move(made) : nullptr;
  }
  ~Library() {
    if (session) end(session);
  }

  bool find_all(void* library) {
    const auto find = [library](auto& function, const char* name) {
      function =
          reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      return function != nullptr;
    };
    has_scopes = find(die_of, "dwfl_module_addrdie") && find(scopes_at, "dwarf_getscopes") &&
                 find(scopes_of, "dwarf_getscopes_die") && find(tag_of, "dwarf_tag") &&
                 find(attribute_of, "dwarf_attr") && find(number_of, "dwarf_formudata") &&
                 find(files_of, "dwarf_getsrcfiles") && find(file_name, "dwarf_filesrc");
    has_units = find(next_unit, "dwfl_module_nextcu") && find(has_code, "dwarf_haspc") &&
                find(line_in_unit, "dwarf_getsrc_die") && find(line_file, "dwarf_linesrc") &&
                find(line_number, "dwarf_lineno");
    return find(begin, "dwfl_begin") && find(end, "dwfl_end") &&
           find(report_process, "dwfl_linux_proc_report") &&
           find(report_more, "dwfl_report_begin_add") && find(report_file, "dwfl_report_offline") &&
           find(report_end, "dwfl_report_end") && find(module_of, "dwfl_addrmodule") &&
           find(module_info, "dwfl_module_info") && find(line_of, "dwfl_module_getsrc") &&
           find(name_of, "dwfl_module_addrname") && find(line_info, "dwfl_lineinfo");
  }

  struct Die {
    void* parts[4];
  };
  struct Attribute {
    unsigned code, form;
    void* parts[2];
  };

  char* debuginfo_path = nullptr;
  Callbacks callbacks{};
  void* session = nullptr;
  void* (*begin)(const Callbacks*) = nullptr;
  void (*end)(void*) = nullptr;
  int (*report_process)(void*, pid_t) = nullptr;
  void (*report_more)(void*) = nullptr;
  void* (*report_file)(void*, const char*, const char*, int) = nullptr;
  int (*report_end)(void*, void*, void*) = nullptr;
  void* (*module_of)(void*, std::uint64_t) = nullptr;
  const char* (*module_info)(void*, void***, std::uint64_t*, std::uint64_t*, std::uint64_t*,
                             std::uint64_t*, const char**, const char**) = nullptr;
  void* (*line_of)(void*, std::uint64_t) = nullptr;
  const char* (*name_of)(void*, std::uint64_t) = nullptr;
  const char* (*line_info)(void*, std::uint64_t*, int*, int*, std::uint64_t*,
                           std::uint64_t*) = nullptr;
  // For inlined calls; an old libdw may lack them.
  bool has_scopes = false;
  Die* (*die_of)(void*, std::uint64_t, std::uint64_t*) = nullptr;
  int (*scopes_at)(Die*, std::uint64_t, Die**) = nullptr;
  int (*scopes_of)(Die*, Die**) = nullptr;
  int (*tag_of)(Die*) = nullptr;
  Attribute* (*attribute_of)(Die*, unsigned, Attribute*) = nullptr;
  int (*number_of)(Attribute*, std::uint64_t*) = nullptr;
  int (*files_of)(Die*, void**, std::size_t*) = nullptr;
  const char* (*file_name)(void*, std::size_t, std::uint64_t*, std::uint64_t*) = nullptr;

  // For code without a table of address ranges; clang writes none.
  bool has_units = false;
  Die* (*next_unit)(void*, Die*, std::uint64_t*) = nullptr;
  int (*has_code)(Die*, std::uint64_t) = nullptr;
  void* (*line_in_unit)(Die*, std::uint64_t) = nullptr;
  const char* (*line_file)(void*, std::uint64_t*, std::uint64_t*) = nullptr;
  int (*line_number)(void*, int*) = nullptr;

  /// The compilation unit of the address; null if none has it. `bias` is the difference between
  /// addresses of the module and of the unit.
  Die* unit_of(void* module, std::uint64_t address, std::uint64_t& bias) const {
    Die* unit = has_scopes ? die_of(module, address, &bias) : nullptr;
    if (unit || !has_units) return unit;
    while ((unit = next_unit(module, unit, &bias))) {
      if (has_code(unit, address - bias) > 0) return unit;
    }
    return nullptr;
  }
  /// The file and the line of the address; nullptr if they are not known.
  const char* place_of(void* module, std::uint64_t address, int& line) const {
    if (void* const found = line_of(module, address))
      return line_info(found, nullptr, &line, nullptr, nullptr, nullptr);
    std::uint64_t bias = 0;
    Die* const unit = has_units ? unit_of(module, address, bias) : nullptr;
    void* const found = unit ? line_in_unit(unit, address - bias) : nullptr;
    if (!found || line_number(found, &line) != 0) return nullptr;
    return line_file(found, nullptr, nullptr);
  }

  bool number(Die* die, unsigned attribute, std::uint64_t& value) const {
    Attribute found{};
    return attribute_of(die, attribute, &found) && number_of(&found, &value) == 0;
  }
  void leave_interface(void* module, std::uint64_t address, Place& place) const;
};

// A place in an inlined function of the interface is replaced by the place of the call in the
// program's own code.
void DwarfLines::Library::leave_interface(void* module, std::uint64_t address, Place& place) const {
  constexpr int kInlined = 0x1d;                          // DW_TAG_inlined_subroutine
  constexpr unsigned kCallFile = 0x58, kCallLine = 0x59;  // DW_AT_call_file, DW_AT_call_line
  std::uint64_t bias = 0;
  Die* const unit = has_scopes ? unit_of(module, address, bias) : nullptr;
  void* files = nullptr;
  Die* list = nullptr;
  if (!unit || files_of(unit, &files, nullptr) != 0 || scopes_at(unit, address - bias, &list) <= 0)
    return;
  Die innermost = list[0];  // the outer ones belong to its definition, not to its calls
  std::free(list);
  list = nullptr;
  const int count = scopes_of(&innermost, &list);
  for (int i = 0; i < count && in_interface(place.file); ++i) {
    std::uint64_t file = 0, line = 0;
    if (tag_of(&list[i]) != kInlined || !number(&list[i], kCallFile, file) ||
        !number(&list[i], kCallLine, line))
      continue;
    const char* const name = file_name(files, file, nullptr, nullptr);
    if (!name) break;
    place.file = name;
    place.line = static_cast<std::uint32_t>(line);
  }
  std::free(list);
}

DwarfLines::DwarfLines(std::unique_ptr<Library> library) : library_(std::move(library)) {}
DwarfLines::~DwarfLines() {
  const sim::LockGuard guard(turn());
  static auto& kept = *new std::vector<std::unique_ptr<Library>>;  // at the end of the process
                                                                   // libdw may be unloaded
  if (stopped) kept.push_back(std::move(library_));
  library_.reset();
}

void DwarfLines::stop() {
  const sim::LockGuard guard(turn());
  stopped = true;
}

std::unique_ptr<DwarfLines> DwarfLines::of_this_process() {
  const sim::LockGuard guard(turn());
  if (stopped) return nullptr;
  auto library = Library::load();
  if (!library || library->report_process(library->session, getpid()) != 0 ||
      library->report_end(library->session, nullptr, nullptr) != 0) {
    return nullptr;
  }
  return std::unique_ptr<DwarfLines>(new DwarfLines(std::move(library)));
}

std::unique_ptr<DwarfLines> DwarfLines::of_files() {
  const sim::LockGuard guard(turn());
  auto library = Library::load();
  return library ? std::unique_ptr<DwarfLines>(new DwarfLines(std::move(library))) : nullptr;
}

void DwarfLines::look_up(void* module, std::uint64_t address, Place& place) const {
  if (const char* const name = library_->name_of(module, address)) place.function = demangled(name);
  int number = 0;
  const char* const file = library_->place_of(module, address, number);
  if (!file) return;
  place.file = file;
  place.line = static_cast<std::uint32_t>(number);
  if (in_interface(place.file)) library_->leave_interface(module, address, place);
}

void DwarfLines::look_up(std::uint64_t address, Place& place) const {
  const sim::LockGuard guard(turn());
  if (stopped) return;
  void* const module = library_->module_of(library_->session, address);
  if (module) look_up(module, address, place);
}

void* DwarfLines::open(const std::string& file) {
  const auto [at, added] = modules_.try_emplace(file, nullptr);
  if (!added) return at->second;
  int fd = -1;
  try {
    fd = sim::open_input(file);  // a trace may name anything
  } catch (const sim::FileError&) {
    return nullptr;
  }
  library_->report_more(library_->session);
  at->second = library_->report_file(library_->session, file.c_str(), file.c_str(), fd);
  if (!at->second) ::close(fd);  // else it is the session's now
  if (library_->report_end(library_->session, nullptr, nullptr) != 0) at->second = nullptr;
  return at->second;
}

void DwarfLines::look_up(Place& place) {
  if (place.module.empty()) return;
  const sim::LockGuard guard(turn());
  if (stopped) return;
  void* const module = open(place.module);
  if (!module) return;
  std::uint64_t start = 0;  // the address of the file's start; offsets count from there
  library_->module_info(module, nullptr, &start, nullptr, nullptr, nullptr, nullptr, nullptr);
  look_up(module, start + place.offset, place);
}

}  // namespace order
