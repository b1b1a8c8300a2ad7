// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lookalike {

/// A native trace of two ranks with ops of all kinds, by chance: with and without times, with races
/// and missing records. Equal seeds give equal texts.
std::string random_native(unsigned seed);

/// Profiles of PyTorch and of msprof, by chance: launches to several streams, synchronises with
/// streams and devices, stream waits.
std::string random_kineto(unsigned seed);

}  // namespace lookalike
