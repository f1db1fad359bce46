#include "report/picture/draw_histogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/picture/svg.h"

namespace mmaspec {
namespace {

constexpr double kHistogramRow = 21;
constexpr double kBar = 17;
constexpr double kLongest = 360;  // length of the longest bar

double width_of(std::size_t characters) { return kGlyph * static_cast<double>(characters); }
double length_of(std::size_t count) { return std::log2(1 + static_cast<double>(count)); }

}  // namespace

std::string draw_histogram(const std::string& title, const std::string& subtitle,
                           const std::vector<HistogramBar>& bars) {
  std::size_t all = 0;
  std::size_t most = 1;
  std::size_t label = 0;
  for (const HistogramBar& b : bars) {
    all += b.count;
    most = std::max(most, b.count);
    label = std::max(label, b.label.size());
  }
  const double left = kMargin + width_of(label + 2);
  Svg svg;
  svg.text({kMargin, kMargin + kHistogramRow - 7, title, "head"});
  svg.text({kMargin, kMargin + 2 * kHistogramRow - 7, subtitle, "soft"});
  double y = kMargin + 2.5 * kHistogramRow;
  for (const HistogramBar& b : bars) {
    svg.open_group("row",
                   fmt::format("data-label=\"{}\" data-count=\"{}\"", escaped(b.label), b.count));
    svg.text({left - kGlyph, y + kHistogramRow - 7, b.label, "", "end"});
    const double length = kLongest * length_of(b.count) / length_of(most);
    if (b.count > 0) svg.rect(left, y + 1, length, kBar, "bar");
    const double share = 100 * static_cast<double>(b.count) / static_cast<double>(all);
    svg.text({left + length + kGlyph, y + kHistogramRow - 7,
              b.count == 0 ? "0" : fmt::format("{}  {:.3g} %", b.count, share), "small"});
    svg.close_group();
    y += kHistogramRow;
  }
  y += kHistogramRow;
  svg.text({kMargin, y - 7, "bar lengths: log(1 + count)", "small soft"});
  const double wide = std::max(width_of(title.size()), width_of(subtitle.size()));
  return svg.document(std::max(left + kLongest + width_of(24), 2 * kMargin + wide), y + kMargin,
                      title, subtitle);
}

}  // namespace mmaspec
