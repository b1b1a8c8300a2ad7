// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <set>
#include <string_view>
#include <tuple>

#include "acl/acl_sim.h"
#include "device_sim/base/mutex.h"
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

namespace {

std::string text_of(const acl::embedding::Allocation& allocation) {
  std::string text =
      fmt::format("an allocation of {} bytes at {:#x}", allocation.size, allocation.begin);
  if (allocation.caller) text += fmt::format(", allocated at {}", place_of_site(allocation.caller));
  return text;
}

/// A pointer may be off by as much as the allocation is large, and by 1 MiB.
bool is_near(std::uintptr_t distance, const acl::embedding::Allocation& allocation) {
  constexpr std::uintptr_t kNear = std::uintptr_t{1} << 20;
  return allocation.serial != 0 && distance <= std::max<std::uintptr_t>(allocation.size, kNear);
}

}  // namespace

std::string beside_allocation(const void* address) {
  acl::embedding::Runtime* const runtime = aclsimEmbedding(acl::embedding::kVersion);
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  const auto around = runtime ? runtime->find_around(address) : acl::embedding::Around();
  if (around.freed.serial != 0) {
    return fmt::format("freed{}: byte {} of {}",
                       around.freed_by ? " at " + place_of_site(around.freed_by) : std::string(),
                       value - around.freed.begin, text_of(around.freed));
  }
  const std::uintptr_t past = value - around.before.begin - around.before.size;
  const std::uintptr_t ahead = around.behind.begin - value;
  const bool near_before = is_near(past, around.before);
  if (is_near(ahead, around.behind) && (!near_before || ahead < past)) {
    return fmt::format("{} bytes before {}", ahead, text_of(around.behind));
  }
  return near_before ? fmt::format("{} bytes past the end of {}", past, text_of(around.before))
                     : std::string();
}

std::string text_of_address(const void* address) {
  const std::string beside = beside_allocation(address);
  return fmt::format("{}{}{}", address, beside.empty() ? "" : ", ", beside);
}

namespace {

/// True if a checker takes the finding into its report.
bool tell_checker(const Task& task, const std::string& who, const Finding& finding) {
  acl::embedding::Runtime* const runtime = aclsimEmbedding(acl::embedding::kVersion);
  const std::string_view rule = finding.rule;
  acl::embedding::KernelFinding found;
  found.kernel = task.kernel;
  found.site = finding.site;
  found.other = finding.other;
  found.other_what = finding.other_what;
  found.race = rule == "pipe-race" || rule == "blocks-race";
  found.warning = finding.level == Level::warning;
  found.device = task.device;
  found.stream_id = task.stream_id;
  found.text = fmt::format("{}: {} [{}]", who, finding.text, finding.rule);
  found.repair = finding.repair.empty() ? usual_repair(rule) : finding.repair;
  return runtime && runtime->tell_kernel_finding(found);
}

}  // namespace

void report(const Task& task, const std::string& who, const Finding& finding) {
  static sim::Mutex mutex;
  static auto& told = *new std::set<std::tuple<std::string, Level, const void*, const void*>>;
  {
    const sim::LockGuard guard(mutex);
    const bool located = finding.site != nullptr;
    if (located && !told.insert({finding.rule, finding.level, finding.site, finding.other}).second)
      return;
  }
  const bool for_checker = finding.level == Level::error || finding.for_checker;
  if (for_checker && tell_checker(task, who, finding)) return;
  const char* const levels[] = {"note", "warning", "error"};
  std::string text = fmt::format("aclsim: {}: {}", levels[static_cast<int>(finding.level)], who);
  const std::string place = finding.site ? place_of_site(finding.site) : std::string();
  if (!place.empty()) text += ", " + place;
  text += fmt::format(": {} [{}]\n", finding.text, finding.rule);
  if (!finding.repair.empty()) text += fmt::format("  repair: {}\n", finding.repair);
  std::fputs(text.c_str(), stderr);
}

}  // namespace ascendc
