// SPDX-License-Identifier: Apache-2.0
#include "tests/killed/slow_exec.h"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

namespace killed {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::uint64_t kBase = 0x400000;
constexpr std::size_t kSegments = 1'000;  // the kernel accepts 64 KiB of program headers
constexpr std::size_t kCodeAt =
    (sizeof(Elf64_Ehdr) + kSegments * sizeof(Elf64_Phdr) + kPage - 1) / kPage * kPage;

#if defined(__x86_64__)
constexpr Elf64_Half kMachine = EM_X86_64;
constexpr unsigned char kCode[] = {
    0x48, 0x8b, 0x7c, 0x24, 0x08,  // mov rdi, [rsp + 8]: the path is argument 0
    0x48, 0x8d, 0x74, 0x24, 0x08,  // lea rsi, [rsp + 8]
    0x48, 0x8b, 0x04, 0x24,        // mov rax, [rsp]
    0x48, 0x8d, 0x54, 0xc4, 0x10,  // lea rdx, [rsp + rax * 8 + 16]
    0xb8, 0x3b, 0x00, 0x00, 0x00,  // mov eax, 59 (execve)
    0x0f, 0x05,                    // syscall
    0x89, 0xc7,                    // mov edi, eax
    0xb8, 0x3c, 0x00, 0x00, 0x00,  // mov eax, 60 (exit)
    0x0f, 0x05,                    // syscall
};
#else
constexpr Elf64_Half kMachine = EM_NONE;
constexpr unsigned char kCode[] = {0};
#endif

Elf64_Ehdr header() {
  Elf64_Ehdr it{};
  std::memcpy(it.e_ident, ELFMAG, SELFMAG);
  it.e_ident[EI_CLASS] = ELFCLASS64;
  it.e_ident[EI_DATA] = ELFDATA2LSB;
  it.e_ident[EI_VERSION] = EV_CURRENT;
  it.e_type = ET_EXEC;
  it.e_machine = kMachine;
  it.e_version = EV_CURRENT;
  it.e_entry = kBase;
  it.e_phoff = sizeof(Elf64_Ehdr);
  it.e_ehsize = sizeof(Elf64_Ehdr);
  it.e_phentsize = sizeof(Elf64_Phdr);
  it.e_phnum = kSegments;
  return it;
}

/// All segments map the same page of code, with a gap after each.
Elf64_Phdr segment(std::size_t index) {
  Elf64_Phdr it{};
  it.p_type = PT_LOAD;
  it.p_flags = PF_R | PF_X;
  it.p_offset = kCodeAt;
  it.p_vaddr = it.p_paddr = kBase + index * 2 * kPage;
  it.p_filesz = it.p_memsz = it.p_align = kPage;
  return it;
}

template <typename Part>
void append(std::string& bytes, const Part& part) {
  bytes.append(reinterpret_cast<const char*>(&part), sizeof part);
}

}  // namespace

bool write_slow_exec(const std::filesystem::path& path) {
  if (kMachine == EM_NONE) return false;
  std::string bytes;
  append(bytes, header());
  for (std::size_t index = 0; index < kSegments; ++index) append(bytes, segment(index));
  bytes.resize(kCodeAt);
  append(bytes, kCode);
  bytes.resize(kCodeAt + kPage);
  std::ofstream(path, std::ios::binary) << bytes;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return true;
}

}  // namespace killed
