// SPDX-License-Identifier: Apache-2.0
#pragma once

/// From now on so many threads of this process can be started, and then none; negative: any number.
/// At first the variable THREADS_LEFT says how many.
void allow_threads(int count);
