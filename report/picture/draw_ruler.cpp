#include "report/picture/draw_ruler.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/picture/svg.h"
#include "spec/formats/text.h"
#include "util/counted.h"

namespace mmaspec {
namespace {

constexpr double kColumn = 10;    // width of a bit
constexpr double kRulerGap = 26;  // width of the symbol for a gap
constexpr double kRulerRow = 21;  // height of a row
constexpr double kBit = 17;       // height of a bit's frame
constexpr int kShortest = 24;     // a gap replaces at least this number of columns
constexpr std::size_t kMostTerms = 72;
constexpr std::size_t kMostSteps = 40;

enum class Kind { heading, title, cut, term, sum, result, note };

/// A line of the picture.
struct Line {
  Kind kind;
  std::string label = {};
  std::string text = {};  ///< to the right of the bits
  std::optional<PlacedNumber> number = {};
  int low = 0;                         ///< the exponent of the last digit shown
  std::optional<int> lost_below = {};  ///< digits below this exponent are lost
  bool all_lost = false;
  std::optional<int> cut = {};  ///< position of the line of a cut or of a last place
  std::set<int> cuts = {};      ///< Kind::cut: all cuts of the step

  bool has_digits() const { return number && !number->is_zero(); }
  int high() const { return number->exponent + static_cast<int>(bit_length(number->units)) - 1; }
};

/// A column of the picture: the exponent of one bit, or a range of exponents without changes.
struct Column {
  int from;  ///< the highest exponent
  int to;    ///< the lowest; equal for a single bit
  double x;  ///< horizontal center
  bool is_gap() const { return from != to; }
};

std::string number_text(const PlacedNumber& x) { return to_hex_float(x.units, x.exponent); }

/// The exponent of the lowest one bit of a nonzero number.
int lowest_one(const PlacedNumber& x) {
  const Integer magnitude = x.units < 0 ? Integer(-x.units) : x.units;
  return x.exponent + static_cast<int>(trailing_zeros(magnitude));
}

Line line_of(const RulerTerm& t) {
  Line line{.kind = Kind::term, .label = t.label, .text = number_text(t.exact), .number = t.exact};
  line.cut = t.cut;
  line.lost_below = t.cut;
  line.all_lost = t.kept.is_zero();
  if (!t.exact.is_zero()) line.low = lowest_one(t.exact);
  const PlacedNumber lost = sum({t.exact, negative(t.kept)});
  if (!lost.is_zero()) line.text += "  loses " + number_text(lost);
  const bool by_truncation =
      t.cut && equal_values(t.kept, cut(t.exact, *t.cut, Rounding::toward_zero));
  if (!lost.is_zero() && !by_truncation && !t.kept.is_zero()) {
    line.text += ", treated as " + number_text(t.kept);
  }
  return line;
}

void add_step(const RulerStep& step, std::vector<Line>& lines) {
  lines.push_back({.kind = Kind::title, .label = step.title, .text = step.cut_how});
  Line cuts{.kind = Kind::cut};
  for (const RulerTerm& t : step.terms) {
    if (t.cut) cuts.cuts.insert(*t.cut);
  }
  if (!cuts.cuts.empty()) lines.push_back(cuts);
  const std::size_t shown = std::min(step.terms.size(), kMostTerms);
  for (std::size_t i = 0; i < shown; ++i) lines.push_back(line_of(step.terms[i]));
  if (const std::size_t rest = step.terms.size() - shown; rest > 0) {
    lines.push_back({.kind = Kind::note, .label = "and " + counted(rest, "more term")});
  }
  if (step.zero_terms > 0) {
    lines.push_back(
        {.kind = Kind::note, .label = counted(step.zero_terms, "term is", "terms are") + " zero"});
  }
  if (step.sum) {
    Line line{
        .kind = Kind::sum, .label = "sum", .text = number_text(*step.sum), .number = step.sum};
    // The unit of an exact sum may be far below its last one bit.
    if (line.has_digits())
      line.low = cuts.cuts.empty() ? lowest_one(*step.sum) : step.sum->exponent;
    if (step.result && step.result->last_place) {
      if (line.has_digits()) line.cut = step.result->last_place;
      if (!equal_values(*step.result->number, *step.sum)) {
        line.lost_below = step.result->last_place;
        line.all_lost = step.result->number->is_zero();
      }
    }
    lines.push_back(line);
  }
  if (step.result) {
    const RulerResult& r = *step.result;
    Line line{
        .kind = Kind::result, .label = r.label, .text = r.text + "  " + r.how, .number = r.number};
    if (r.last_place) line.low = *r.last_place;
    if (line.has_digits()) line.cut = r.last_place;
    lines.push_back(line);
  }
  if (!step.note.empty()) lines.push_back({.kind = Kind::note, .label = step.note});
}

std::vector<Line> lines_of(const Ruler& ruler) {
  std::vector<Line> lines{{.kind = Kind::heading, .label = ruler.name}};
  const std::size_t shown = std::min(ruler.steps.size(), kMostSteps);
  for (std::size_t i = 0; i < shown; ++i) add_step(ruler.steps[i], lines);
  if (const std::size_t rest = ruler.steps.size() - shown; rest > 0) {
    lines.push_back({.kind = Kind::note, .label = "and " + counted(rest, "more step")});
  }
  if (ruler.dull_steps > 0) {
    lines.push_back({.kind = Kind::note,
                     .label = counted(ruler.dull_steps, "step that loses nothing is omitted",
                                      "steps that lose nothing are omitted")});
  }
  lines.push_back({.kind = Kind::note, .label = "d = " + ruler.result});
  return lines;
}

/// The appearance of a line at an exponent: blank, a kept 0 or 1, or a lost one (n, l).
char look(const Line& line, int exponent) {
  if (!line.has_digits() || exponent > line.high() || exponent < line.low) return ' ';
  const int place = exponent - line.number->exponent;
  const Integer magnitude =
      line.number->units < 0 ? Integer(-line.number->units) : line.number->units;
  const bool one =
      place >= 0 && boost::multiprecision::bit_test(magnitude, static_cast<unsigned>(place));
  const bool lost = line.all_lost || (line.lost_below && exponent < *line.lost_below);
  return lost ? (one ? 'l' : 'n') : (one ? '1' : '0');
}

class Picture {
 public:
  explicit Picture(const std::vector<Ruler>& rulers) {
    std::string names;
    for (const Ruler& r : rulers) {
      panels_.push_back(lines_of(r));
      names += (names.empty() ? "" : " and ") + r.name;
    }
    title_ = "Alignment ruler: " + names;
    for (const auto& panel : panels_) {
      for (const Line& line : panel) lines_.push_back(&line);
    }
    measure();
    place_columns();
  }

