// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace aclsim {

/// Whether what is written to this descriptor is coloured: it is a terminal that is not "dumb", and
/// NO_COLOR is not set (https://no-color.org).
bool has_colours(int fd);

enum class Colour { red, green, magenta, cyan };

/// The text in bold and in this colour where the descriptor has colours, else as it is.
std::string paint(const std::string& text, Colour colour, int fd);

/// Lines such as "main.cpp:14: error: ..." with the severity (error, warning, note, fix) painted.
std::string paint_findings(const std::string& text, int fd);

/// "PASS" green, "FAIL ..." red.
std::string paint_verdict(const std::string& verdict, int fd);

}  // namespace aclsim
