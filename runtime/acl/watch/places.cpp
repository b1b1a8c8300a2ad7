// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/watch/places.h"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <span>
#include <string>

#include "runtime/acl/watch/sites.h"
#include "runtime/acl/watch/stacks.h"

namespace acl {
namespace {

constexpr std::size_t kMostForRepairs = 3;

std::atomic<std::size_t> least_frames{1};

/// The place of the innermost frame, with its callers.
template <class PlaceOf>
order::Place with_callers(std::span<const std::uint64_t> frames, const PlaceOf& place_of) {
  const std::size_t shown =
      std::min(frames.size(), std::max(least_frames.load(), telling_frames(frames)));
  order::Place place = place_of(frames.front());
  for (std::size_t i = 1; i < frames.size() && i < std::max(shown, kMostForRepairs); ++i) {
    (i < shown ? place.callers : place.further_callers).push_back(place_of(frames[i]));
  }
  return place;
}

}  // namespace

Places::Places() : lines_(order::DwarfLines::of_this_process()) {}
Places::~Places() = default;

// The address is where a call returns to: the call itself stands just before.
order::Place Places::roughly(std::uint64_t site) {
  order::Place place;
  if (const auto frames = frames_of_stack_site(site); !frames.empty())
    return roughly(frames.front());
  if (site == 0) return place;
  if (auto named = place_of_named_site(site)) return *std::move(named);
  const std::uint64_t call = site - 1;
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(call), &info) != 0 && info.dli_fname) {
    place.module = info.dli_fname;
    place.offset = call - reinterpret_cast<std::uintptr_t>(info.dli_fbase);
    if (info.dli_sname) place.function = order::demangled(info.dli_sname);
  }
  return place;
}

// By the system's list: the loader, which knows more, may wait for a thread that waits for the
// checker.
order::Place Places::without_loader(std::uint64_t site) {
  if (const auto frames = frames_of_stack_site(site); !frames.empty()) {
    return with_callers(frames, [](std::uint64_t frame) { return without_loader(frame); });
  }
  if (auto named = place_of_named_site(site)) return *std::move(named);
  order::Place place;
  std::uint64_t base = 0;
  std::string module;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; site != 0 && std::getline(maps, line);) {
    unsigned long long from = 0, to = 0;
    int path_at = 0;
    const char* const form = "%llx-%llx %*s %*s %*s %*s %n";
    if (std::sscanf(line.c_str(), form, &from, &to, &path_at) < 2) continue;
    const std::string path = line.substr(static_cast<std::size_t>(path_at));
    if (path != module) base = from;
    module = path;
    if (site - 1 < from || site - 1 >= to) continue;
    place.module = module;
    place.offset = site - 1 - base;
    break;
  }
  return place;
}

void Places::show_frames(std::size_t least) { least_frames = least; }

order::Place Places::of(std::uint64_t site) {
  if (const auto frames = frames_of_stack_site(site); !frames.empty()) {
    return with_callers(frames, [this](std::uint64_t frame) { return of(frame); });
  }
  order::Place place = roughly(site);
  if (lines_ && site != 0 && !place_of_named_site(site)) lines_->look_up(site - 1, place);
  return place;
}

}  // namespace acl
