/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_UTILS_DEBUG_ASC_TIME_H_
#define ASCENDC_UTILS_DEBUG_ASC_TIME_H_

#include "ascendc/kernel_operator.h"

namespace __asc_aicore {
inline void asc_time_stamp(uint32_t desc_id) { AscendC::PrintTimeStamp(desc_id); }
/* Marks for the profiler of a chip; they have no effect in the emulator. */
inline void asc_prof_start() {}
inline void asc_prof_stop() {}
template <pipe_t pipe = PIPE_S>
void asc_mark_stamp(uint16_t /*idx*/) {}
template <pipe_t pipe = PIPE_S, uint16_t idx>
void asc_mark_stamp() {}
}  // namespace __asc_aicore

using __asc_aicore::asc_mark_stamp;
using __asc_aicore::asc_prof_start;
using __asc_aicore::asc_prof_stop;
using __asc_aicore::asc_time_stamp;

#endif /* ASCENDC_UTILS_DEBUG_ASC_TIME_H_ */
