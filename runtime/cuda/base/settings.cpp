// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/base/settings.h"

#include <array>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <memory>

#include "device_sim/base/mutex.h"
#include "runtime/cuda/base/error.h"

namespace cuda {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

bool parse(std::string_view text, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::uint64_t number(const char* name, std::uint64_t otherwise, std::uint64_t least,
                     std::uint64_t most) {
  const std::string text = variable(name);
  if (text.empty()) return otherwise;
  std::uint64_t value = 0;
  if (!parse(text, value) || value < least || value > most) {
    refuse("{} is '{}'; expected a number from {} to {}", name, text, least, most);
  }
  return value;
}

/// True for `yes`; false for `no` or an unset variable.
bool choice(const char* name, const char* yes, const char* no) {
  const std::string text = variable(name);
  if (text == yes) return true;
  if (text.empty() || text == no) return false;
  refuse("{} is '{}'; expected {} or {}", name, text, no, yes);
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// CALL:CODE[:COUNT], several with commas between them.
std::vector<Fault> parse_faults(const std::string& text) {
  std::vector<Fault> faults;
  if (text.empty()) return faults;
  for (const std::string_view entry : split(text, ',')) {
    const auto parts = split(entry, ':');
    Fault fault;
    std::uint64_t code = 0;
    fault.count = ~std::uint64_t{0};
    constexpr std::array kCalls = {"create", "add", "bind", "map"};
    bool good = parts.size() >= 2 && parts.size() <= 3 && parse(parts[1], code) && code != 0 &&
                code < 1000 && (parts.size() == 2 || parse(parts[2], fault.count));
    bool known = false;
    for (const char* const call : kCalls) known = known || parts[0] == call;
    if (!good || !known) {
      refuse(
          "ACLSIM_CUDA_FAULTS has '{}'; expected create, add, bind or map, a colon, a code of "
          "CUDA, and, where it shall end, a colon and a count: bind:802:3",
          entry);
    }
    fault.call = parts[0];
    fault.code = static_cast<CUresult>(code);
    faults.push_back(std::move(fault));
  }
  return faults;
}

sim::Mutex fault_mutex;
std::vector<Fault> pending_faults GUARDED_BY(fault_mutex);  // faults that have not happened yet
std::string fault_text GUARDED_BY(fault_mutex);
std::atomic<const Settings*> current{nullptr};

}  // namespace

Settings Settings::from_environment() {
  Settings read;
  read.multicast = number("ACLSIM_CUDA_MULTICAST", 1, 0, 1) != 0;
  read.fabric = number("ACLSIM_CUDA_FABRIC", 1, 0, 1) != 0;
  read.lenient_stores = choice("ACLSIM_CUDA_UNBOUND", "lenient", "strict");
  read.refuse_reads = choice("ACLSIM_CUDA_MULTICAST_READS", "refuse", "local");
  const std::uint64_t megabytes = number("ACLSIM_CUDA_GRANULARITY_MB", 512, 2, 1 << 20);
  if (megabytes % 2 != 0)
    refuse("ACLSIM_CUDA_GRANULARITY_MB is {}; expected an even number", megabytes);
  read.recommended_fabric = megabytes << 20;
  read.most_objects = number("ACLSIM_CUDA_MULTICAST_OBJECTS", 1024, 0, 1 << 20);
  read.patience =
      std::chrono::milliseconds(number("ACLSIM_CUDA_JOIN_REPORT_MS", 30'000, 1, 86'400'000));
  read.faults = parse_faults(variable("ACLSIM_CUDA_FAULTS"));
  return read;
}

const Settings& settings() {
  if (const Settings* const read = current.load()) return *read;
  static const Settings usual;
  return usual;
}

void read_settings() {
  auto read = std::make_unique<Settings>(Settings::from_environment());
  const sim::LockGuard guard(fault_mutex);
  const std::string text = variable("ACLSIM_CUDA_FAULTS");
  if (text != fault_text) {
    fault_text = text;
    pending_faults = read->faults;
  }
  // The earlier ones stay: another thread may be reading them.
  static auto& all = *new std::vector<std::unique_ptr<Settings>>;
  all.push_back(std::move(read));
  current = all.back().get();
}

void may_fail(std::string_view call) {
  const sim::LockGuard guard(fault_mutex);
  for (Fault& fault : pending_faults) {
    if (fault.call != call || fault.count == 0) continue;
    --fault.count;
    fail(fault.code, "configured in ACLSIM_CUDA_FAULTS: {}",
         text_of(fault.code) ? text_of(fault.code) : "a failure");
  }
}

}  // namespace cuda