  std::string draw() {
    double y = kMargin;
    for (const auto& panel : panels_) y = draw_panel(panel, y) + kRulerRow;
    double width = right_ + kMargin;
    for (const Line* line : lines_) {
      const std::size_t length = line->label.size();
      const bool is_free =
          line->kind == Kind::heading || line->kind == Kind::title || line->kind == Kind::note;
      if (is_free) width = std::max(width, 2 * kMargin + kGlyph * static_cast<double>(length));
    }
    return svg_.document(width, y, title_,
                         "Bits by exponent. Solid frames: kept bits. Dashed frames, struck "
                         "through: lost bits. Dashed lines: cuts and last places.");
  }

 private:
  /// Computes the positions of labels and texts from the longest of them.
  void measure() {
    std::size_t label = 0;
    std::size_t text = 0;
    for (const Line* line : lines_) {
      if (line->kind == Kind::term || line->kind == Kind::sum || line->kind == Kind::result) {
        label = std::max(label, line->label.size());
      }
      text = std::max(text, line->text.size());
    }
    left_ = kMargin + kGlyph * static_cast<double>(label + 3);
    text_width_ = kGlyph * static_cast<double>(text);
  }

  std::string looks_at(int exponent) const {
    std::string all;
    for (const Line* line : lines_) all += look(*line, exponent);
    return all;
  }

