// Prints the table of docs/fttn.md: the feature tests of FTTN (Li et al., CCGrid 2024) on the
// models, compared with its table III.
//
//   mmaspec-fttn

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <utility>

#include "concrete/dot/model.h"
#include "spec/catalog/instruction.h"
#include "spec/formats/text.h"

namespace mmaspec {
namespace {

using Products = std::vector<std::pair<double, double>>;  // a[k], b[k] from k = 0 on

class Unit {
 public:
  explicit Unit(const std::string& name)
      : instruction_(find_instruction(name)),
        model_(instruction_.algorithm, instruction_.formats) {}

  int k() const { return model_.formats().k; }
  const Format& operand() const { return *model_.formats().a; }
  const Format& result() const { return *model_.formats().d; }
  double ulp() const { return std::ldexp(1.0, -result().fraction_bits); }

  double operator()(double c, const Products& products) const {
    const DotFormats& f = model_.formats();
    const auto length = static_cast<std::size_t>(f.k);
    DotValues v{std::vector<Integer>(length, 0), std::vector<Integer>(length, 0), 0, {}, {}};
    for (std::size_t i = 0; i < products.size(); ++i) {
      v.a[i] = pattern(*f.a, products[i].first);
      v.b[i] = pattern(*f.b, products[i].second);
    }
    v.c = pattern(*f.c, c);
    return decode(*f.d, model_.run(v)).value().convert_to<double>();
  }

  /// Factors of a product m * 2^e: (m * 2^x) * 2^y, both normal numbers of the operand format.
  std::pair<double, double> product(double m, int e) const {
    return {std::ldexp(m, e / 2), std::ldexp(1.0, e - e / 2)};
  }

 private:
  static Integer pattern(const Format& format, double x) {
    return parse_pattern_of(format, fmt::format("{:a}", x));
  }

