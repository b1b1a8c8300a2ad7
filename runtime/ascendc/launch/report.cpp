// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/report.h"

#include <fmt/format.h>

#include <cstdio>
#include <mutex>
#include <set>
#include <string_view>
#include <tuple>

#include "acl/acl_sim.h"
#include "runtime/acl/embedding/embedding.h"

namespace ascendc {

std::string place_of_site(const void* site) {
  acl::embedding::Runtime* const runtime = aclsimEmbedding(acl::embedding::kVersion);
  return runtime && site ? runtime->place_of(site) : std::string("?");
}

const void* own_site(std::span<const void* const> stack, const void* entry) {
  acl::embedding::Runtime* const runtime = aclsimEmbedding(acl::embedding::kVersion);
  return runtime ? runtime->own_site(stack, entry) : nullptr;
}

// Allocations begin at multiples of 32, so one that ends in a page holds the beginning of a piece of 32 bytes there.
std::string text_of_address(const void* address) {
  constexpr std::uintptr_t kPage = 4096, kPiece = 32;
  acl::embedding::Runtime* const runtime = aclsimEmbedding(acl::embedding::kVersion);
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t page = value / kPage * kPage;
  if (!runtime || page < kPage) return fmt::format("{}", address);
  acl::embedding::Allocation near;
  for (std::uintptr_t at = page; at > page - kPage; at -= kPiece) {
    if (!runtime->find_allocation(reinterpret_cast<const void*>(at - kPiece), near)) continue;
    return fmt::format("{}, {} bytes past the end of an allocation of {} bytes at {}", address,
                       value - near.begin - near.size, near.size, reinterpret_cast<const void*>(near.begin));
  }
  if (!runtime->find_allocation(reinterpret_cast<const void*>(page + kPage), near)) return fmt::format("{}", address);
  return fmt::format("{}, {} bytes before an allocation of {} bytes at {}", address, near.begin - value, near.size,
                     reinterpret_cast<const void*>(near.begin));
}

namespace {

/// True where a checker takes the finding into its report.
bool tell_checker(const char* kernel, const std::string& who, const Finding& finding) {
  acl::embedding::Runtime* const runtime = aclsimEmbedding(acl::embedding::kVersion);
  const std::string_view rule = finding.rule;
  std::string text = fmt::format("{}: {} [{}]", who, finding.text, finding.rule);
  if (!finding.repair.empty()) text += fmt::format("; repair: {}", finding.repair);
  return runtime && runtime->tell_kernel_finding(kernel, finding.site,
                                                 rule == "pipe-race" || rule == "blocks-race", text);
}

}  // namespace

void report(const char* kernel, const std::string& who, const Finding& finding) {
  static std::mutex mutex;
  static auto& told = *new std::set<std::tuple<std::string, Level, const void*, const void*>>;
  {
    const std::lock_guard guard(mutex);
    const bool located = finding.site != nullptr;
    if (located && !told.insert({finding.rule, finding.level, finding.site, finding.other}).second) return;
  }
  if (finding.level == Level::error && tell_checker(kernel, who, finding)) return;
  const char* const levels[] = {"note", "warning", "error"};
  std::string text = fmt::format("aclsim: {}: {}", levels[static_cast<int>(finding.level)], who);
  if (finding.site) text += fmt::format(", {}", place_of_site(finding.site));
  text += fmt::format(": {} [{}]\n", finding.text, finding.rule);
  if (!finding.repair.empty()) text += fmt::format("  repair: {}\n", finding.repair);
  std::fputs(text.c_str(), stderr);
}

}  // namespace ascendc
