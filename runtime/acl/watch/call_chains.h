// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace acl {

/// The most frames of the program that a chain has.
inline constexpr unsigned kMostChainFrames = 8;

/// A number (stack_site) for the calls within the program that led to a call of this library, the
/// same for the same calls; `site` itself if its caller is not known. `site`: the code address that
/// the call returns to; `frame`: the canonical frame address of the entry, on the calling thread's
/// stack.
///
/// The first time that the thread comes through a call, its stack is unwound, and the sizes of the
/// frames are kept. Later the return addresses are read from the stack without unwinding.
std::uint64_t chain_site(std::uint64_t site, const void* frame);

}  // namespace acl
