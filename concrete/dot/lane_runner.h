#pragma once
/// Dot-adds in many lanes. Long ones are computed in parts: chains step by step, and plans by the
/// sums of their parts. One program that fits the cache is executed repeatedly, and its size does
/// not grow with K.

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "concrete/aligned/lanes.h"
#include "concrete/batch/evaluator.h"
#include "concrete/dot/model.h"
#include "spec/plans/multiword.h"

namespace mmaspec {

/// Evaluates one design. Not thread-safe.
class LaneRunner {
 public:
  /// Uses the floating-point kernels of `isa` for designs, and parts of plans, that they can
  /// compute (concrete/aligned/lower.h). Throws what building the design throws.
  LaneRunner(const Algorithm& algorithm, const DotFormats& formats,
             aligned::Isa isa = aligned::Isa::fastest);

  /// Inputs: rows in the order of dot_inputs(), one lane for each dot-add, patterns of at most 64
  /// bits. `results`: one row with as many lanes, the patterns of d. Throws ClaimViolated, and
  /// std::logic_error for other numbers of rows or lanes.
  void run(const Lanes& inputs, Lanes& results);

 private:
  using Rows = std::vector<const std::uint64_t*>;

  void compile(const Algorithm& algorithm, const DotFormats& formats, aligned::Isa isa);
  void run(const Rows& rows, std::size_t lanes, std::uint64_t* d);
  void run_parts(const Rows& rows, std::size_t lanes, std::uint64_t* d);
  void run_inner_of_operands(const Rows& rows, std::size_t lanes, std::uint64_t* d);
  void run_words(const Rows& rows, std::size_t lanes, std::uint64_t* d);
  void run_inner_of_scaled_rows(const Rows& rows, std::size_t lanes, std::uint64_t* d);

  DotFormats formats_;
  std::unique_ptr<aligned::LanesRunner> aligned_;  ///< set if the kernels compute it
  int part_k_ = 0;                                 ///< number of products of a step
  std::optional<BatchEvaluator> step_;
  std::optional<BatchEvaluator> next_;  ///< set if c's format differs from d's
  /// For plans: the number of products of each part, the runner for each length, and the program
  /// that combines the parts' sums and c.
  std::vector<int> lengths_;
  std::map<int, std::unique_ptr<LaneRunner>> parts_;
  bool first_takes_c_ = false;
  std::unique_ptr<LaneRunner> whole_;  ///< for a Padded design: the design inside
  std::optional<BatchEvaluator> combine_;
  /// For a permuted, padded or converted design: the design inside, the indices of its products in
  /// order (-1: +0 * +0), and the programs that convert operands.
  std::unique_ptr<LaneRunner> inner_;
  std::vector<int> products_;
  std::optional<BatchEvaluator> convert_a_;
  std::optional<BatchEvaluator> convert_b_;
  /// For scaled rows, programs that compute: the magnitude of an operand; a row's factor and its
  /// inverse; an operand times the factor; the sum without the factors.
  struct RowPrograms {
    struct OfRow {
      BatchEvaluator magnitude;
      BatchEvaluator scale;
      BatchEvaluator operand;
    };
    OfRow a;
    OfRow b;
    BatchEvaluator back;
  };
  std::optional<RowPrograms> rows_;
  /// Of operands that are split: what makes an operand's words, and the sums of words' products,
  /// each with what runs its chain. `combine_` adds the sums.
  struct SumOfWords {
    WordSum sum;
    std::unique_ptr<LaneRunner> runner;
  };
  std::optional<BatchEvaluator> split_;
  std::vector<SumOfWords> sums_of_words_;
  std::size_t words_ = 0;   ///< of an operand
  std::size_t step_k_ = 0;  ///< products of an instruction
  BatchEvaluator::Scratch scratch_;
  BatchEvaluator::Scratch next_scratch_;
};

}  // namespace mmaspec
