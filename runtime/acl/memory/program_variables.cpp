// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/memory/program_variables.h"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <span>
#include <string>
#include <utility>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"

namespace acl {
namespace {

/// The bytes of a file during the life of this object; empty if the file cannot be read.
class MappedFile {
 public:
  explicit MappedFile(const char* path) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about {};
    if (fd < 0) return;
    if (fstat(fd, &about) == 0 && about.st_size > 0) {
      const auto size = static_cast<std::size_t>(about.st_size);
      void* const at = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
      if (at != MAP_FAILED) bytes_ = {static_cast<const std::byte*>(at), size};
    }
    close(fd);
  }
  ~MappedFile() {
    if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// `count` of them at an offset; empty where the file ends before.
  template <class T>
  std::span<const T> at(std::uint64_t offset, std::uint64_t count) const {
    if (offset > bytes_.size() || count > (bytes_.size() - offset) / sizeof(T)) return {};
    return {reinterpret_cast<const T*>(bytes_.data() + offset), static_cast<std::size_t>(count)};
  }

 private:
  std::span<const std::byte> bytes_;
};

/// The loaded file that contains an address, and its distance from the addresses in the file.
struct LoadedFile {
  std::uintptr_t address;
  std::string path;
  std::uintptr_t base = 0;
  bool found = false;
};

int look(dl_phdr_info* info, std::size_t, void* data) {
  LoadedFile& file = *static_cast<LoadedFile*>(data);
  for (const ElfW(Phdr) & segment : std::span(info->dlpi_phdr, info->dlpi_phnum)) {
    if (segment.p_type != PT_LOAD) continue;
    if (file.address - info->dlpi_addr - segment.p_vaddr >= segment.p_memsz) continue;
    file.path = *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
    file.base = info->dlpi_addr;
    file.found = true;
    return 1;
  }
  return 0;
}

/// The size of the variable with that value in a table of symbols; 0 if the table has none.
std::size_t size_in(const MappedFile& file, const ElfW(Shdr) & table, std::uintptr_t value) {
  for (const ElfW(Sym) & symbol :
       file.at<ElfW(Sym)>(table.sh_offset, table.sh_size / sizeof(ElfW(Sym)))) {
    const bool variable =
        ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_shndx != SHN_UNDEF;
    if (variable && symbol.st_value == value && symbol.st_size != 0) return symbol.st_size;
  }
  return 0;
}

}  // namespace

std::optional<ProgramVariable> read_variable(const void* address) {
  LoadedFile loaded{reinterpret_cast<std::uintptr_t>(address), {}, 0, false};
  dl_iterate_phdr(look, &loaded);
  if (!loaded.found) return {};
  const MappedFile file(loaded.path.c_str());
  const auto header = file.at<ElfW(Ehdr)>(0, 1);
  if (header.empty()) return {};
  for (const ElfW(Shdr) & section : file.at<ElfW(Shdr)>(header[0].e_shoff, header[0].e_shnum)) {
    if (section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM) continue;
    const std::size_t size = size_in(file, section, loaded.address - loaded.base);
    if (size != 0) return ProgramVariable{const_cast<void*>(address), size};
  }
  return {};
}

ProgramVariable ProgramVariables::take(const void* symbol) {
  const auto begin = reinterpret_cast<std::uintptr_t>(symbol);
  const sim::LockGuard guard(mutex_);
  if (const auto known = sizes_.find(begin); known != sizes_.end()) {
    return {const_cast<void*>(symbol), known->second};
  }
  const auto variable = read_variable(symbol);
  if (!variable) {
    fail(ACL_ERROR_RT_INVALID_SYMBOL,
         "symbol is {}, where no variable begins that the program's files name; expected the "
         "address of a "
         "global or static variable, in a file that was not stripped",
         symbol);
  }
  sizes_.emplace(begin, variable->size);
  count.store(sizes_.size(), std::memory_order_release);
  return *variable;
}

std::optional<ProgramVariable> ProgramVariables::find(const void* address) const {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const sim::LockGuard guard(mutex_);
  auto next = sizes_.upper_bound(at);
  if (next == sizes_.begin()) return {};
  const auto& [begin, size] = *std::prev(next);
  if (at - begin >= size) return {};
  return ProgramVariable{reinterpret_cast<void*>(begin), size};
}

void ProgramVariables::reset() {
  const sim::LockGuard guard(mutex_);
  sizes_.clear();
  count.store(0, std::memory_order_release);
}

}  // namespace acl
