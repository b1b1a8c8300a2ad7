// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/kernel/elf_file.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>

#include "runtime/acl/base/error.h"

// This library's own header, made by the linker: it knows which machine this is.
extern "C" const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

namespace acl {
namespace {

[[noreturn]] void fail_truncated(const char* what) {
  fail(ACL_ERROR_RT_PARAM_INVALID, "the shared object is damaged: its {} lie outside the file",
       what);
}

template <class T>
bool read_at(std::string_view bytes, std::uint64_t offset, T& out) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof out) return false;
  std::memcpy(&out, bytes.data() + offset, sizeof out);
  return true;
}

/// Entry `index` of a table in the file.
template <class T>
T table_entry(std::string_view bytes, std::uint64_t table, std::uint64_t index, const char* what) {
  T entry;
  if (table > bytes.size() || !read_at(bytes, table + index * sizeof(T), entry)) {
    fail_truncated(what);
  }
  return entry;
}

std::string_view text_at(std::string_view bytes, const ElfW(Shdr) & strings, std::uint64_t offset) {
  if (strings.sh_offset > bytes.size() || strings.sh_size > bytes.size() - strings.sh_offset ||
      offset >= strings.sh_size) {
    fail_truncated("names");
  }
  const auto text = bytes.substr(strings.sh_offset + offset, strings.sh_size - offset);
  return text.substr(0, text.find('\0'));
}

bool is_exported(const ElfW(Sym) & symbol) {
  const auto visibility = ELF64_ST_VISIBILITY(symbol.st_other);
  return symbol.st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) != STB_LOCAL &&
         (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

void read_symbols(std::string_view bytes, const ElfW(Shdr) & table, const ElfW(Shdr) & strings,
                  std::vector<ElfFile::Symbol>& out) {
  for (std::uint64_t i = 1; i < table.sh_size / sizeof(ElfW(Sym)); ++i) {
    const auto symbol = table_entry<ElfW(Sym)>(bytes, table.sh_offset, i, "symbols");
    const auto type = ELF64_ST_TYPE(symbol.st_info);
    const bool function = type == STT_FUNC || type == STT_GNU_IFUNC;
    if (!is_exported(symbol) || !(function || type == STT_OBJECT)) continue;
    out.push_back({std::string(text_at(bytes, strings, symbol.st_name)), function,
                   static_cast<std::size_t>(symbol.st_size)});
  }
}

/// The dynamic loader trusts these numbers, so a file that was cut off must not reach it.
std::size_t check_segments(std::string_view bytes, const ElfW(Ehdr) & header) {
  std::uint64_t first = UINT64_MAX;
  std::uint64_t last = 0;
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = table_entry<ElfW(Phdr)>(bytes, header.e_phoff, i, "segment headers");
    if (segment.p_type != PT_LOAD) continue;
    if (segment.p_offset > bytes.size() || segment.p_filesz > bytes.size() - segment.p_offset) {
      fail_truncated("segments");
    }
    first = std::min(first, segment.p_vaddr);
    last = std::max(last, segment.p_vaddr + segment.p_memsz);
  }
  return last > first ? last - first : 0;
}

const char* type_name(std::uint16_t type) {
  switch (type) {
    case ET_REL:
      return "relocatable object";
    case ET_EXEC:
      return "executable";
    case ET_DYN:
      return "shared object";
    case ET_CORE:
      return "core dump";
  }
  return "file of an unknown type";
}

bool is_elf(std::string_view bytes) { return bytes.starts_with(std::string_view(ELFMAG, SELFMAG)); }

std::string describe_elf(std::string_view bytes) {
  ElfW(Ehdr) header;
  if (!read_at(bytes, 0, header)) return "an ELF file that was cut off";
  if (header.e_ident[EI_CLASS] != __ehdr_start.e_ident[EI_CLASS] ||
      header.e_ident[EI_DATA] != __ehdr_start.e_ident[EI_DATA]) {
    return "an ELF file with another word size or byte order than this machine's";
  }
  return fmt::format("an ELF {} for machine {} (this one is {})", type_name(header.e_type),
                     header.e_machine, __ehdr_start.e_machine);
}

}  // namespace

std::string describe_file(std::string_view bytes) {
  if (bytes.empty()) return "nothing: it is empty";
  if (is_elf(bytes)) return describe_elf(bytes);
  if (bytes.starts_with("!<arch>\n")) return "an archive of objects";
  const auto first = bytes.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && bytes[first] == '{') return "a JSON description";
  std::string text = "bytes of no known kind, beginning with";
  for (const char byte : bytes.substr(0, 4)) {
    text += fmt::format(" {:02x}", static_cast<unsigned char>(byte));
  }
  return text;
}

std::optional<ElfFile> ElfFile::read(std::string_view bytes) {
  ElfW(Ehdr) header;
  if (!is_elf(bytes) || !read_at(bytes, 0, header)) return {};
  if (std::memcmp(header.e_ident, __ehdr_start.e_ident, EI_VERSION) != 0 ||
      header.e_machine != __ehdr_start.e_machine || header.e_type != ET_DYN) {
    return {};
  }
  ElfFile file;
  file.span = check_segments(bytes, header);
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const auto section = table_entry<ElfW(Shdr)>(bytes, header.e_shoff, i, "section headers");
    if (section.sh_type != SHT_DYNSYM) continue;
    const auto strings =
        table_entry<ElfW(Shdr)>(bytes, header.e_shoff, section.sh_link, "section headers");
    read_symbols(bytes, section, strings, file.exported);
  }
  return file;
}

}  // namespace acl
