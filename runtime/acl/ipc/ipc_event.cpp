// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/ipc/ipc_event.h"

#include <fmt/format.h>
#include <unistd.h>

#include <optional>

#include "device_sim/base/mutex.h"
#include "device_sim/streams/driver.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/ipc/described_word.h"
#include "runtime/acl/ipc/ipc_sharing.h"
#include "runtime/acl/ipc/peer_process.h"

namespace acl {
namespace {

constexpr std::size_t kDone = 0;  // numbers of the page
constexpr std::size_t kIssued = 1;
constexpr std::size_t kRecorder = 2;  // process of the last record

/// The metadata that the importer receives.
struct SharedEvent {
  std::uint64_t offset;  // of its page
};

sim::Ref<SharedPage> open_page(sim::IpcKey key) {
  SharedEvent told{};
  const sim::OwnedFd file = IpcSharing::import(IpcKind::event, key, "handle", told);
  return SharedPage::adopt(file, told.offset);
}

}  // namespace

/// The number that streams wait for. Waits end when the process that had to raise it has ended.
class IpcEvent::Done final : public sim::Word, public DescribedWord {
 public:
  Done(sim::Ref<SharedPage> page, bool opened)
      : Word(&page->number(kDone), opened), page_(std::move(page)) {}

  bool recorder_gone() const noexcept {
    const auto recorder = static_cast<pid_t>(page_->number(kRecorder).load());
    if (recorder == 0 || recorder == getpid()) return false;
    const sim::LockGuard guard(mutex_);
    if (known_ != recorder) {
      process_.emplace(recorder);
      known_ = recorder;
    }
    return !process_->alive();
  }
  std::string in_words() const override {
    return fmt::format("an IPC event: {} of {} records are done, the last is of process {}",
                       value(), page_->number(kIssued).load(), page_->number(kRecorder).load());
  }

 private:
  sim::Failure lost() const noexcept override {
    if (value() >= page_->number(kIssued).load() || !recorder_gone()) return {};
    return {sim::Error::kernel_failed, ACL_ERROR_RT_DRV_INTERNAL_ERROR};
  }
  const sim::Ref<SharedPage> page_;
  mutable sim::Mutex mutex_;
  mutable pid_t known_ GUARDED_BY(mutex_) = 0;
  mutable std::optional<PeerProcess> process_ GUARDED_BY(mutex_);
};

IpcEvent::IpcEvent()
    : page_(SharedPage::create()), word_(sim::make_ref<Done>(page_, false)), opened_(false) {}

IpcEvent::IpcEvent(sim::IpcKey key)
    : page_(open_page(key)), word_(sim::make_ref<Done>(page_, true)), opened_(true) {}

IpcEvent::~IpcEvent() = default;

std::uint64_t IpcEvent::issue() noexcept {
  page_->number(kRecorder).store(static_cast<std::uint64_t>(getpid()));
  return page_->number(kIssued).fetch_add(1) + 1;
}

std::uint64_t IpcEvent::issued() const noexcept { return page_->number(kIssued).load(); }

bool IpcEvent::done(std::uint64_t number) const noexcept { return word_->value() >= number; }

bool IpcEvent::recorder_gone() const noexcept {
  return static_cast<const Done&>(*word_).recorder_gone();
}

std::string IpcEvent::share(IpcSharing& sharing, sim::Driver& driver) {
  if (opened_) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "event comes from another process, which alone can share it");
  }
  const sim::LockGuard guard(mutex_);
  if (!sharing_) {
    key_ = sharing.share(IpcKind::event, SharedEvent{page_->offset()}, page_->share(), true);
    sharing_ = &sharing;
    word_->watch_from_now();
    driver.watch(*word_);
  }
  return ipc_text_of(IpcKind::event, key_);
}

void IpcEvent::withdraw() {
  const sim::LockGuard guard(mutex_);
  if (sharing_) sharing_->withdraw(key_);
}

}  // namespace acl
