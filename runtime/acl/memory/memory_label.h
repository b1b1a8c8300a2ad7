// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "acl/acl_rt.h"
#include "device_sim/memory/address_space.h"

namespace acl {

/// ACL's properties of an allocation, which the machine keeps as a number (sim::Allocation::label).
struct MemoryLabel {
  enum class Use : std::uint8_t {
    plain,
    managed,  // host and devices share it by address; it lives among the host's pinned memory
    pooled,   // a block of a stream-ordered pool
  };
  enum class Page : std::uint8_t { normal, huge, huge_1g };

  std::uint16_t module = 0;  // ACL_RT_MEM_ATTR_MODULE_ID; 0: not said
  Use use = Use::plain;
  Page page = Page::normal;

  constexpr std::uint32_t pack() const noexcept {
    return module | static_cast<std::uint32_t>(use) << 16 | static_cast<std::uint32_t>(page) << 24;
  }
  static constexpr MemoryLabel unpack(std::uint32_t label) noexcept {
    return {static_cast<std::uint16_t>(label), static_cast<Use>(label >> 16 & 0xff),
            static_cast<Page>(label >> 24)};
  }
  static constexpr MemoryLabel of(const sim::Allocation& allocation) noexcept {
    return unpack(allocation.label);
  }

  constexpr std::uint32_t page_bytes() const noexcept {
    return page == Page::normal ? 4096u : page == Page::huge ? 2u << 20 : 1u << 30;
  }
  /// The pages that a policy asks for; where it says none, large pieces get large pages.
  static constexpr Page page_of(aclrtMemMallocPolicy policy, std::size_t size) noexcept {
    switch (static_cast<unsigned>(policy) & 0xff) {
      case ACL_MEM_MALLOC_HUGE_FIRST:
      case ACL_MEM_MALLOC_HUGE_ONLY:
      case ACL_MEM_MALLOC_HUGE_FIRST_P2P:
      case ACL_MEM_MALLOC_HUGE_ONLY_P2P:
        return Page::huge;
      case ACL_MEM_MALLOC_HUGE1G_ONLY:
      case ACL_MEM_MALLOC_HUGE1G_ONLY_P2P:
        return Page::huge_1g;
      case ACL_MEM_MALLOC_NORMAL_ONLY:
      case ACL_MEM_MALLOC_NORMAL_ONLY_P2P:
        return Page::normal;
      default:
        return size >= (std::size_t{2} << 20) ? Page::huge : Page::normal;
    }
  }
};

}  // namespace acl
