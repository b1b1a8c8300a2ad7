// SPDX-License-Identifier: Apache-2.0
// Loads into the memories of the cube unit that change the order of elements.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ascendc/impl/cube.h"
#include "runtime/ascendc/cube/unit.h"

namespace ascendc::cube {

void touched(const aclsimSquares& load, std::uintptr_t to, std::uintptr_t from, Touches& touches);
void execute(const aclsimSquares& load, std::byte* to, const std::byte* from);

std::optional<std::string> check(const aclsimImage& load);
/// Rows and columns of the whole matrix that the feature map becomes.
std::uint64_t rows_of(const aclsimImage& load) noexcept;
std::uint64_t cols_of(const aclsimImage& load) noexcept;
void touched(const aclsimImage& load, std::uintptr_t to, std::uintptr_t from, Touches& touches);
void execute(const aclsimImage& load, std::byte* to, const std::byte* from);

void touched(const aclsimColumns& load, std::uintptr_t to, std::uintptr_t from, Touches& touches);
void execute(const aclsimColumns& load, std::byte* to, const std::byte* from);

std::optional<std::string> check(const aclsimInstruction& instruction, const aclsimBias& copy);
void touched(const aclsimInstruction& instruction, const aclsimBias& copy, Touches& touches);
void execute(const aclsimInstruction& instruction, const aclsimBias& copy);

void touched(const aclsimBlocks& fill, std::uintptr_t to, Touches& touches);
void execute(const aclsimBlocks& fill, std::byte* to);

}  // namespace ascendc::cube
