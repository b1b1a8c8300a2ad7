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
