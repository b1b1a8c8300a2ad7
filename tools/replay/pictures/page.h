// SPDX-License-Identifier: Apache-2.0
// Pictures as files: an interactive page, an SVG for papers, text for terminals.
#pragma once

#include <cstddef>
#include <string>

#include "tools/replay/pictures/picture.h"

namespace replay {

struct PageText {
  std::string title;
  std::string verdict;
  std::string command;
};

/// One file that needs no network.
std::string to_html(const Picture& picture, const PageText& text);

/// `width` in pixels.
std::string to_svg(const Picture& picture, std::size_t width, const std::string& title);

/// One line a row, `width` columns; `colours`: with escape sequences for colours.
std::string to_ascii(const Picture& picture, std::size_t width, bool colours);

}  // namespace replay
