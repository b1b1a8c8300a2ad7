// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/driver/team_file.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <ctime>
#include <system_error>

#include "device_sim/sharing/ipc_protocol.h"
#include "runtime/cuda/base/error.h"
#include "runtime/cuda/base/settings.h"
#include "runtime/cuda/driver/machine.h"
#include "runtime/cuda/multicast/join_wait.h"

namespace cuda {
namespace {

using multicast::Table;

constexpr std::int64_t kTableLock = 0;
constexpr std::int64_t kFirstSlot = 1;

[[noreturn]] void fail_with_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

void* map_table(int file) {
  void* const at = mmap(nullptr, sizeof(Table), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (at == MAP_FAILED) fail_with_errno("mapping a multicast object");
  return at;
}

// May return early: the caller looks again.
void wait_for_change(std::atomic<std::uint32_t>& word, std::uint32_t seen, std::uint64_t limit_ns) {
  timespec limit{};
  limit.tv_sec = static_cast<time_t>(limit_ns / 1'000'000'000);
  limit.tv_nsec = static_cast<long>(limit_ns % 1'000'000'000);
  syscall(SYS_futex, &word, FUTEX_WAIT, seen, &limit, nullptr, 0);
}

}  // namespace

// ---- locks ----

bool TeamFile::lock_byte(std::int64_t byte, short type, bool wait) const {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = byte;
  lock.l_len = 1;
  int result = 0;
  do {
    result = fcntl(own_.get(), wait ? F_OFD_SETLKW : F_OFD_SETLK, &lock);
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

bool TeamFile::is_locked(std::int64_t byte) const {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = byte;
  lock.l_len = 1;
  return fcntl(own_.get(), F_OFD_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

TeamFile::FileLock::FileLock(const TeamFile& file) : file_(file) {
  if (!file_.lock_byte(kTableLock, F_WRLCK, true)) fail_with_errno("locking a multicast object");
}

TeamFile::FileLock::~FileLock() { file_.lock_byte(kTableLock, F_UNLCK, false); }

// ---- life ----

TeamFile::TeamFile(sim::OwnedFd file) : file_(std::move(file)) {
  const std::string path = "/proc/self/fd/" + std::to_string(file_.get());
  own_ = sim::OwnedFd(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (!own_) fail_with_errno("opening a multicast object");
  table_ = static_cast<Table*>(map_table(own_.get()));
}

TeamFile::~TeamFile() {
  if (slot_ < multicast::kMostHolders) {
    try {
      locked([&](multicast::Team& team) { team.give_slot(slot_); });
    } catch (const std::exception&) {  // the others see that the slot's lock is gone
    }
  }
  munmap(table_, sizeof(Table));
}

void TeamFile::enter() {
  locked([&](multicast::Team& team) {
    const std::uint32_t slot = team.take_slot(getpid());
    if (!lock_byte(kFirstSlot + slot, F_WRLCK, false)) {
      team.give_slot(slot);
      fail_with_errno("locking a slot of a multicast object");
    }
    slot_ = slot;
  });
}

std::unique_ptr<TeamFile> TeamFile::create(const multicast::Properties& properties) {
  std::unique_ptr<TeamFile> made(
      new TeamFile(sim::make_memory_file("aclsim-multicast", sizeof(Table))));
  const auto name = std::uint64_t{sim::ipc_random(31)} << 32 | sim::ipc_random(31);
  multicast::Team::start(*made->table_, properties, name);
  made->enter();
  return made;
}

std::uint64_t TeamFile::name_in(int file) {
  struct stat info {};
  if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode) ||
      info.st_size != static_cast<off_t>(sizeof(Table))) {
    return 0;
  }
  void* const at = mmap(nullptr, sizeof(Table), PROT_READ, MAP_SHARED, file, 0);
  if (at == MAP_FAILED) return 0;
  const auto* const table = static_cast<const Table*>(at);
  const bool good = table->magic == Table::kMagic && table->version == Table::kVersion;
  const std::uint64_t name = good ? table->name : 0;
  munmap(at, sizeof(Table));
  return name;
}

std::unique_ptr<TeamFile> TeamFile::open(sim::OwnedFd file) {
  if (name_in(file.get()) == 0) return nullptr;
  std::unique_ptr<TeamFile> opened(new TeamFile(std::move(file)));
  opened->enter();
  return opened;
}

// ---- the wait for the team ----

void TeamFile::add(int device) {
  locked([&](multicast::Team& team) { team.add(device, slot_); });
  syscall(SYS_futex, &table_->members, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void TeamFile::look_for_the_dead() {
  locked([&](multicast::Team& team) {
    for (std::uint32_t i = 0; i < multicast::kMostHolders; ++i) {
      if (i == slot_ || team.table().holders[i].used == 0 || is_locked(kFirstSlot + i)) continue;
      team.holder_died(i);
    }
  });
}

void TeamFile::require_hope() const {
  if (table_->lost_process == 0) return;
  fail(CUDA_ERROR_ILLEGAL_STATE,
       "process {} ended, which had the multicast object and had not added its device: the team of "
       "{} devices will never be complete",
       table_->lost_process, table_->team_size);
}

void TeamFile::wait_until_complete(const char* call) {
  embedding::Runtime& runtime = Machine::get().runtime();
  multicast::JoinWait waiting(
      runtime.now_ns(),
      static_cast<sim::Nanoseconds>(std::chrono::nanoseconds(settings().patience).count()));
  while (true) {
    const std::uint32_t members = table_->members.load();
    if (members == table_->team_size) return;
    look_for_the_dead();
    if (table_->members.load() == table_->team_size) return;
    require_hope();
    const sim::Nanoseconds now = runtime.now_ns();
    if (waiting.time_to_say(now)) {
      const std::string missing = locked([](multicast::Team& team) { return team.missing(); });
      std::fprintf(stderr, "aclsim: %s still waits for the team of a multicast object: %s\n", call,
                   missing.c_str());
    }
    wait_for_change(table_->members, members, waiting.step(now));
  }
}

}  // namespace cuda
