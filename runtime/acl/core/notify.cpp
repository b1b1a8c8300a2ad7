// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/core/notify.h"

#include <fmt/format.h>
#include <unistd.h>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/context.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/ipc/described_word.h"
#include "runtime/acl/ipc/ipc_sharing.h"
#include "runtime/acl/ipc/peer_process.h"
#include "runtime/acl/watch/registry.h"
#include "runtime/order/report/peaks.h"

namespace acl {
namespace {

constexpr std::size_t kValue = 0;  // a number of the page

/// The data that the importer gets.
struct SharedNotify {
  std::uint64_t offset;  // of its page
  std::int32_t device;   // of the machine
  std::uint32_t id;
};

/// A notify that processes share has one number in the recordings of all of them.
std::uint64_t shared_number(pid_t owner, int device, std::uint32_t id) {
  return std::uint64_t{1} << 62 | static_cast<std::uint64_t>(owner) << 32 |
         static_cast<std::uint64_t>(device) << 20 | id;
}

/// A word in a page that other processes may write too, once they were given it.
class SharedWord final : public sim::Word, public DescribedWord {
 public:
  SharedWord(sim::Ref<SharedPage> page, int device, std::uint32_t id, pid_t owner)
      : Word(&page->number(kValue), owner != 0),
        page_(std::move(page)),
        device_(device),
        id_(id),
        owner_number_(owner),
        owner_(owner) {}

  std::string in_words() const override {
    return fmt::format("notify {} of device {}{}", id_, device_,
                       owner_number_ != 0 ? fmt::format(" of process {}", owner_number_)
                       : watched()        ? ", which other processes have too"
                                          : "");
  }

 private:
  sim::Failure lost() const noexcept override {
    if (owner_.alive()) return {};
    return {sim::Error::kernel_failed, ACL_ERROR_RT_DRV_INTERNAL_ERROR};
  }
  const sim::Ref<SharedPage> page_;
  const int device_;
  const std::uint32_t id_;
  const pid_t owner_number_;
  const PeerProcess owner_;
};

}  // namespace

// ---- NumberPool ----

std::uint32_t NumberPool::take(const char* noun) {
  const sim::LockGuard guard(mutex_);
  if (!free_.empty()) {
    const std::uint32_t number = free_.back();
    free_.pop_back();
    return number;
  }
  if (used_ == limit_) {
    fail(ACL_ERROR_RT_NO_NOTIFY_RESOURCE, "the device has {} {}, which is its limit",
         order::grouped(used_), noun);
  }
  // give() must not need memory.
  if (free_.capacity() <= used_) free_.reserve(2 * (std::size_t{used_} + 1));
  return used_++;
}

void NumberPool::give(std::uint32_t number) noexcept {
  const sim::LockGuard guard(mutex_);
  free_.push_back(number);
}

// A new number is taken only when none is free.
std::uint32_t NumberPool::peak() const {
  const sim::LockGuard guard(mutex_);
  return used_;
}

// ---- Notify ----

Notify::Notify(Context& context, int device, sim::Ref<SharedPage> page, std::uint32_t id,
               pid_t owner)
    : context_(sim::Ref<Context>::share(&context)),
      device_(device),
      page_(std::move(page)),
      word_(sim::make_ref<SharedWord>(page_, device, id, owner)),
      id_(id),
      owner_(owner) {
  word_->set_id(imported() ? shared_number(owner, device, id)
                           : context.runtime().driver().next_id());
  if (auto* const listener = watch::listener()) listener->notify_created(*this);
}

Notify::~Notify() {
  Runtime& runtime = context_->runtime();
  if (auto* const listener = watch::listener()) listener->notify_destroyed(*this);
  if (imported()) return;
  if (key_ != 0) runtime.section<IpcSharing>().withdraw(key_);
  runtime.section<Notifies>().numbers(device_).give(id_);
}

void Notify::record(Stream& stream) {
  stream.submit(sim::make_word_change(*word_, sim::WordChange::set, 1, "NOTIFY_RECORD"));
}

void Notify::wait(Stream& stream, std::uint64_t timeout_ns) {
  if (word_->watched() && stream.device() != device_) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "the notify is shared between processes and belongs to device {}; stream {} does not",
         stream.runtime().logical(device_), stream.id());
  }
  const sim::WordTest set{sim::WordTest::Is::greater, true, 0};
  stream.submit(sim::make_word_wait(*word_, set, timeout_ns, "NOTIFY_WAIT"));
}

