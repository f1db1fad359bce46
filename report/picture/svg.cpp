#include "report/picture/svg.h"

#include <fmt/format.h>

namespace mmaspec {
namespace {

/// Colors are not essential: lost digits also have a dashed frame and are struck through.
constexpr const char* kDrawingStyle = R"css(
.mma { font: 13px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
.mma text { fill: #1b1f24; white-space: pre; }
.mma .page { fill: #ffffff; }
.mma .head { font-weight: bold; }
.mma text.soft { fill: #5a6470; }
.mma .small { font-size: 10px; }
.mma .kept { fill: #dfe9f7; stroke: #4a6fa5; }
.mma .sum { fill: #e2f0dc; stroke: #3d7a2e; }
.mma .result { fill: #f6ebc8; stroke: #8a6d1a; }
.mma .lost { fill: #ffffff; stroke: #a8391f; stroke-dasharray: 3 2; }
.mma text.gone { fill: #a8391f; }
.mma line { stroke: #9aa3ad; }
.mma line.strike { stroke: #a8391f; stroke-width: 1.5; }
.mma line.cut { stroke: #1b1f24; stroke-width: 2; stroke-dasharray: 6 3; }
.mma line.place { stroke: #8a6d1a; stroke-width: 2; stroke-dasharray: 2 2; }
.mma .bar { fill: #c9daf0; stroke: #4a6fa5; }
.mma .box { fill: #f3f5f7; stroke: #5a6470; }
@media (prefers-color-scheme: dark) {
.mma text { fill: #e4e8ec; }
.mma .page { fill: #14171b; }
.mma text.soft { fill: #9ba6b2; }
.mma .kept { fill: #1d2f49; stroke: #7fa6dd; }
.mma .sum { fill: #1b3416; stroke: #86c774; }
.mma .result { fill: #3b3110; stroke: #d9bc5c; }
.mma .lost { fill: #14171b; stroke: #ff9c85; }
.mma text.gone { fill: #ff9c85; }
.mma line { stroke: #56606b; }
.mma line.strike { stroke: #ff9c85; }
.mma line.cut { stroke: #e4e8ec; }
.mma line.place { stroke: #d9bc5c; }
.mma .bar { fill: #24405f; stroke: #7fa6dd; }
.mma .box { fill: #1f242a; stroke: #9ba6b2; }
}
)css";

}  // namespace

std::string escaped(const std::string& text) {
  std::string all;
  for (const char c : text) {
    switch (c) {
      case '&':
        all += "&amp;";
        break;
      case '<':
        all += "&lt;";
        break;
      case '>':
        all += "&gt;";
        break;
      case '"':
        all += "&quot;";
        break;
      case '\'':
        all += "&#39;";
        break;
      default:
        all += c;
    }
  }
  return all;
}

void Svg::open_group(const std::string& classes, const std::string& attributes) {
  content_ +=
      fmt::format("<g class=\"{}\"{}{}>\n", classes, attributes.empty() ? "" : " ", attributes);
}

void Svg::close_group() { content_ += "</g>\n"; }

void Svg::rect(double x, double y, double width, double height, const std::string& classes) {
  content_ +=
      fmt::format("<rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" class=\"{}\"/>\n", x,
                  y, width, height, classes);
}

void Svg::line(double x1, double y1, double x2, double y2, const std::string& classes) {
  content_ += fmt::format("<line x1=\"{:g}\" y1=\"{:g}\" x2=\"{:g}\" y2=\"{:g}\" class=\"{}\"/>\n",
                          x1, y1, x2, y2, classes);
}

void Svg::text(const SvgText& t) {
  const std::string anchor =
      t.anchor == "start" ? "" : fmt::format(" text-anchor=\"{}\"", t.anchor);
  content_ += fmt::format("<text x=\"{:g}\" y=\"{:g}\" class=\"{}\"{}>{}</text>\n", t.x, t.y,
                          t.classes, anchor, escaped(t.text));
}

void Svg::digits(const std::vector<double>& x, double y, const std::vector<std::string>& digits,
                 const std::string& classes) {
  // One by one, because some programs do not support lists of positions.
  for (std::size_t i = 0; i < x.size(); ++i) text({x[i], y, digits[i], classes, "middle"});
}

std::string Svg::document(double width, double height, const std::string& title,
                          const std::string& description) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"mma\" role=\"img\" width=\"{0:g}\" "
      "height=\"{1:g}\" viewBox=\"0 0 {0:g} {1:g}\">\n<title>{2}</title>\n<desc>{3}</desc>\n"
      "<style>{4}</style>\n<rect x=\"0\" y=\"0\" width=\"{0:g}\" height=\"{1:g}\" "
      "class=\"page\"/>\n{5}</svg>\n",
      width, height, escaped(title), escaped(description), kDrawingStyle, content_);
}

}  // namespace mmaspec
