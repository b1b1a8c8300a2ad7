// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Lets this process start `count` more threads and then no further one; negative: any number. The
/// variable THREADS_LEFT is the initial number.
void allow_threads(int count);
