// Compares the floating-point kernels with programs of the batch evaluator on whole matrices: each
// design of the catalogue that the kernels compute, on one thread, in CPU time, with results
// compared. It prints JSON lines on standard output.
//
//   aligned_bench [PART OF A NAME]

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>

#include "concrete/aligned/lanes.h"
#include "concrete/dot/lane_runner.h"
#include "concrete/matrix/matrix.h"
#include "queries/audit/check.h"
#include "queries/compare/compare.h"
#include "queries/draw/samples.h"
#include "util/split_mix.h"

namespace mmaspec {
namespace {

constexpr std::size_t kSide = 256;
constexpr std::size_t kLength = 256;
/// Seconds of each measurement; the best of kRuns measurements counts.
constexpr double kSeconds = 0.01;
constexpr int kRuns = 3;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Seconds of one call, after a first call that fills caches.
template <typename Work>
double seconds_of(const Work& work) {
  work();
  double best = 1e9;
  for (int run = 0; run < kRuns; ++run) {
    const double start = cpu_seconds();
    int count = 0;
    double passed = 0;
    while (passed < kSeconds) {
      work();
      ++count;
      passed = cpu_seconds() - start;
    }
    best = std::min(best, passed / count);
  }
  return best;
}

/// A matrix of patterns in row-major order.
struct Matrix {
  Matrix(const Format* format, std::size_t m, std::size_t n)
      : rows(m),
        columns(n),
        bytes(format == nullptr ? 1U
                                : std::max(8U, static_cast<unsigned>(format->storage_bits)) / 8),
        data(m * n * bytes) {}

  /// Fills it with numbers of both signs and magnitudes near 1.
  void fill(const Format& format, SplitMix& random) {
    const int least = format.has_zero ? 1 : 0;
    for (std::size_t at = 0; at < data.size(); at += bytes) {
      const int field =
          std::clamp(format.bias + random.between(-5, 1), least, format.field_maximum() - 1);
      const std::uint64_t fraction =
          format.fraction_bits == 0 ? 0 : random() >> (64 - format.fraction_bits);
      std::uint64_t pattern = static_cast<std::uint64_t>(field) << format.fraction_bits | fraction;
      if (format.has_sign) {
        pattern |= (random() & 1) << (format.fraction_bits + format.exponent_bits);
      }
      pattern <<= format.ignored_low_bits;
      std::memcpy(data.data() + at, &pattern, bytes);
    }
  }
  PatternSpan span() {
    const auto step = static_cast<std::ptrdiff_t>(bytes);
    return {data.data(), bytes, rows, columns, step * static_cast<std::ptrdiff_t>(columns), step};
  }
  PatternView view() {
    const PatternSpan s = span();
    return {s.data, s.bytes, s.rows, s.columns, s.row_step, s.column_step};
  }

  std::size_t rows;
  std::size_t columns;
  unsigned bytes;
  std::vector<std::byte> data;
};

struct Operands {
  Operands(const DotFormats& f, std::size_t m, std::size_t n)
      : k(static_cast<std::size_t>(f.k)),
        scales(static_cast<std::size_t>(f.scales())),
        a(f.a, m, k),
        b(f.b, k, n),
        c(f.c, m, n),
        scale_a(f.scale, m, scales),
        scale_b(f.scale, scales, n),
        d(f.d, m, n) {
    SplitMix random(1);
    a.fill(*f.a, random);
    b.fill(*f.b, random);
    c.fill(*f.c, random);
    if (f.scale == nullptr) return;
    scale_a.fill(*f.scale, random);
    scale_b.fill(*f.scale, random);
  }
  MatrixTask task() {
    return {{a.view(), b.view(), c.view(), scale_a.view(), scale_b.view()}, d.span()};
  }

  std::size_t k;
  std::size_t scales;
  Matrix a, b, c, scale_a, scale_b, d;
};

void measure_matrices(const Instruction& instruction) {
  const bool chains = *instruction.formats.c == *instruction.formats.d;
  const Instruction whole = chains ? for_matrices(instruction, kLength) : instruction;
  Operands operands(whole.formats, kSide, kSide);
  const double products =
      static_cast<double>(kSide * kSide * operands.k) / static_cast<double>(instruction.formats.k);
  Operands tile(whole.formats, 16, 8);
  std::vector<std::byte> expected;
  std::string line;
  std::vector<aligned::Isa> isas{aligned::Isa::none};
  isas.insert(isas.end(), aligned::isas().begin(), aligned::isas().end());
  for (const aligned::Isa isa : isas) {
    const MatrixRunner runner(whole.algorithm, whole.formats, isa);
    const double seconds = seconds_of([&] { runner.run({operands.task()}, 1); });
    if (isa == aligned::Isa::none) expected = operands.d.data;
    if (operands.d.data != expected) {
      std::fprintf(stderr, "%s: results differ\n", instruction.name().c_str());
      std::exit(1);
    }
    const std::string name(isa == aligned::Isa::none ? "programs" : to_string(isa));
    line += ", \"" + name + "\": " + std::to_string(products / seconds);
    const MatrixRunner small(instruction.algorithm, instruction.formats, isa);
    Operands one(instruction.formats, 16, 8);
    const double of_tile = seconds_of([&] { small.run({one.task()}, 1); });
    line += ", \"" + name + " tile\": " + std::to_string(of_tile * 1e6);
  }
  std::printf("{\"kind\": \"matrices\", \"name\": \"%s\", \"algorithm\": \"%s\", \"k\": %d%s}\n",
              instruction.name().c_str(), instruction.algorithm.name().c_str(),
              instruction.formats.k, line.c_str());
}

/// Dot products with separate operands each.
void measure_lanes(const Instruction& instruction) {
  const DotFormats& f = instruction.formats;
  constexpr std::size_t kLanes = 2 * BatchEvaluator::kBlock;
  Lanes inputs(static_cast<std::size_t>(2 * f.k + 1 + 2 * f.scales()), kLanes);
  Sampler(f, InputClass::finite, 1).fill(inputs);
  Lanes results(1, kLanes);
  std::string line;
  std::vector<aligned::Isa> isas{aligned::Isa::none};
  isas.insert(isas.end(), aligned::isas().begin(), aligned::isas().end());
  for (const aligned::Isa isa : isas) {
    LaneRunner runner(instruction.algorithm, f, isa);
    for (int i = 0; i < 64; ++i)
      runner.run(inputs, results);  // machine code is generated in these
                                    // calls
    const double seconds = seconds_of([&] { runner.run(inputs, results); });
    line += ", \"" + std::string(isa == aligned::Isa::none ? "programs" : to_string(isa)) +
            "\": " + std::to_string(static_cast<double>(kLanes) / seconds);
  }
  std::printf("{\"kind\": \"lanes\", \"name\": \"%s\", \"algorithm\": \"%s\", \"k\": %d%s}\n",
              instruction.name().c_str(), instruction.algorithm.name().c_str(), f.k, line.c_str());
}

}  // namespace
}  // namespace mmaspec

int main(int argc, char** argv) {
  using namespace mmaspec;
  const std::string part = argc > 1 ? argv[1] : "";
  for (const Instruction& i : distinct(catalogue())) {
    if (i.name().find(part) == std::string::npos) continue;
    const auto lowered = aligned::lower(i.algorithm, i.formats);
    if (!lowered) continue;
    measure_matrices(i);
    if (lowered->chain.in_double == 0) measure_lanes(i);
    std::fflush(stdout);
  }
  return 0;
}
