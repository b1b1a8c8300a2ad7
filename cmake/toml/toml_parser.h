// SPDX-License-Identifier: Apache-2.0
#pragma once

// An assertion of the parser fails for "[" at the end of a line, although the parser then reports
// the error correctly. With NDEBUG the assertion would become an assumption for the optimiser.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expression) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")
