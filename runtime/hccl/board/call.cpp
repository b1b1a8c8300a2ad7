// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/board/call.h"

#include <fmt/format.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "device_sim/base/mutex.h"
#include "runtime/fabric/base/bytes.h"
#include "runtime/hccl/base/types.h"

namespace hccl {
namespace {

std::uintptr_t begin_of(const dl_phdr_info& info) {
  std::uintptr_t begin = ~std::uintptr_t{0};
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& part = info.dlpi_phdr[i];
    if (part.p_type == PT_LOAD) begin = std::min<std::uintptr_t>(begin, part.p_vaddr);
  }
  return info.dlpi_addr + begin;
}

bool holds(const dl_phdr_info& info, std::uintptr_t address) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& part = info.dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    if (address - (info.dlpi_addr + part.p_vaddr) < part.p_memsz) return true;
  }
  return false;
}

/// The system reports an empty name for the program itself.
void set_name(char (&to)[128], const char* name) {
  char program[256] = {};
  if (*name == 0 && readlink("/proc/self/exe", program, sizeof program - 1) > 0) name = program;
  const std::size_t size = std::strlen(name);
  // The end of a path is more helpful than its beginning.
  std::strncpy(to, name + (size < sizeof to ? 0 : size - sizeof to + 1), sizeof to - 1);
}

struct Search {
  std::uintptr_t address = 0;  // input or result
  Site site;
};

Site find_site(const void* address) {
  Search search{reinterpret_cast<std::uintptr_t>(address), {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& found = *static_cast<Search*>(data);
        if (!holds(*info, found.address)) return 0;
        set_name(found.site.module, info->dlpi_name);
        found.site.offset = found.address - begin_of(*info);
        return 1;
      },
      &search);
  return search.site;
}

}  // namespace

const char* name_of(Kind kind) noexcept {
  switch (kind) {
    case Kind::all_reduce:
      return "HcclAllReduce";
    case Kind::broadcast:
      return "HcclBroadcast";
    case Kind::reduce_scatter:
      return "HcclReduceScatter";
    case Kind::reduce_scatter_v:
      return "HcclReduceScatterV";
    case Kind::scatter:
      return "HcclScatter";
    case Kind::all_gather:
      return "HcclAllGather";
    case Kind::all_gather_v:
      return "HcclAllGatherV";
    case Kind::all_to_all:
      return "HcclAlltoAll";
    case Kind::all_to_all_v:
      return "HcclAlltoAllV";
    case Kind::all_to_all_vc:
      return "HcclAlltoAllVC";
    case Kind::reduce:
      return "HcclReduce";
    case Kind::barrier:
      return "HcclBarrier";
    case Kind::send:
      return "HcclSend";
    case Kind::receive:
      return "HcclRecv";
  }
  return "an unknown operation";
}

const Site& Site::of(const void* address) {
  thread_local const void* last = nullptr;  // loops often call from one place
  thread_local const Site* site_of_last = nullptr;
  if (address == last && last) return *site_of_last;
  site_of_last = &look_up(address);
  last = address;
  return *site_of_last;
}

const Site& Site::look_up(const void* address) {
  static auto* const mutex = new sim::Mutex;  // programs call until the process exits
  static auto* const known PT_GUARDED_BY(*mutex) = new std::unordered_map<const void*, Site>;
  const sim::LockGuard guard(*mutex);
  const auto [it, made] = known->try_emplace(address);
  if (made) it->second = find_site(address);
  return it->second;
}

const void* Site::here() const {
  Search search{0, *this};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        char name[128] = {};
        set_name(name, info->dlpi_name);
        if (std::strcmp(name, wanted.site.module) != 0) return 0;
        const std::uintptr_t address = begin_of(*info) + wanted.site.offset;
        if (holds(*info, address)) wanted.address = address;
        return 1;
      },
      &search);
  return reinterpret_cast<const void*>(search.address);
}

std::string Site::text() const {
  // Another process has written it.
  const std::string_view path(module, strnlen(module, sizeof module));
  const std::size_t slash = path.rfind('/');
  return fmt::format("{}+{:#x}",
                     fabric::printable(slash == path.npos ? path : path.substr(slash + 1)), offset);
}

void Call::set_counts(const std::uint64_t* values, std::size_t size) noexcept {
  counts = size;
  std::copy_n(values, std::min(size, first.size()), first.begin());
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t i = 0; i < size; ++i) hash = (hash ^ values[i]) * 0x100000001b3;
  digest = hash | 1;
}

// "counts [4, 8]" or "counts [4, 8, 0, 3 and 12 more, digest 1a2b3c4d]": texts of calls that differ
// show them.
static std::string counts_text(const Call& call) {
  const std::size_t shown = std::min<std::size_t>(call.counts, call.first.size());
  std::string text =
      fmt::format("counts [{}", fmt::join(call.first.begin(), call.first.begin() + shown, ", "));
  if (call.counts > shown) {
    text += fmt::format(" and {} more, digest {:08x}", call.counts - shown,
                        static_cast<std::uint32_t>(call.digest));
  }
  return text + "]";
}

std::string Call::text() const {
  std::string text = name_of(kind);
  const char* before = "(";
  const auto add = [&](const std::string& part) {
    text += before + part;
    before = ", ";
  };
  const bool pairs = kind == Kind::all_to_all_v || kind == Kind::all_to_all_vc ||
                     kind == Kind::all_gather_v || kind == Kind::reduce_scatter_v;
  if (kind != Kind::barrier && !pairs) add(fmt::format("count {}", count));
  if (type != kNone) add(name_of(static_cast<HcclDataType>(type)));
  if (op != kNone) add(name_of(static_cast<HcclReduceOp>(op)));
  if (root != kNone) add(fmt::format("root {}", root));
  if (counts != 0) add(counts_text(*this));
  return text + (*before == '(' ? "" : ")");
}

bool Call::fits(const Call& other) const noexcept {
  return kind == other.kind && type == other.type && op == other.op && root == other.root &&
         count == other.count && counts == other.counts && digest == other.digest;
}

std::uint64_t Call::code() const noexcept {
  std::uint64_t code = static_cast<std::uint64_t>(kind) + 1;
  bool whole = digest == 0;
  const auto add = [&](std::uint64_t value, unsigned bits) {
    whole = whole && value < std::uint64_t{1} << bits;
    code = code << bits | value;
  };
  // kNone, the largest number, becomes 0.
  add(static_cast<std::uint32_t>(type + 1), 8);
  add(static_cast<std::uint32_t>(op + 1), 8);
  add(static_cast<std::uint32_t>(root + 1), 24);
  add(count, 16);
  return whole ? code : 0;
}

}  // namespace hccl
