// Pictures read back: digits by their positions, compared with the numbers of the ruler and the
// evaluator.

#include "report/picture/draw_ruler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>

#include "concrete/dot/runner.h"
#include "queries/draw/samples.h"
#include "spec/formats/text.h"
#include "tests/support/drawn_designs.h"

namespace mmaspec::draw_ruler_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The axis of a picture.
struct Axis {
  std::map<double, int> columns;               ///< x to exponent
  std::map<double, std::pair<int, int>> gaps;  ///< x to the highest and the lowest exponent
};

Axis axis_of(const std::string& svg) {
  Axis axis;
  std::smatch found;
  if (!std::regex_search(svg, found,
                         std::regex("data-columns=\"([^\"]*)\" data-gaps=\"([^\"]*)\""))) {
    ADD_FAILURE() << "no axis";
    return axis;
  }
  const std::string columns = found[1];
  const std::string gaps = found[2];
  const std::regex column("(-?\\d+):([0-9.]+)");
  const std::regex gap("(-?\\d+)\\.\\.(-?\\d+):([0-9.]+)");
  for (std::sregex_iterator i(columns.begin(), columns.end(), column), end; i != end; ++i) {
    axis.columns[std::stod((*i)[2])] = std::stoi((*i)[1]);
  }
  for (std::sregex_iterator i(gaps.begin(), gaps.end(), gap), end; i != end; ++i) {
    axis.gaps[std::stod((*i)[3])] = {std::stoi((*i)[1]), std::stoi((*i)[2])};
  }
  return axis;
}

/// A row of digits as drawn.
struct Row {
  std::string kind;
  std::string label;
  Rational kept = 0;  ///< the numbers that the digits of each kind represent, with the row's sign
  Rational lost = 0;
};

Row read_row(const Axis& axis, const std::string& kind, const std::string& label,
             const std::string& content) {
  Row row{kind, label};
  const std::regex digit(
      "<text x=\"([0-9.]+)\" y=\"[0-9.]+\" class=\"(bits|gone)\" "
      "text-anchor=\"middle\">([^<]*)</text>");
  bool last_was_one = false;
  for (std::sregex_iterator i(content.begin(), content.end(), digit), end; i != end; ++i) {
    const double x = std::stod((*i)[1]);
    Rational& number = (*i)[2] == "bits" ? row.kept : row.lost;
    if ((*i)[3] == "0" || (*i)[3] == "1") {
      last_was_one = (*i)[3] == "1";
      EXPECT_TRUE(axis.columns.contains(x)) << x;
      if (last_was_one) number += rational_power_of_two(axis.columns.at(x));
      continue;
    }
    EXPECT_TRUE(axis.gaps.contains(x)) << x;  // repeats the digit before it
    const auto [high, low] = axis.gaps.at(x);
    if (last_was_one) number += rational_power_of_two(high + 1) - rational_power_of_two(low);
  }
  if (content.find(">-</text>") != std::string::npos) {
    row.kept = -row.kept;
    row.lost = -row.lost;
  }
  return row;
}

std::vector<Row> rows_of(const std::string& svg, std::size_t panel) {
  const Axis axis = axis_of(svg);
  std::vector<std::string> panels;
  for (std::size_t at = svg.find("class=\"panel\""); at != std::string::npos;) {
    const std::size_t next = svg.find("class=\"panel\"", at + 1);
    panels.push_back(svg.substr(at, next - at));
    at = next;
  }
  std::vector<Row> rows;
  const std::regex row("<g class=\"row (\\w+)\" data-label=\"([^\"]*)\"");
  const std::string& text = panels.at(panel);
  for (std::sregex_iterator i(text.begin(), text.end(), row), end; i != end; ++i) {
    const auto at = static_cast<std::size_t>(i->position());
    rows.push_back(read_row(axis, (*i)[1], (*i)[2], text.substr(at, text.find("</g>", at) - at)));
  }
  return rows;
}

Rational value(const PlacedNumber& x) { return x.units * rational_power_of_two(x.exponent); }

