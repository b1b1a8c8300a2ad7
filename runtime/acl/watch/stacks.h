// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace acl {

/// A number for a stack of return addresses, innermost first, that is no code address. The same for
/// the same stack.
std::uint64_t stack_site(std::span<const std::uint64_t> frames);
/// The addresses of such a number; empty for anything else.
std::vector<std::uint64_t> frames_of_stack_site(std::uint64_t site);

/// Where the calling thread's call of this library came from, at most `most` frames, those of this
/// library and of the system left out.
std::vector<std::uint64_t> frames_of_program(std::size_t most);

/// Where the program called the library that holds the code, which the calling thread is in; the
/// code itself where that is not found.
std::uint64_t call_of_library(const void* code);

}  // namespace acl
