// SPDX-License-Identifier: Apache-2.0
// Copies of the wrong bytes, in the wrong direction, or to a device out of reach.
#include "tests/check/cases.h"

using namespace world;

namespace check {
namespace {

/// Memory on two devices; the first one's context is current.
struct TwoDevices {
  Context second{1};
  DeviceMemory far{kSize};
  Context first{0};
  DeviceMemory near{kSize};
  Stream stream;

  TwoDevices() { REQUIRE_ACL(aclrtMemset(near, kSize, 1, kSize)); }
  void enable_from_first() const { REQUIRE_ACL(aclrtDeviceEnablePeerAccess(1, 0)); }
  void enable_from_second() const {
    const Within other(second);
    REQUIRE_ACL(aclrtDeviceEnablePeerAccess(0, 0));
  }
  void copy_over() const {  // or an error, which the program ignores
    aclrtMemcpyAsync(far, kSize, near, kSize, ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
  }
};

void peers_not_enabled(bool repaired) {
  const TwoDevices devices;
  if (repaired) devices.enable_from_first();
  if (repaired) devices.enable_from_second();
  devices.copy_over();
}

void peers_enabled_one_way(bool repaired) {
  const TwoDevices devices;
  devices.enable_from_first();
  if (repaired) devices.enable_from_second();
  devices.copy_over();
}

void peers_disabled_under_a_copy(bool repaired) {
  const TwoDevices devices;
  devices.enable_from_first();
  devices.enable_from_second();
  devices.copy_over();
  if (repaired) join(devices.stream);
  REQUIRE_ACL(aclrtDeviceDisablePeerAccess(1));
}

// Both calls enable the same direction.
void peers_enabled_in_the_wrong_context(bool repaired) {
  const TwoDevices devices;
  devices.enable_from_first();
  if (repaired) {
    devices.enable_from_second();
  } else {
    devices.enable_from_first();
  }
  devices.copy_over();
}

void read_of_unwritten_memory(bool repaired) {
  const Desk desk;
  if (repaired) fill(desk.a, desk.x);
  copy(desk.a, desk.out, desk.x);
}

void read_of_half_written_memory(bool repaired) {
  const Desk desk;
  REQUIRE_ACL(aclrtMemset(desk.x, kSize, 1, repaired ? kSize : kSize / 2));
  REQUIRE_ACL(aclrtMemcpy(desk.out, kSize, desk.x, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
}

// A reduction also reads its target.
void reduction_onto_unwritten_memory(bool repaired) {
  const Desk desk;
  if (repaired) fill(desk.a, desk.x);
  fill(desk.a, desk.y);
  REQUIRE_ACL(aclrtReduceAsync(desk.x, desk.y, kSize, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_INT32,
                               desk.a, nullptr));
  join(desk.a);
}

void reduction_onto_half_written_memory(bool repaired) {
  const Desk desk;
  REQUIRE_ACL(aclrtMemset(desk.x, kSize, 1, repaired ? kSize : kSize / 2));
  fill(desk.a, desk.y);
  REQUIRE_ACL(aclrtReduceAsync(desk.x, desk.y, kSize, ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX, ACL_INT32,
                               desk.a, nullptr));
  join(desk.a);
}

// After a pending wait, an operation that another thread enqueues may still write the bytes.
void reduction_behind_a_wait(bool repaired) {
  const Desk desk;
  fill(desk.a, desk.y);
  join(desk.a);
  const auto flag = world::Event::old(ACL_EVENT_SYNC);
  if (repaired) wait(desk.a, flag);
  REQUIRE_ACL(aclrtReduceAsync(desk.x, desk.y, kSize, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_INT32,
                               desk.a, nullptr));
  if (repaired) fill(desk.b, desk.x);
  record(flag, desk.b);
  join(desk.a);
}

void copy_beyond_the_end(bool repaired) {
  const Desk desk;
  const std::size_t size = repaired ? kSize : 16 * kSize;
  const HostMemory in(16 * kSize);
  aclrtMemcpyAsync(desk.x, size, in, size, ACL_MEMCPY_HOST_TO_DEVICE, desk.a);
  join(desk.a);
}

void wrong_direction(bool repaired) {
  const Desk desk;
  copy(desk.a, desk.x, desk.in, repaired ? ACL_MEMCPY_HOST_TO_DEVICE : ACL_MEMCPY_DEVICE_TO_HOST);
}

void wrong_direction_of_a_synchronous_copy(bool repaired) {
  const Desk desk;
  REQUIRE_ACL(aclrtMemcpy(desk.x, kSize, desk.in, kSize,
                          repaired ? ACL_MEMCPY_HOST_TO_DEVICE : ACL_MEMCPY_DEVICE_TO_HOST));
}

}  // namespace

const std::vector<Case>& value_cases() {
  static const std::vector<Case> rows{
      {"38a", "peers are not enabled", "ACL011", peers_not_enabled},
      {"38b", "peers are enabled one way", "ACL011", peers_enabled_one_way},
      {"38c", "peers are disabled under a copy", "ACL011", peers_disabled_under_a_copy},
      {"38d", "peers are enabled in the wrong context", "ACL011",
       peers_enabled_in_the_wrong_context},
      {"39a", "memory that nobody wrote is read", "ACL021", read_of_unwritten_memory},
      {"39b", "memory that is half written is read", "ACL021", read_of_half_written_memory},
      {"39c", "a reduction works on memory that nobody wrote", "ACL021",
       reduction_onto_unwritten_memory},
      {"39d", "a reduction works on memory that is half written", "ACL021",
       reduction_onto_half_written_memory},
      {"39e", "a reduction comes before any write", "ACL021", reduction_behind_a_wait},
      {"40", "a copy beyond the end", "ACL022", copy_beyond_the_end},
      {"41a", "a copy with the wrong direction", "ACL023", wrong_direction},
      {"41b", "a synchronous copy with the wrong direction", "ACL023",
       wrong_direction_of_a_synchronous_copy},
  };
  return rows;
}

}  // namespace check