/// Checks that the rows of the picture are those of the ruler.
void expect_drawn(const Ruler& ruler, const std::vector<Row>& rows) {
  std::size_t at = 0;
  for (const RulerStep& step : ruler.steps) {
    for (const RulerTerm& t : step.terms) {
      ASSERT_LT(at, rows.size());
      const Row& row = rows[at++];
      EXPECT_EQ(row.kept + row.lost, value(t.exact)) << t.label;
      const bool nothing_kept = t.kept.is_zero();
      EXPECT_EQ(nothing_kept ? Rational(0) : row.kept,
                !t.cut || nothing_kept ? value(t.kept)
                                       : value(cut(t.exact, *t.cut, Rounding::toward_zero)))
          << t.label;
    }
    if (step.sum) {
      ASSERT_LT(at, rows.size());
      EXPECT_EQ(rows[at].kept + rows[at].lost, value(*step.sum));
      ++at;
    }
    if (step.result) {
      ASSERT_LT(at, rows.size());
      if (step.result->number) {
        EXPECT_EQ(rows[at].kept, value(*step.result->number));
      }
      ++at;
    }
  }
  EXPECT_EQ(at, rows.size());
}

TEST(DrawRuler, DrawsTheDigitsOfTheRuler) {
  DrawnDesigns designs(3);
  for (int n = 0; n < 40; ++n) {
    const Instruction i = drawn(designs);
    SCOPED_TRACE(i.name());
    Sampler draws(i.formats, InputClass::finite, static_cast<unsigned>(n));
    const Ruler first = ruler_of(i, draws.next());
    const Ruler second = ruler_of(i, draws.next());
    const std::string svg = draw({first, second});
    expect_drawn(first, rows_of(svg, 0));
    expect_drawn(second, rows_of(svg, 1));
  }
}

TEST(DrawRuler, EndsWithWhatTheEvaluatorComputes) {
  for (const std::string name :
       {"volta/mma.m8n8k4.f32.f16.f16.f32", "hopper/mma.m16n8k16.f32.f16.f16.f32",
        "cdna1/v_mfma_f32_32x32x8f16", "cdna3/v_mfma_f32_32x32x8_f16",
        "cdna3/v_mfma_f64_16x16x4_f64"}) {
    SCOPED_TRACE(name);
    const Instruction i = find_instruction(name);
    Sampler draws(i.formats, InputClass::normal, 5);
    for (int n = 0; n < 4; ++n) {
      const DotValues values = draws.next();
      const Decoded d = decode(*i.formats.d, DotRunner(i.algorithm, i.formats).run(values));
      if (!d.is_finite()) continue;
      const std::vector<Row> rows = rows_of(draw({ruler_of(i, values)}), 0);
      ASSERT_FALSE(rows.empty());
      EXPECT_EQ(rows.back().kept, d.value());
    }
  }
}

TEST(DrawRuler, CutsWhereTheDesignDoes) {
  // 24 fraction bits below 2^0 keep 2^-24 and lose 2^-25.
  const Instruction i =
      find_instruction("design:fused-dot-add(a=f32,b=f32,c=f32,d=f32,k=2,fraction_bits=24)");
  const Format& f = formats::f32;
  const DotValues values{{parse_pattern_of(f, "1"), parse_pattern_of(f, "0x1.8p-24")},
                         {parse_pattern_of(f, "1"), parse_pattern_of(f, "1")},
                         0,
                         {},
                         {}};
  const std::string svg = draw({ruler_of(i, values)});
  const std::vector<Row> rows = rows_of(svg, 0);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[1].kept, rational_power_of_two(-24));
  EXPECT_EQ(rows[1].lost, rational_power_of_two(-25));
  EXPECT_THAT(svg, HasSubstr("cut 2^-24"));
  EXPECT_THAT(svg, HasSubstr("1 term is zero"));
  EXPECT_THAT(svg, HasSubstr("prefers-color-scheme: dark"));
}

TEST(DrawRuler, EscapesNames) {
  Ruler ruler;
  ruler.name = "design:<a & \"b\">";
  ruler.steps.push_back({.title = "<x>"});
  const std::string svg = draw({ruler});
  EXPECT_THAT(svg, Not(HasSubstr("<a &")));
  EXPECT_THAT(svg, HasSubstr("&lt;x&gt;"));
}

TEST(DrawRuler, SaysIfLostBitsAreNotShown) {
  const Instruction i =
      find_instruction("plan:split-k(hopper/mma.m16n8k16.f32.f16.f16.f32,k=32,parts=2)");
  Sampler draws(i.formats, InputClass::normal, 5);
  const std::string svg = draw({ruler_of(i, draws.next())});
  EXPECT_THAT(svg, HasSubstr("lost bits are not shown"));
  EXPECT_THAT(svg, Not(HasSubstr("class=\"lost\"")));
}

}  // namespace
}  // namespace mmaspec::draw_ruler_test