  void place_columns() {
    std::optional<int> high;
    std::optional<int> low;
    std::set<int> edges;  // exponents with a line at their left edge
    const auto include = [&](int from, int to) {
      high = std::max(high.value_or(from), from);
      low = std::min(low.value_or(to), to);
    };
    for (const Line* line : lines_) {
      if (line->has_digits()) include(line->high(), line->low);
      if (line->cut) edges.insert(*line->cut - 1);
    }
    if (!high) include(0, 0);
    for (const int edge : edges) include(edge + 1, edge);

    double x = left_;
    const auto add = [&](int from, int to) {
      const double width = from == to ? kColumn : kRulerGap;
      columns_.push_back({from, to, x + width / 2});
      x += width;
    };
    for (int e = *high; e >= *low;) {
      const std::string here = looks_at(e);
      int end = e;  // the last exponent with the same appearance
      while (end - 1 >= *low && !edges.contains(end - 1) && looks_at(end - 1) == here) --end;
      if (e - end + 1 >= kShortest) {
        add(e, e);
        add(e - 1, end + 1);
        add(end, end);
      } else {
        for (int i = e; i >= end; --i) add(i, i);
      }
      e = end - 1;
    }
    right_of_bits_ = x;
    right_ = x + 2 * kGlyph + text_width_;
  }

  /// The left edge of the column of this exponent.
  double left_edge(int exponent) const {
    for (const Column& c : columns_) {
      if (c.from >= exponent && exponent >= c.to) {
        return c.x - (c.is_gap() ? kRulerGap : kColumn) / 2;
      }
    }
    return right_of_bits_;
  }

  void draw_axis(double y) {
    std::string columns;
    std::string gaps;
    for (const Column& c : columns_) {
      if (c.is_gap()) {
        gaps += fmt::format("{}{}..{}:{:g}", gaps.empty() ? "" : " ", c.from, c.to, c.x);
      } else {
        columns += fmt::format("{}{}:{:g}", columns.empty() ? "" : " ", c.from, c.x);
      }
    }
    svg_.open_group("axis", fmt::format("data-columns=\"{}\" data-gaps=\"{}\"", columns, gaps));
    svg_.text({kMargin, y + 9, "exponent", "small soft"});
    double free = left_ - kColumn;
    for (const Column& c : columns_) {
      if (c.is_gap() || c.from % 4 != 0 || c.x - 14 < free) continue;
      svg_.text({c.x, y + 9, std::to_string(c.from), "small soft", "middle"});
      svg_.line(c.x, y + 12, c.x, y + 16, "tick");
      free = c.x + 14;
    }
    svg_.line(left_, y + 16, right_of_bits_, y + 16, "tick");
    svg_.close_group();
  }

  /// Draws adjacent digits with the same appearance in one frame.
  void draw_run(const Line& line, std::size_t first, std::size_t last, double y) {
    const char here = look(line, columns_[first].from);
    const bool lost = here == 'l' || here == 'n';
    const double x1 = left_edge(columns_[first].from);
    const double x2 = columns_[last].x + (columns_[last].is_gap() ? kRulerGap : kColumn) / 2;
    const char* frame = line.kind == Kind::sum      ? "sum"
                        : line.kind == Kind::result ? "result"
                                                    : "kept";
    svg_.rect(x1, y + 1, x2 - x1, kBit, lost ? "lost" : frame);
    if (lost) svg_.line(x1, y + 1 + kBit / 2, x2, y + 1 + kBit / 2, "strike");
    std::vector<double> x;
    std::vector<std::string> digits;
    for (std::size_t i = first; i <= last; ++i) {
      x.push_back(columns_[i].x);
      const char c = look(line, columns_[i].from);
      digits.push_back(columns_[i].is_gap() ? "⋯" : (c == '1' || c == 'l') ? "1" : "0");
    }
    svg_.digits(x, y + kRulerRow - 7, digits, lost ? "gone" : "bits");
  }

