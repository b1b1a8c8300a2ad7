// SPDX-License-Identifier: Apache-2.0
// Catch2 2.13 and 3.x behind one name. A file that holds main() defines CATCH_CONFIG_RUNNER first.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)

#include <catch2/catch_all.hpp>

namespace catch_compat {
using Listener = Catch::EventListenerBase;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
}  // namespace catch_compat

#else

#ifndef CATCH_CONFIG_EXTERNAL_INTERFACES
#define CATCH_CONFIG_EXTERNAL_INTERFACES  // listeners
#endif
#include <catch2/catch.hpp>

namespace catch_compat {
using Listener = Catch::TestEventListenerBase;
using Catch::Detail::Approx;
inline auto ContainsSubstring(const std::string& text) { return Catch::Matchers::Contains(text); }
}  // namespace catch_compat

#endif
