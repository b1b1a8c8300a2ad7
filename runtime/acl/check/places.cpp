// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/places.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>

#include "runtime/acl/check/sites.h"

namespace acl {
namespace {

std::string demangled(const char* name) {
  int status = 0;
  char* const text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 && text ? text : name;
  std::free(text);
  return result;
}

}  // namespace

// libdw is looked for when a report is written, and is no dependency of the library: the parts of
// its interface that are used stand here.
struct Places::Dwarf {
  struct Callbacks {
    void* find_elf;
    void* find_debuginfo;
    void* section_address;
    char** debuginfo_path;
  };

  static std::unique_ptr<Dwarf> open() {
    auto dwarf = std::make_unique<Dwarf>();
    return dwarf->load() ? std::move(dwarf) : nullptr;
  }
  ~Dwarf() {
    if (session) end(session);
  }

  bool load() {
    void* const library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    const auto find = [library](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
          dlsym(library, name));
      return function != nullptr;
    };
    void* (*begin)(const Callbacks*) = nullptr;
    int (*report)(void*, pid_t) = nullptr;
    int (*report_end)(void*, void*, void*) = nullptr;
    if (!find(begin, "dwfl_begin") || !find(end, "dwfl_end") ||
        !find(report, "dwfl_linux_proc_report") || !find(report_end, "dwfl_report_end") ||
        !find(module_of, "dwfl_addrmodule") || !find(line_of, "dwfl_module_getsrc") ||
        !find(name_of, "dwfl_module_addrname") || !find(line_info, "dwfl_lineinfo")) {
      return false;
    }
    callbacks = {dlsym(library, "dwfl_linux_proc_find_elf"),
                 dlsym(library, "dwfl_standard_find_debuginfo"), nullptr, &debuginfo_path};
    session = begin(&callbacks);
    return session && report(session, getpid()) == 0 && report_end(session, nullptr, nullptr) == 0;
  }

  void look_up(std::uint64_t site, order::Place& place) const {
    void* const module = module_of(session, site);
    if (!module) return;
    if (const char* const name = name_of(module, site)) place.function = demangled(name);
    void* const line = line_of(module, site);
    int number = 0;
    const char* const file =
        line ? line_info(line, nullptr, &number, nullptr, nullptr, nullptr) : nullptr;
    if (!file) return;
    place.file = file;
    place.line = static_cast<std::uint32_t>(number);
  }

  char* debuginfo_path = nullptr;
  Callbacks callbacks{};
  void* session = nullptr;
  void (*end)(void*) = nullptr;
  void* (*module_of)(void*, std::uint64_t) = nullptr;
  void* (*line_of)(void*, std::uint64_t) = nullptr;
  const char* (*name_of)(void*, std::uint64_t) = nullptr;
  const char* (*line_info)(void*, std::uint64_t*, int*, int*, std::uint64_t*,
                           std::uint64_t*) = nullptr;
};

Places::Places() : dwarf_(Dwarf::open()) {}
Places::~Places() = default;

// The address is where a call returns to: the call itself stands just before.
order::Place Places::roughly(std::uint64_t site) {
  order::Place place;
  if (site == 0) return place;
  if (auto named = place_of_named_site(site)) return *std::move(named);
  const std::uint64_t call = site - 1;
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(call), &info) != 0 && info.dli_fname) {
    place.module = info.dli_fname;
    place.offset = call - reinterpret_cast<std::uintptr_t>(info.dli_fbase);
    if (info.dli_sname) place.function = demangled(info.dli_sname);
  }
  return place;
}

order::Place Places::of(std::uint64_t site) {
  order::Place place = roughly(site);
  if (dwarf_ && site != 0 && !place_of_named_site(site)) dwarf_->look_up(site - 1, place);
  return place;
}

}  // namespace acl
