// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/memory/value_word.h"

#include <atomic>

#include "device_sim/streams/task.h"
#include "device_sim/streams/word.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/memory/transfer.h"

namespace acl {
namespace {

constexpr sim::Failure kMemoryGone{sim::Error::kernel_failed, ACL_ERROR_RT_DRV_INTERNAL_ERROR};

/// 8 bytes of device memory that anybody may write. When the memory is freed, waits fail.
class ValueWord final : public sim::Word {
 public:
  ValueWord(sim::Memory& memory, void* address)
      : Word(static_cast<std::atomic<std::uint64_t>*>(memory.engine(address))),
        memory_(memory),
        address_(address) {}

 private:
  sim::Failure lost() const noexcept override {
    if (memory_.find(address_)) return {};
    return kMemoryGone;
  }
  sim::Memory& memory_;
  void* const address_;
};

sim::WordTest::Is test_of(std::uint32_t flag) {
  switch (flag) {
    case ACL_STREAM_WAIT_VALUE_GEQ:
      return sim::WordTest::Is::not_before;
    case ACL_STREAM_WAIT_VALUE_EQ:
      return sim::WordTest::Is::equal;
    case ACL_STREAM_WAIT_VALUE_AND:
      return sim::WordTest::Is::has_a_bit;
    case ACL_STREAM_WAIT_VALUE_NOR:
      return sim::WordTest::Is::lacks_a_bit;
    default:
      fail(ACL_ERROR_RT_PARAM_INVALID, "flag is {}; expected 0 (>=), 1 (==), 2 (and), 3 (nor)",
           flag);
  }
}

}  // namespace

void require_value_address(Runtime& runtime, void* address) {
  const MemoryLocation place = locate(runtime, address, sizeof(std::uint64_t), "devAddr");
  if (!place.on_device()) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "devAddr is {}, which is not device memory", address);
  }
  if (reinterpret_cast<std::uintptr_t>(address) % sizeof(std::uint64_t) != 0) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "devAddr is {}; expected a multiple of 8", address);
  }
}

sim::Failure ValueWrite::run(sim::Stream&) const {
  if (!memory_.find(address_)) return kMemoryGone;
  std::atomic_ref(*static_cast<std::uint64_t*>(memory_.engine(address_)))
      .store(value_, std::memory_order_release);
  return {};
}

void ValueWrite::append_ranges(std::vector<sim::MemoryRange>& ranges) const {
  ranges.push_back({address_, sizeof value_, true});
}

sim::Op make_value_write(Runtime& runtime, void* address, std::uint64_t value) {
  return sim::make_task(
      sim::Ref<const sim::Task>::adopt(new ValueWrite(runtime.memory(), address, value)));
}

sim::Op make_value_wait(Runtime& runtime, void* address, std::uint64_t value, std::uint32_t flag) {
  const sim::WordTest test{test_of(flag), false, value};
  const auto word = sim::make_ref<ValueWord>(runtime.memory(), address);
  word->set_id(reinterpret_cast<std::uintptr_t>(address));
  return sim::make_word_wait(*word, test, 0, kValueWait);
}

}  // namespace acl
