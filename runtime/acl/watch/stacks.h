// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace acl {

/// A number for a stack of return addresses, innermost first. It is never a code address, and the
/// same for the same stack.
std::uint64_t stack_site(std::span<const std::uint64_t> frames);
/// The addresses of the stack with this number; empty for other numbers.
std::vector<std::uint64_t> frames_of_stack_site(std::uint64_t site);

/// The code is neither in this library nor in one of the system.
bool is_of_program(std::uint64_t address);
/// How many frames of a stack, innermost first, a report shows: 1 if all known stacks with the same
/// innermost frame are the same, else up to the first frame in which they differ, and on while the
/// functions shown so far have several callers.
std::size_t telling_frames(std::span<const std::uint64_t> frames);

/// The frames, at most `most`, from which the calling thread called this library. Frames of this
/// library and of the system are left out.
std::vector<std::uint64_t> frames_of_program(std::size_t most);

/// The place at which the program called the library that holds the code. The calling thread is in
/// that library. If no such place is found, returns the code itself.
std::uint64_t call_of_library(const void* code);

}  // namespace acl