  void draw_digits(const Line& line, double y) {
    if (!line.has_digits()) return;
    const auto state = [&](std::size_t i) {
      const char c = look(line, columns_[i].from);
      return c == ' ' ? 0 : (c == '0' || c == '1') ? 1 : 2;
    };
    for (std::size_t i = 0; i < columns_.size();) {
      std::size_t end = i;
      while (end + 1 < columns_.size() && state(end + 1) == state(i)) ++end;
      if (state(i) != 0) draw_run(line, i, end, y);
      i = end + 1;
    }
    const double x = left_edge(line.high());
    svg_.text({x - 3, y + kRulerRow - 7, line.number->units < 0 ? "-" : "+", "", "end"});
  }

  void draw_number(const Line& line, double y) {
    const char* name = line.kind == Kind::term  ? "term"
                       : line.kind == Kind::sum ? "total"
                                                : "rounded";
    const std::string number =
        line.number ? fmt::format("{}*2^{}", line.number->units.str(), line.number->exponent)
                    : "none";
    svg_.open_group(fmt::format("row {}", name), fmt::format("data-label=\"{}\" data-number=\"{}\"",
                                                             escaped(line.label), number));
    svg_.text({kMargin, y + kRulerRow - 7, line.label, line.kind == Kind::term ? "" : "head"});
    draw_digits(line, y);
    if (line.cut) {
      const double x = left_edge(*line.cut - 1);
      svg_.line(x, y - 1, x, y + kRulerRow - 1, line.kind == Kind::term ? "cut" : "place");
    }
    svg_.text({right_of_bits_ + 2 * kGlyph, y + kRulerRow - 7, line.text, ""});
    svg_.close_group();
  }

  void draw_cuts(const Line& line, double y) {
    bool leftmost = true;
    for (auto at = line.cuts.rbegin(); at != line.cuts.rend(); ++at) {
      const double x = left_edge(*at - 1);
      svg_.line(x, y + 4, x, y + kRulerRow - 1, "cut");
      svg_.text({leftmost ? x - 4 : x + 4, y + kRulerRow - 8, fmt::format("cut 2^{}", *at), "small",
                 leftmost ? "end" : "start"});
      leftmost = false;
    }
  }

  double draw_panel(const std::vector<Line>& panel, double y) {
    svg_.open_group("panel", fmt::format("data-name=\"{}\"", escaped(panel[0].label)));
    for (const Line& line : panel) {
      switch (line.kind) {
        case Kind::heading:
          svg_.text({kMargin, y + kRulerRow - 7, line.label, "head"});
          draw_axis(y + kRulerRow);
          y += kRulerRow;
          break;
        case Kind::title:
          y += 6;
          svg_.text({kMargin, y + kRulerRow - 7, line.label, "head soft"});
          svg_.text({right_of_bits_ + 2 * kGlyph, y + kRulerRow - 7, line.text, "soft"});
          break;
        case Kind::cut:
          draw_cuts(line, y);
          break;
        case Kind::note:
          svg_.text({kMargin, y + kRulerRow - 7, line.label, "soft"});
          break;
        case Kind::term:
        case Kind::sum:
        case Kind::result:
          draw_number(line, y);
      }
      y += kRulerRow;
    }
    svg_.close_group();
    return y;
  }

  std::vector<std::vector<Line>> panels_;
  std::vector<const Line*> lines_;  ///< of all panels
  std::vector<Column> columns_;
  std::string title_;
  double left_ = 0;  ///< left end of the bits
  double right_of_bits_ = 0;
  double right_ = 0;
  double text_width_ = 0;
  Svg svg_;
};

}  // namespace

std::string draw(const std::vector<Ruler>& rulers) { return Picture(rulers).draw(); }

std::string draw_text(const std::string& text) {
  Svg svg;
  svg.text({kMargin, kMargin + kBit, text, ""});
  return svg.document(2 * kMargin + kGlyph * static_cast<double>(text.size()),
                      2 * kMargin + kRulerRow, text, "No picture: there is no input to draw.");
}

}  // namespace mmaspec
