// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "tools/replay/pictures/page.h"
#include "tools/replay/results/naming.h"

namespace replay {
namespace {

constexpr double kLeft = 190;  // titles
constexpr double kTop = 46;
constexpr double kRow = 18;
constexpr double kBar = 14;

constexpr std::array<const char*, kShares> kColours{"#4c78a8", "#f58518", "#54a24b", "#b279a2",
                                                    "#e45756", "#9d755d", "#bab0ac"};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
  }
  return out;
}

class Drawing {
 public:
  Drawing(const Picture& picture, std::size_t width)
      : picture_(picture),
        width_(std::max<double>(static_cast<double>(width), kLeft + 100)),
        height_(kTop + kRow * static_cast<double>(picture.rows.size()) + 24) {}

  std::string draw(const std::string& title) {
    fmt::format_to(out(),
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" "
                   "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" "
                   "font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
                   "<text x=\"8\" y=\"16\" font-size=\"13\">{2}</text>\n",
                   width_, height_, escaped(title));
    legend();
    for (std::size_t r = 0; r < picture_.rows.size(); ++r) row(r);
    for (const Arrow& arrow : picture_.arrows) draw_arrow(arrow);
    axis();
    return text_ + "</svg>\n";
  }

 private:
  std::back_insert_iterator<std::string> out() { return std::back_inserter(text_); }

  double x(Nanoseconds time) const {
    const auto span = static_cast<double>(std::max<Nanoseconds>(1, picture_.end - picture_.begin));
    const double part = static_cast<double>(time - picture_.begin) / span;
    return kLeft + std::clamp(part, 0.0, 1.0) * (width_ - kLeft - 10);
  }
  double y(std::size_t row) const { return kTop + kRow * static_cast<double>(row); }

  void legend() {
    double at = kLeft;
    for (int s = 0; s < kShares - 1; ++s) {
      fmt::format_to(out(),
                     "<rect x=\"{0:.0f}\" y=\"24\" width=\"10\" height=\"10\" fill=\"{1}\"/><text "
                     "x=\"{2:.0f}\" y=\"33\">{3}</text>\n",
                     at, kColours[static_cast<std::size_t>(s)], at + 14,
                     word(static_cast<Share>(s)));
      at += 95;
    }
  }

  /// A bar that is narrower than a tenth of a pixel and follows closely is drawn as part of the bar
  /// before it.
  void row(std::size_t r) {
    const PictureRow& row = picture_.rows[r];
    fmt::format_to(out(), "<text x=\"8\" y=\"{:.1f}\">{}</text>\n", y(r) + 11,
                   escaped(row.group + " " + row.title));
    double drawn = -1;
    for (const Slice& slice : row.slices) {
      const double from = x(slice.start);
      const double to = x(slice.start + slice.length);
      if (to - from < 0.1 && from < drawn + 0.1) continue;
      drawn = to;
      fmt::format_to(out(),
                     "<rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{}\" fill=\"{}\""
                     "{}{}><title>{} {}</title></rect>\n",
                     from, y(r), std::max(0.2, to - from), kBar,
                     kColours[static_cast<std::size_t>(slice.share)],
                     slice.wait ? " fill-opacity=\"0.3\"" : "",
                     slice.critical ? " stroke=\"#d62728\" stroke-width=\"0.8\"" : "",
                     escaped(picture_.names[slice.name]), time_text(slice.length));
    }
  }

  void draw_arrow(const Arrow& arrow) {
    if (arrow.finding) return draw_finding(arrow);
    fmt::format_to(out(),
                   "<line x1=\"{:.2f}\" y1=\"{:.1f}\" x2=\"{:.2f}\" y2=\"{:.1f}\" stroke=\"{}\" "
                   "stroke-width=\"0.6\"{}/>\n",
                   x(arrow.from), y(arrow.from_row) + kBar / 2, x(arrow.to),
                   y(arrow.to_row) + kBar / 2, arrow.critical ? "#d62728" : "#555555",
                   arrow.inferred ? " stroke-dasharray=\"3 2\"" : "");
  }

  void draw_finding(const Arrow& arrow) {
    const double x2 = x(arrow.to), y2 = y(arrow.to_row) + kBar / 2;
    fmt::format_to(
        out(),
        "<g class=\"finding\"><line x1=\"{:.2f}\" y1=\"{:.1f}\" x2=\"{:.2f}\" y2=\"{:.1f}\" "
        "stroke=\"#e00000\" stroke-width=\"2\"/><circle cx=\"{:.2f}\" cy=\"{:.1f}\" r=\"3\" "
        "fill=\"#e00000\"/><title>nothing orders these two</title></g>\n",
        x(arrow.from), y(arrow.from_row) + kBar / 2, x2, y2, x2, y2);
  }

  void axis() {
    constexpr int kTicks = 8;
    for (int t = 0; t <= kTicks; ++t) {
      const Nanoseconds time = picture_.begin + (picture_.end - picture_.begin) * t / kTicks;
      const double right = t == kTicks ? -1 : 0;
      fmt::format_to(out(),
                     "<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" "
                     "stroke=\"#cccccc\" stroke-width=\"0.5\"/><text x=\"{0:.1f}\" y=\"{3:.1f}\" "
                     "text-anchor=\"{5}\">{4}</text>\n",
                     x(time), kTop - 4, height_ - 20, height_ - 6, time_text(time),
                     right < 0 ? "end"
                     : t == 0  ? "start"
                               : "middle");
    }
  }

  const Picture& picture_;
  double width_;
  double height_;
  std::string text_;
};

}  // namespace

std::string to_svg(const Picture& picture, std::size_t width, const std::string& title) {
  return Drawing(picture, width).draw(title);
}

}  // namespace replay
