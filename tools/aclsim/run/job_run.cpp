// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/run/job_run.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <exception>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "device_sim/base/files.h"
#include "device_sim/sharing/lost_output.h"
#include "tools/aclsim/options/run_options.h"
#include "tools/aclsim/run/end_guard.h"
#include "tools/aclsim/verbs/commands.h"
#include "tools/launch/join_timelines.h"
#include "tools/launch/launcher_variables.h"
#include "tools/launch/memory_file.h"
#include "tools/launch/rank_processes.h"

namespace aclsim {
namespace {

namespace fs = std::filesystem;

constexpr std::uint16_t kPortOfJobs = 29500;  // for jobs of several hosts, which use the same port

std::string variable(const char* name) {
  const char* const text = ::getenv(name);
  return text ? text : "";
}

/// Returns the port if it is unused at the moment, else 0. For port 0, the system chooses a port.
std::uint16_t unused_port(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  socklen_t size = sizeof address;
  const bool found = fd >= 0 && ::bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                     ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  if (fd >= 0) ::close(fd);
  return found ? ntohs(address.sin_port) : 0;
}

/// An unused port below the ports that the system assigns to connections: a connection could take
/// one of these before the job begins.
std::uint16_t free_port() {
  constexpr std::uint16_t kFirst = 20000;
  std::random_device draw;
  for (int attempt = 0; attempt < 64; ++attempt) {
    const auto port = static_cast<std::uint16_t>(kFirst + draw() % (kPortOfJobs - kFirst));
    if (unused_port(port) != 0) return port;
  }
  const std::uint16_t any = unused_port(0);
  return any != 0 ? any : kPortOfJobs;
}

/// The value of MASTER_PORT; 0 if it is not set.
std::uint16_t given_port() {
  const std::string text = variable("MASTER_PORT");
  if (text.empty()) return 0;
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error == std::errc() && end == text.data() + text.size() && port != 0) return port;
  throw std::runtime_error(
      fmt::format("MASTER_PORT is '{}'; expected a number from 1 to 65535", text));
}

launch::Layout layout_of(const RunOptions& run) {
  if (run.hosts.empty()) return launch::Layout(run.ranks);
  try {
    return {run.ranks, launch::parse_hosts(sim::read_file(run.hosts, sim::kMostText))};
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("--hosts: {}: {}", run.hosts, error.what()));
  }
}

int this_host(const RunOptions& run, const launch::Layout& layout) {
  const std::vector<launch::Host>& hosts = layout.names();
  if (hosts.empty()) return 0;
  if (run.host.empty()) {
    const int found = launch::find_this_host(hosts);
    if (found >= 0) return found;
    throw std::runtime_error(
        fmt::format("--hosts: {} lists no name or address of this host; --host NAME selects an "
                    "entry",
                    run.hosts));
  }
  const auto at = std::find_if(hosts.begin(), hosts.end(),
                               [&](const launch::Host& one) { return one.name == run.host; });
  if (at != hosts.end()) return static_cast<int>(at - hosts.begin());
  throw std::runtime_error(fmt::format("--host: '{}' is not in {}", run.host, run.hosts));
}

std::vector<std::string> addresses_of(const launch::Layout& layout) {
  if (layout.names().empty()) return {"127.0.0.1"};
  std::vector<std::string> addresses;
  for (const launch::Host& host : layout.names())
    addresses.push_back(launch::address_of(host.name));
  return addresses;
}

launch::Rendezvous rendezvous_of(const std::vector<std::string>& addresses, bool alone) {
  launch::Rendezvous rendezvous;
  const std::string given = variable("MASTER_ADDR");
  rendezvous.address = given.empty() ? addresses.front() : given;
  rendezvous.port = given_port();
  if (rendezvous.port == 0) rendezvous.port = alone ? free_port() : kPortOfJobs;
  return rendezvous;
}

