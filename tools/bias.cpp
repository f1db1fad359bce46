// Writes docs/figures/bias.svg: MMA-Sim figure 2 (Xie et al., arXiv 2511.10909), the bias of
// rounding down on CDNA3.
//
//   mmaspec-bias docs/figures/bias.svg [RUNS]     (default: one million inputs)

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>

#include "concrete/dot/model.h"
#include "spec/algorithms/round_down_dot_add.h"
#include "spec/catalog/instruction.h"
#include "spec/formats/text.h"

namespace mmaspec {
namespace {

double value_of(const Format& format, const Integer& pattern) {
  return decode(format, pattern).value().convert_to<double>();
}

constexpr int kBins = 80;
constexpr double kReach = 0.5;  // range of errors shown: -0.5 to 0.5

struct Histogram {
  std::array<int, kBins> bins{};
  double sum = 0;
  double squares = 0;
  int outside = 0;

  void add(double x) {
    sum += x;
    squares += x * x;
    const int bin = static_cast<int>(std::floor((x / kReach + 1) / 2 * kBins));
    if (bin < 0 || bin >= kBins) {
      ++outside;
    } else {
      ++bins[static_cast<std::size_t>(bin)];
    }
  }
};

/// A normal deviate by the Box-Muller method, the same with every standard library.
class Normal {
 public:
  float operator()() {
    const double u = (static_cast<double>(random_() >> 11) + 0.5) * 0x1p-53;
    const double v = static_cast<double>(random_() >> 11) * 0x1p-53;
    return static_cast<float>(std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v));
  }

 private:
  std::mt19937_64 random_{1};
};

std::array<Histogram, 2> measure(int runs) {
  const Instruction down = find_instruction("cdna3/v_mfma_f32_32x32x8_f16");
  RoundDownDotAdd design{};
  design.block = 8;
  design.result = {&formats::f32, Rounding::nearest_even};
  design.sum_rounding = Rounding::toward_zero;
  design.c_rounding = Rounding::toward_zero;
  const DotModel rd(down.algorithm, down.formats);
  const DotModel rz(design, down.formats);
  auto scratch_rd = rd.evaluator().scratch();
  auto scratch_rz = rz.evaluator().scratch();

  Normal normal;
  std::array<Histogram, 2> histograms;
  for (int run = 0; run < runs; ++run) {
    DotValues v;
    double exact = 0;
    for (int k = 0; k < 8; ++k) {
      for (std::vector<Integer>* operand : {&v.a, &v.b}) {
        operand->push_back(round_pattern(
            formats::f32, Integer(std::bit_cast<std::uint32_t>(1000 * normal())), formats::f16));
      }
      exact += value_of(formats::f16, v.a.back()) * value_of(formats::f16, v.b.back());
    }
    const float c = normal();
    v.c = Integer(std::bit_cast<std::uint32_t>(c));
    exact += c;
    histograms[0].add(value_of(formats::f32, rd.run(v, scratch_rd)) - exact);
    histograms[1].add(value_of(formats::f32, rz.run(v, scratch_rz)) - exact);
  }
  return histograms;
}

std::string svg(const std::array<Histogram, 2>& histograms, int runs) {
  constexpr int kWidth = 640;
  constexpr int kHeight = 360;
  constexpr int kMargin = 44;
  const double plot_width = kWidth - 2 * kMargin;
  const double plot_height = kHeight - 2 * kMargin;
  int highest = 1;
  for (const Histogram& h : histograms) {
    for (int b : h.bins) highest = std::max(highest, b);
  }
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" "
      "font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      kWidth, kHeight);
  const std::array<const char*, 2> colours{"#c0392b", "#2471a3"};
  const std::array<const char*, 2> names{"rounding down (CDNA3)", "toward zero (hypothetical)"};
  for (std::size_t s = 0; s < 2; ++s) {
    std::string points;
    for (std::size_t i = 0; i < kBins; ++i) {
      const double y = kHeight - kMargin - plot_height * histograms[s].bins[i] / highest;
      const double x0 = kMargin + plot_width * static_cast<double>(i) / kBins;
      points += fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} ", x0, y, x0 + plot_width / kBins, y);
    }
    text +=
        fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n",
                    points, colours[s]);
    text += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"{}\">{}: mean {:.4f}</text>\n", kMargin + 8,
                        kMargin + 14 + 16 * static_cast<int>(s), colours[s], names[s],
                        histograms[s].sum / runs);
  }
  text += fmt::format("<path d=\"M{0} {1}H{2}\" stroke=\"black\"/>\n", kMargin, kHeight - kMargin,
                      kWidth - kMargin);
  for (int tick = -4; tick <= 4; ++tick) {
    const double x = kMargin + plot_width * (tick + 4) / 8;
    text += fmt::format(
        "<path d=\"M{0:.1f} {1}v5\" stroke=\"black\"/><text x=\"{0:.1f}\" y=\"{2}\" "
        "text-anchor=\"middle\">{3}</text>\n",
        x, kHeight - kMargin, kHeight - kMargin + 18, tick * kReach / 4);
  }
  text += fmt::format(
      "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">error of d, {} random "
      "inputs</text>\n</svg>\n",
      kWidth / 2, kHeight - 8, runs);
  return text;
}

}  // namespace
}  // namespace mmaspec

int main(int argc, char** argv) {
  const int runs = argc > 2 ? std::atoi(argv[2]) : 1000000;
  if (argc < 2 || argc > 3 || runs <= 0) {
    std::cerr << "usage: mmaspec-bias FILE.svg [RUNS]\n";
    return 2;
  }
  const auto histograms = mmaspec::measure(runs);
  for (std::size_t s = 0; s < 2; ++s) {
    const mmaspec::Histogram& h = histograms[s];
    const double mean = h.sum / runs;
    fmt::print("{}: mean error {:.6f}, standard deviation {:.6f}, beyond 0.5: {}\n",
               s == 0 ? "rounding down" : "toward zero", mean,
               std::sqrt(h.squares / runs - mean * mean), h.outside);
  }
  std::ofstream file(argv[1], std::ios::binary);
  file << mmaspec::svg(histograms, runs);
  if (!file.flush()) {
    std::cerr << "mmaspec-bias: cannot write " << argv[1] << "\n";
    return 1;
  }
  return 0;
}
