// SPDX-License-Identifier: Apache-2.0
// The words of the native format for the kinds of things, and back.
#pragma once

#include <optional>
#include <string_view>

#include "tools/trace/op.h"

namespace trace {

const char* word(Compare compare);
const char* word(Target target);
const char* word(SendMode mode);

std::optional<OpKind> op_kind(std::string_view text);
std::optional<Provenance> provenance(std::string_view text);
std::optional<Collective> collective(std::string_view text);
std::optional<Compare> compare(std::string_view text);
std::optional<Target> target(std::string_view text);
std::optional<SendMode> send_mode(std::string_view text);

}  // namespace trace