/// Two jobs of this host with the same number of ranks have the same rank table; only this secret
/// distinguishes their ranks. Jobs of several hosts have no secret, since their hosts cannot agree
/// on one before the job begins.
void draw_secret() {
  std::array<unsigned char, 16> random{};
  if (!variable("ACLSIM_JOB_SECRET").empty()) return;
  if (::getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) return;
  ::setenv("ACLSIM_JOB_SECRET", fmt::format("{:02x}", fmt::join(random, "")).c_str(), 1);
}

/// "run.json" -> "run.rank3.json".
std::string name_for_rank(const std::string& path, int rank) {
  const fs::path whole(path);
  const std::string ending = whole.extension().string();
  const std::string head = path.substr(0, path.size() - ending.size());
  return fmt::format("{}.rank{}{}", head, rank, ending);
}

void complain_of(const launch::JobEnd& end, const std::string& program) {
  if (end.start_error != 0) {
    return complain(fmt::format("run: cannot start {} as rank {}: {}", program, end.rank,
                                std::strerror(end.start_error)));
  }
  if (end.interrupted != 0) return;
  const std::string how = end.code > 128 ? fmt::format("was ended by signal {}", end.code - 128)
                                         : fmt::format("ended with exit code {}", end.code);
  complain(fmt::format("run: rank {} {}; ending the other ranks", end.rank, how));
}

void join_what_is_there(const launch::Layout& layout, int host, const std::string& timeline) {
  std::vector<launch::RankTimeline> written;
  for (int i = 0; i < layout.count_of(host); ++i) {
    const int rank = layout.first_of(host) + i;
    const std::string name = name_for_rank(timeline, rank);
    std::error_code error;
    if (fs::exists(name, error)) written.push_back({name, rank});
  }
  if (written.empty()) return;
  launch::join_timelines(written, timeline);
  std::error_code ignored;
  for (const launch::RankTimeline& one : written) fs::remove(one.path, ignored);
}

}  // namespace

int run_job(const RunOptions& run, const std::string& timeline) try {
  const launch::Layout layout = layout_of(run);
  const int host = this_host(run, layout);
  const std::vector<std::string> addresses = addresses_of(layout);
  if (layout.names().empty()) draw_secret();
  launch::Rendezvous rendezvous = rendezvous_of(addresses, layout.names().empty());
  const launch::MemoryFile table("rank_table.json", layout.rank_table(addresses));
  rendezvous.rank_table = table.path();
  launch::Job job;
  job.program = run.program;
  job.first = layout.first_of(host);
  job.labels = !run.no_labels;
  job.failed = [&](const launch::JobEnd& end) { complain_of(end, run.program[0]); };
  job.child_changed = EndGuard::child_changed;
  for (int i = 0; i < layout.count_of(host); ++i) {
    launch::Variables variables = launch::variables_of(layout, host, i, rendezvous);
    variables.emplace_back(sim::kRunRank, std::to_string(job.first + i));
    if (!timeline.empty()) {
      variables.emplace_back("ACLSIM_TIMELINE", name_for_rank(timeline, job.first + i));
    }
    job.ranks.push_back(std::move(variables));
  }
  if (job.ranks.empty()) {
    complain("run: --hosts: no rank is left for this host");
    return kOk;
  }
  const launch::JobEnd end = launch::run_job(job);
  // Ignored as after a program, so that the files of the ranks can be completed.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::signal(signal, SIG_IGN);
  if (!timeline.empty()) join_what_is_there(layout, host, timeline);
  if (end.lost_output != 0) {
    complain(fmt::format("run: not complete: the output of the ranks ({})",
                         sim::output_error(end.lost_output)));
  }
  return end.code == 0 && end.lost_output != 0 ? kFailed : end.code;
} catch (const std::exception& error) {
  complain(fmt::format("run: {}", error.what()));
  return kUsage;
}

void set_launcher_variables() {
  for (const auto& [name, value] : launch::variables_from_launcher(variable)) {
    ::setenv(name.c_str(), value.c_str(), 1);
  }
}

}  // namespace aclsim
