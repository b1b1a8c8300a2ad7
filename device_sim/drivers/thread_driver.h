// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "device_sim/base/system_config.h"
#include "device_sim/streams/driver.h"

namespace sim {

/// Real concurrency: one pool of workers for all devices, at most `workers_per_device` of them on
/// one device at a time, and the host threads that synchronise help.
///
/// The pool sleeps while nothing is ready. The first op after a quiet time arms a timer (this costs
/// the caller a microsecond or two); from then on a worker looks for work every 100 us for as long
/// as there is activity, so that later ops cost nothing. A stream that a submit takes out of idleness
/// is left until that look, so that a batch gathers; one that was released, that has work left over
/// or that a host thread sleeps for is run as soon as a worker can. A worker that runs kernels for
/// long does not hold up others: when ready streams find no free worker for some milliseconds, one
/// more thread joins the pool.
std::unique_ptr<Driver> make_thread_driver(const SystemConfig& config, Memory& memory,
                                           const Clock& clock);

}  // namespace sim