void Notify::announce_end() const {
  if (auto* const listener = watch::listener()) listener->notify_destroying(*this);
}

// A record for which no stream has waited is lost.
void Notify::clear() {
  word_->change(sim::WordChange::set, 0);
  page_->number(kWaits).store(page_->number(kRecords).load());
  if (auto* const listener = watch::listener()) listener->notify_reset(*this);
}

std::string Notify::share(bool everybody) {
  if (imported()) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "notify comes from another process, which alone can share it");
  }
  Runtime& runtime = context_->runtime();
  const sim::LockGuard guard(mutex_);
  if (key_ == 0) {
    key_ = runtime.section<IpcSharing>().share(
        IpcKind::notify, SharedNotify{page_->offset(), device_, id_}, page_->share(), everybody);
    word_->set_id(shared_number(::getpid(), device_, id_));
    word_->watch_from_now();
    runtime.driver().watch(*word_);
  }
  return ipc_text_of(IpcKind::notify, key_);
}

void Notify::allow(const std::int32_t* pids, std::size_t count) {
  const sim::LockGuard guard(mutex_);
  if (key_ == 0) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "notify is not shared; expected aclrtNotifyGetExportKey before");
  }
  context_->runtime().section<IpcSharing>().allow(key_, pids, count, "notify");
}

// ---- CntNotify ----

CntNotify::CntNotify(Context& context, std::uint32_t id)
    : context_(sim::Ref<Context>::share(&context)), word_(sim::make_ref<sim::Word>()), id_(id) {
  word_->set_id(context.runtime().driver().next_id());
}

CntNotify::~CntNotify() {
  context_->runtime().section<Notifies>().counter_numbers(context_->device()).give(id_);
}

// ---- Notifies ----

Notifies::Notifies(Runtime& runtime) {
  const sim::SystemConfig& config = runtime.config().system;
  for (int d = 0; d < config.devices; ++d) {
    const auto limit = static_cast<std::uint32_t>(config.notifies_per_device);
    numbers_.push_back(std::make_unique<NumberPool>(limit));
    counter_numbers_.push_back(std::make_unique<NumberPool>(limit));
  }
}

static void require_creation(const Context& context) {
  if (auto* const intervener = watch::intervener()) {
    intervener->before_creation(sim::FaultSite::Point::notify, context.device());
  }
}

sim::Ref<CntNotify> Notifies::create_counter(Context& context) {
  require_creation(context);
  const std::uint32_t id = counter_numbers(context.device()).take("count notifies");
  return sim::make_ref<CntNotify>(context, id);
}

sim::Ref<Notify> Notifies::create(Context& context) {
  require_creation(context);
  const std::uint32_t id = numbers(context.device()).take("notifies");
  return sim::make_ref<Notify>(context, context.device(), SharedPage::create(), id, 0);
}

sim::Ref<Notify> Notifies::import(Context& context, sim::IpcKey key) {
  SharedNotify told{};
  const sim::OwnedFd file = IpcSharing::import(IpcKind::notify, key, "key", told);
  require_path(context.runtime(), told.device, context.device());
  return sim::make_ref<Notify>(context, told.device, SharedPage::adopt(file, told.offset), told.id,
                               sim::parts_of(key).pid);
}

void Notifies::reset() {
  table_.for_each([&](const NotifyTable::Pin& notify) { table_.remove(notify); });
  counters_.for_each([&](const CntNotifyTable::Pin& counter) { counters_.remove(counter); });
}

void Notifies::context_ends(const Context& context) {
  table_.for_each([&](const NotifyTable::Pin& notify) {
    if (&notify->context() == &context) table_.remove(notify);
  });
  counters_.for_each([&](const CntNotifyTable::Pin& counter) {
    if (&counter->context() == &context) counters_.remove(counter);
  });
}

}  // namespace acl
