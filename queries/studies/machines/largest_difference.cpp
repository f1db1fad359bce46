#include "queries/studies/machines/largest_difference.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "concrete/dot/lane_runner.h"
#include "queries/values/exact_result.h"
#include "spec/formats/convert.h"

namespace mmaspec {
namespace {

constexpr std::size_t kValuesAtOnce = std::size_t{1} << 20U;  // for all operands of a block

/// Converts the first one's operands to the second one's formats, and says whether these hold them.
class Counterparts {
 public:
  explicit Counterparts(const Pair& pair) {
    const Graph::Building building(graph_);
    const CounterpartOperands other = counterpart(
        pair.first.formats, dot_inputs(pair.first.formats), pair.second.formats, Match::values);
    const auto& [a, b, c, scale_a, scale_b] = other.operands;
    std::vector<NodeId> roots;
    for (const auto& part : {a, b, {c}, scale_a, scale_b}) {
      for (Int x : part) roots.push_back(x.id());
    }
    rows_ = roots.size();
    roots.push_back(other.comparable.id());
    program_.emplace(graph_, roots);
  }

  /// The operands, and a last row that is 1 if they are comparable.
  Lanes of(const Lanes& inputs) {
    Lanes all(rows_ + 1, inputs.lanes());
    program_->evaluate(inputs, all, scratch_);
    return all;
  }

 private:
  Graph graph_;
  std::size_t rows_;
  std::optional<BatchEvaluator> program_;
  BatchEvaluator::Scratch scratch_;
};

/// Patterns of a format as double-precision numbers, which represent all formats of at most 32 bits
/// exactly.
class ResultValues {
 public:
  explicit ResultValues(const Format& format) : format_(format) {
    if (format.is_integer()) return;
    Graph graph;
    const Graph::Building building(graph);
    const Int x = input("x", static_cast<unsigned>(format.storage_bits));
    program_.emplace(graph, std::vector{convert(format, x, formats::f64).pattern.id()});
  }

  std::vector<double> of(const Lanes& patterns) {
    std::vector<double> numbers;
    if (!program_) {
      for (std::size_t i = 0; i < patterns.lanes(); ++i) {
        numbers.push_back(decode(format_, patterns[0][i]).value().convert_to<double>());
      }
      return numbers;
    }
    Lanes wide(1, patterns.lanes());
    program_->evaluate(patterns, wide, scratch_);
    for (std::size_t i = 0; i < wide.lanes(); ++i) {
      numbers.push_back(std::bit_cast<double>(wide[0][i]));
    }
    return numbers;
  }

 private:
  const Format& format_;
  std::optional<BatchEvaluator> program_;
  BatchEvaluator::Scratch scratch_;
};

/// The operands of a lane. Rows have the order of in_input_order().
DotValues lane_of(const Lanes& inputs, std::size_t lane, const DotFormats& f) {
  DotValues values;
  std::size_t row = 0;
  const auto take = [&](std::vector<Integer>& part, int count) {
    for (int i = 0; i < count; ++i) part.emplace_back(inputs[row++][lane]);
  };
  take(values.a, f.k);
  take(values.b, f.k);
  values.c = inputs[row++][lane];
  take(values.scale_a, f.scales());
  take(values.scale_b, f.scales());
  return values;
}

}  // namespace

LargestDifference largest_difference(const Pair& pair, const Condition& where, TypicalData data,
                                     std::size_t count, const Deadline& deadline,
                                     const EachBlock& each_block) {
  const DotFormats& f = pair.first.formats;
  const DotFormats& g = pair.second.formats;
  const auto rows = static_cast<std::size_t>(2 * f.k + 1 + 2 * f.scales());
  const std::size_t at_once =
      std::clamp<std::size_t>(kValuesAtOnce / rows / BatchEvaluator::kBlock, 1, 16) *
      BatchEvaluator::kBlock;
  LaneRunner first(pair.first.algorithm, f);
  LaneRunner second(pair.second.algorithm, g);
  Counterparts counterparts(pair);
  ResultValues of_first(*f.d);
  ResultValues of_second(*g.d);
  ConditionProgram condition(where, f);
  LargestDifference result;
  double near_largest = 0;
  for (std::size_t done = 0; done < count && !deadline.passed();) {
    Lanes inputs(rows, std::min(at_once, count - done));
    data.fill(inputs);
    done += inputs.lanes();
    Lanes d(1, inputs.lanes());
    first.run(inputs, d);
    const Lanes with_comparable = counterparts.of(inputs);
    const std::size_t other_rows = with_comparable.rows() - 1;
    Lanes others(other_rows, inputs.lanes());
    for (std::size_t row = 0; row < other_rows; ++row) {
      std::copy_n(with_comparable[row], inputs.lanes(), others[row]);
    }
    Lanes d_other(1, inputs.lanes());
    second.run(others, d_other);
    std::vector<bool> counts = condition.holds(inputs, d);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      counts[i] = counts[i] && with_comparable[other_rows][i] != 0;
    }
    const std::vector<double> x = of_first.of(d);
    const std::vector<double> y = of_second.of(d_other);
    if (each_block) each_block(inputs, x, y, counts);
    for (std::size_t i = 0; i < inputs.lanes(); ++i) {
      if (!counts[i]) continue;
      ++result.rows;
      if (!std::isfinite(x[i]) || !std::isfinite(y[i])) {
        ++result.not_finite;
        continue;
      }
      // The difference of two double-precision numbers may have an error of half an ulp:
      // differences that may be the largest are computed exactly.
      const double near = std::abs(x[i] - y[i]);
      if (near < near_largest * (1 - 0x1p-50)) continue;
      const Rational apart =
          abs(Rational(decode(*f.d, d[0][i]).value() - decode(*g.d, d_other[0][i]).value()));
      if (apart <= result.largest) continue;
      result.largest = apart;
      result.worst = lane_of(inputs, i, f);
      near_largest = near;
    }
  }
  return result;
}

}  // namespace mmaspec
