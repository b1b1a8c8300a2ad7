// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace aclsim {

/// Whether output to this descriptor is coloured: it is a terminal, TERM is not "dumb", and
/// NO_COLOR is not set (https://no-color.org).
bool has_colours(int fd);

enum class Colour { red, green, magenta, cyan };

/// The text in bold and in this colour if the descriptor has colours, else unchanged.
std::string paint(const std::string& text, Colour colour, int fd);

/// Colours the severity (error, warning, note, fix) in lines such as "main.cpp:14: error: ...".
std::string paint_findings(const std::string& text, int fd);

/// "PASS" green, "FAIL ..." red.
std::string paint_verdict(const std::string& verdict, int fd);

}  // namespace aclsim
