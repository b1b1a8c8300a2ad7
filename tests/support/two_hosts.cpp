// SPDX-License-Identifier: Apache-2.0
#include "tests/support/two_hosts.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "tests/support/catch.h"
#include "tests/support/waiting.h"

namespace support {
namespace {

/// In a thread of its own, whose namespace may be another one then.
template <class Body>
void in_thread(Body&& body) {
  std::thread(body).join();
}

bool ip(const std::string& arguments) {
  return std::system(("{ ip " + arguments + "; } >/dev/null 2>&1").c_str()) == 0;
}

/// Mounts /sys again: UCX reads the interfaces below /sys, which shows the interfaces of the
/// namespace that mounted it.
bool show_own_interfaces() {
  return unshare(CLONE_NEWNS) == 0 && mount("", "/", "none", MS_SLAVE | MS_REC, nullptr) == 0 &&
         umount2("/sys", MNT_DETACH) == 0 && mount("sysfs", "/sys", "sysfs", 0, nullptr) == 0;
}

void skip(const std::string& why) {
  if (getenv("CI") && getuid() == 0) throw std::runtime_error("continuous integration: " + why);
  WARN("skipped: " << why);
}

}  // namespace

std::unique_ptr<TwoHosts> TwoHosts::make() {
#if !ACLSIM_HAVE_UCX
  skip("this build has no transport between hosts (libucx-dev)");
  return nullptr;
#endif
  std::unique_ptr<TwoHosts> made(new TwoHosts);
  for (int& space : made->spaces_) {
    in_thread([&] {
      if (unshare(CLONE_NEWNET) == 0)
        space = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
    });
    if (space < 0) {
      skip("this system lets tests make no network namespace");
      return nullptr;
    }
  }
  if (made->connect()) return made;
  skip("this system lets tests make no veth, or has no ip (iproute2)");
  return nullptr;
}

bool TwoHosts::connect() {
  const std::string second =
      "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(spaces_[1]);
  bool laid = false;
  on(0, [&] { laid = ip("link add cable type veth peer name cable netns " + second); });
  for (int host = 0; host < 2 && laid; ++host) {
    on(host, [&] {
      laid = ip("link set lo up") &&
             ip(std::string("addr add ") + kAddresses[host] + "/24 dev cable") &&
             ip("link set cable up");
    });
  }
  for (int host = 0; host < 2 && laid; ++host) {
    on(host, [&] {
      // The system notices a moment later that both ends are up.
      laid = eventually([] { return ip("link show cable | grep -q 'state UP'"); });
    });
  }
  return laid;
}

TwoHosts::~TwoHosts() {
  for (const int space : spaces_) {
    if (space >= 0) close(space);
  }
}

void TwoHosts::on(int host, const std::function<void()>& body) const {
  bool there = true;
  in_thread([&] {
    there = setns(spaces_[host], CLONE_NEWNET) == 0 && show_own_interfaces();
    if (there) body();
  });
  if (!there) throw std::runtime_error("a thread cannot move to another host");
}

std::unique_ptr<RunningChild> TwoHosts::start(int host, const std::string& program,
                                              const Environment& environment) const {
  std::unique_ptr<RunningChild> child;
  on(host, [&] { child = std::make_unique<RunningChild>(program, environment); });
  return child;
}

void TwoHosts::cut_cable() const {
  on(0, [] { ip("link set cable down"); });
}

}  // namespace support
