// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "device_sim/base/system_config.h"
#include "device_sim/streams/driver.h"

namespace sim {

/// Real concurrency: one pool of workers for all devices, at most `workers_per_device` of them on
/// one device at a time, and the host threads that synchronise help.
///
/// The pool sleeps while no stream is ready. The first op after a quiet time arms a timer (this
/// costs the caller a microsecond or two); from then on a worker checks for work every 100 us while
/// streams are active, so that later ops cost nothing. A stream that was idle before a submit waits
/// for that check, so that ops can form a batch. A stream that was released from a wait, that has
/// work left, or for which a host thread waits runs as soon as a worker can take it. Long kernels
/// do not block other streams: when ready streams find no free worker for some milliseconds, one
/// more thread joins the pool.
std::unique_ptr<Driver> make_thread_driver(const SystemConfig& config, Memory& memory,
                                           const Clock& clock);

}  // namespace sim