  Instruction instruction_;
  DotModel model_;
};

struct Row {
  std::string inputs;
  std::string gpu;
  std::string instruction;
  std::string f16_results;             ///< the instruction with f16 results, if there is one
  std::vector<std::string> published;  ///< the columns of table III; empty: it is not in the table
};

const std::vector<std::string> kColumns{"subnormal inputs",
                                        "subnormal outputs",
                                        "extra bits",
                                        "rounding",
                                        "FMA width",
                                        "order controllable",
                                        "f16 output, or product, rounding"};

std::string yes(bool b) { return b ? "yes" : "no"; }

/// T_si_no.
std::string subnormal_inputs(const Unit& u) {
  const double a = std::ldexp(1.0, u.operand().least_exponent() - 1);
  return yes(u(0, {{a, 4}}) == 4 * a);
}

/// T_sa, and T_ni_so where normal operands have subnormal products.
std::string subnormal_outputs(const Unit& u) {
  const int least = u.result().least_exponent();
  const double subnormal = std::ldexp(1.0, least - 1);
  bool good = u(subnormal, {}) == subnormal;
  if (2 * u.operand().least_exponent() <= least - 1)
    good = good && u(0, {u.product(1, least - 1)}) == subnormal;
  return yes(good);
}

/// T_rnd_dir: c = 1 or -1, and a quarter or three quarters of an ulp; also ties.
std::string rounding(const Unit& u, bool c_is_large) {
  const int e = -u.result().fraction_bits;
  const double one_up = 1 + u.ulp();
  const auto sum = [&](double sign, double quarters, double start) {
    const auto small = u.product(sign * quarters, e - 2);
    return c_is_large ? u(sign * start, {small}) : u(0, {{sign * start, 1}, small});
  };
  const bool up = sum(1, 3, 1) == one_up;
  const bool low = sum(1, 1, 1) == 1;
  const bool down = sum(-1, 3, 1) == -one_up;
  const bool high = sum(-1, 1, 1) == -1;
  if (!low || !high) return "directed";
  if (!up && !down) return "truncate";
  if (!up || !down) return up ? "up" : "down";
  if (!c_is_large) return "nearest";  // 1 + ulp is not an operand
  const bool even = sum(1, 2, 1) == 1 && sum(1, 2, one_up) == 1 + 2 * u.ulp();
  return even ? "RTN-TE" : "nearest";
}

/// T_1_bit and T_3_bits_fin_rnd: 1 - 2^-n ulp; a sticky bit is visible if rounding is to nearest.
std::string extra_bits(const Unit& u, const std::string& rounding) {
  const int e = -u.result().fraction_bits;
  if (rounding == "RTN-TE" && u.k() >= 1) {
    // 1 - (1/4 + 1/128) ulp: just more than half of the spacing below 1.
    const bool sticky = u(1, {u.product(-33.0 / 32, e - 2)}) == 1 - u.ulp() / 2;
    return sticky ? "3" : "2";
  }
  int n = 0;
  while (n < 12 && u(1, {u.product(-1, e - n - 1)}) != 1) ++n;
  return fmt::format("{}", n);
}

/// T_blk_fma_width, Algorithm 1: c = 1 and two halves of an ulp, the second at varying positions.
std::string width_by_halves(const Unit& u) {
  const auto half = u.product(1, -u.result().fraction_bits - 1);
  for (int i = 1; i < u.k(); ++i) {
    Products p(static_cast<std::size_t>(i) + 1, {0, 0});
    p[0] = p[static_cast<std::size_t>(i)] = half;
    if (u(1, p) == 1) return std::to_string(i);
  }
  return u.k() == 1 ? "1" : fmt::format(">= {}", u.k());
}

/// The same by cancellation: 1 - 1 and a small number at varying positions, which is lost inside a
/// block and kept after it.
std::string width_by_cancellation(const Unit& u) {
  const auto small = u.product(1, u.result().name == "f64" ? -90 : -40);
  const bool f16 = u.operand().name == "f16";
  for (int i = 1; i < u.k(); ++i) {
    Products p(static_cast<std::size_t>(i) + 1, {0, 0});
    p[0] = f16 ? std::pair<double, double>{-0x1p10, 0x1p10} : std::pair<double, double>{-1, 1};
    p[static_cast<std::size_t>(i)] = f16 ? u.product(1, -20) : small;
    if (u(f16 ? 0x1p20 : 1, p) != 0) return std::to_string(i);
  }
  return u.k() == 1 ? "1" : fmt::format(">= {}", u.k());
}

/// T_pres_extra_acc: 1 and three halves of an ulp; 1 + ulp if the extra bits are kept and cut at
/// the end.
std::string three_halves(const Unit& u) {
  if (u.k() < 3) return "N.A.";
  const auto half = u.product(1, -u.result().fraction_bits - 1);
  const double ulps = (u(1, {half, half, half}) - 1) / u.ulp();
  return ulps == 0 ? "1" : fmt::format("1 + {} ulp", ulps);
}

/// T_acc_order: 1 and quarters of an ulp, one term more than a block has products, with the 1 at
/// each position in turn: does the position matter?
std::string order(const Unit& u, const std::string& width) {
  if (width == "1") return "N.A.";
  const std::size_t digits = width.find_first_of("0123456789");
  const auto terms = static_cast<std::size_t>(std::min(4, std::stoi(width.substr(digits))));
  const auto quarter = u.product(1, -u.result().fraction_bits - 2);
  const double first = u(1, Products(terms, quarter));
  for (std::size_t at = 0; at < terms; ++at) {
    Products p(terms, quarter);
    p[at] = {1, 1};
    if (u(quarter.first * quarter.second, p) != first) return "yes";
  }
  return "no";
}

/// Rounding of f16 results, or T_prod for f32 and f64 operands.
std::string last_column(const Row& row, const Unit& u) {
  if (!row.f16_results.empty()) return rounding(Unit(row.f16_results), true);
  if (u.operand().name == "f16" || u.operand().name == "bf16" || u.operand().name == "tf32" ||
      u.operand().name == "xf32") {
    return "no such output";
  }
  // (1 + 3 ulp) * (1 + 1/4): 1 + 1/4 + 3 ulp + 3/4 ulp.
  const double x = 1 + 3 * u.ulp();
  const bool nearest =
      u(0, {{x, 1.25}}) == 1.25 + 4 * u.ulp() && u(0, {{-x, 1.25}}) == -1.25 - 4 * u.ulp();
  return nearest ? "RTN-TE" : "truncate";
}

std::vector<Row> rows() {
  const std::string t = "truncate";
  const std::string n = "RTN-TE";
  const std::string f16 = "mma.m16n8k16.f32.f16.f16.f32";
  const std::string to_f16 = "mma.m16n8k16.f16.f16.f16.f16";
  const std::string bf16 = "mma.m16n8k16.f32.bf16.bf16.f32";
  const std::string tf32 = "mma.m16n8k8.f32.tf32.tf32.f32";
  const std::string f64 = "mma.m8n8k4.f64.f64.f64.f64";
  const std::string pairwise = "@mma-sim-2025";
  return {
      {"f16",
       "V100",
       "v100/mma.m8n8k4.f32.f16.f16.f32",
       "v100/mma.m8n8k4.f16.f16.f16.f16",
       {"yes", "yes", "0", t, "4", "no", n}},
      {"f16", "A100", "a100/" + f16, "a100/" + to_f16, {"yes", "yes", "1", t, "8", "no", n}},
      {"f16", "H100", "h100/" + f16, "h100/" + to_f16, {"yes", "yes", ">= 2", t, ">= 16", "no", n}},
      {"f16", "MI100", "mi100/v_mfma_f32_16x16x16f16", "", {"yes", "yes", "3", n, "4", "no", n}},
      {"f16",
       "MI100, pairwise sums",
       "mi100/v_mfma_f32_16x16x16f16" + pairwise,
       "",
       {"yes", "yes", "3", n, "4", "no", n}},
      {"f16", "MI250X", "mi250x/v_mfma_f32_16x16x16f16", "", {"no", "no", "3", n, "1", "N.A.", n}},
      {"f16", "L40S", "l40s/" + f16, "l40s/" + to_f16, {}},
      {"f16", "B200", "b200/" + f16, "b200/" + to_f16, {}},
      {"f16", "MI300X", "mi300x/v_mfma_f32_32x32x8_f16", "", {}},
      {"bf16", "A100", "a100/" + bf16, "", {"yes", "yes", "1", t, "8", "no", "N.A."}},
      {"bf16", "H100", "h100/" + bf16, "", {"yes", "yes", ">= 2", t, ">= 16", "no", n}},
      {"bf16", "MI100", "mi100/v_mfma_f32_16x16x8bf16", "", {"yes", "yes", "3", n, "2", "no", n}},
      {"bf16",
       "MI100, pairwise sums",
       "mi100/v_mfma_f32_16x16x8bf16" + pairwise,
       "",
       {"yes", "yes", "3", n, "2", "no", n}},
      {"bf16",
       "MI250X",
       "mi250x/v_mfma_f32_16x16x16bf16_1k",
       "",
       {"no", "no", "3", n, "1", "N.A.", n}},
      {"bf16", "L40S", "l40s/" + bf16, "", {}},
      {"bf16", "B200", "b200/" + bf16, "", {}},
      {"bf16", "MI300X", "mi300x/v_mfma_f32_32x32x8_bf16", "", {}},
      {"tf32", "A100", "a100/" + tf32, "", {"yes", "yes", "1", n, "4", "no", "N.A."}},
      {"tf32", "H100", "h100/" + tf32, "", {"yes", "yes", ">= 2", t, "4", "no", "N.A."}},
      {"tf32", "L40S", "l40s/" + tf32, "", {}},
      {"tf32", "B200", "b200/" + tf32, "", {}},
      {"xf32", "MI300X", "mi300x/v_mfma_f32_16x16x8_xf32", "", {}},
      {"f32", "MI100", "mi100/v_mfma_f32_16x16x4f32", "", {"yes", "yes", "3", n, "1", "N.A.", n}},
      {"f32", "MI250X", "mi250x/v_mfma_f32_16x16x4f32", "", {"yes", "yes", "3", n, "1", "N.A.", n}},
      {"f32", "MI300X", "mi300x/v_mfma_f32_16x16x4_f32", "", {}},
      {"f64", "A100", "a100/" + f64, "", {"yes", "yes", "3", n, "1", "no", n}},
      {"f64", "H100", "h100/" + f64, "", {"yes", "yes", "3", n, "1", "no", n}},
      {"f64", "MI250X", "mi250x/v_mfma_f64_16x16x4f64", "", {"yes", "yes", "3", n, "1", "N.A.", n}},
      {"f64", "L40S", "l40s/" + f64, "", {}},
      {"f64", "B200", "b200/" + f64, "", {}},
      {"f64", "MI300X", "mi300x/v_mfma_f64_16x16x4_f64", "", {}}};
}

/// "8 (8)": the model's and the published value; bold if they differ.
std::string cell(const std::string& ours, const Row& row, std::size_t column) {
  if (row.published.empty()) return ours;
  const std::string& theirs = row.published[column];
  if (ours == "no such output" || ours == "N.A.") return fmt::format("{} ({})", ours, theirs);
  bool same = ours == theirs;
  if (ours == ">= " + theirs && row.gpu == "V100")
    same = true;  // the instruction does not have
                  // more products
  if (theirs == ">= 2") same = ours == "2" || ours == "3";
  return same ? fmt::format("{} ({})", ours, theirs) : fmt::format("**{}** ({})", ours, theirs);
}

/// A row of the table, and the number of its published values that the model contradicts.
struct Line {
  std::string text;
  int published = 0;
  int contradicted = 0;
};

Line line_of(const Row& row) {
  const Unit u(row.instruction);
  const std::string direction = rounding(u, true);
  // Without an extra bit, two halves are lost at every position; cancellation then shows the width.
  const std::string bits = extra_bits(u, direction);
  const std::string width = bits == "0" ? width_by_cancellation(u) : width_by_halves(u);
  const std::vector<std::string> ours{
      subnormal_inputs(u), subnormal_outputs(u), bits, direction, width,
      order(u, width),     last_column(row, u)};
  Line line;
  line.text = "| " + row.inputs + " | " + row.gpu + " | `" +
              row.instruction.substr(row.instruction.find('/') + 1) + "` |";
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const std::string shown = cell(ours[i], row, i);
    line.text += " " + shown + " |";
    const bool is_compared =
        !row.published.empty() && ours[i] != "no such output" && ours[i] != "N.A.";
    if (is_compared) ++line.published;
    if (shown.starts_with("**")) ++line.contradicted;
  }
  line.text += " " + three_halves(u) + " | " + width_by_cancellation(u) + " | " +
               (u.k() < 2 ? "N.A." : rounding(u, false)) + " |\n";
  return line;
}

/// Prints how many published values each GPU's models reproduce, then the table.
void table() {
  std::vector<std::string> gpus;
  std::map<std::string, Line> sums;
  std::string lines;
  for (const Row& row : rows()) {
    const Line line = line_of(row);
    lines += line.text;
    if (row.published.empty()) continue;
    if (!sums.contains(row.gpu)) gpus.push_back(row.gpu);
    sums[row.gpu].published += line.published;
    sums[row.gpu].contradicted += line.contradicted;
  }
  std::cout << "| GPU | compared values | equal | different |\n| --- | ---: | ---: | ---: |\n";
  for (const std::string& gpu : gpus) {
    const Line& sum = sums[gpu];
    std::cout << "| " << gpu << " | " << sum.published << " | " << sum.published - sum.contradicted
              << " | " << sum.contradicted << " |\n";
  }
  std::cout << "\nAll values:\n\n| inputs | GPU | instruction |";
  for (const std::string& c : kColumns) std::cout << " " << c << " |";
  std::cout << " 1 + 3/2 ulp | width by cancellation | the large term a product |\n|";
  for (std::size_t i = 0; i < kColumns.size() + 6; ++i) std::cout << " --- |";
  std::cout << "\n" << lines;
}

}  // namespace
}  // namespace mmaspec

int main() {
  mmaspec::table();
  return 0;
}
