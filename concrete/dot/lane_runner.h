#pragma once
/// Dot-adds of many lanes, long ones part by part: chains step by step, and plans by their parts'
/// sums. A program that fits the cache runs again and again; what is compiled does not grow with K.

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "concrete/aligned/lanes.h"
#include "concrete/batch/evaluator.h"
#include "concrete/dot/model.h"
#include "spec/plans/multiword.h"

namespace mmaspec {

/// Runs one design. Not for several threads at once.
class LaneRunner {
 public:
  /// Designs that the floating-point kernels of `isa` compute (concrete/aligned/lower.h), and parts
  /// of plans that are such, run by these. Throws what building the design throws.
  LaneRunner(const Algorithm& algorithm, const DotFormats& formats,
             aligned::Isa isa = aligned::Isa::fastest);

  /// Inputs: rows in the order of dot_inputs(), a lane for each dot-add, patterns of at most 64
  /// bits. `results`: one row of as many lanes, the patterns of d. Throws ClaimViolated, and
  /// std::logic_error where rows or lanes are others.
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
  std::unique_ptr<aligned::LanesRunner> aligned_;  ///< where it runs by these
  int part_k_ = 0;                                 ///< products of a step
  std::optional<BatchEvaluator> step_;
  std::optional<BatchEvaluator> next_;  ///< where c's format is another than d's
  /// Of plans: the products of each part, what runs those of a length, and what makes one result of
  /// the parts' sums and c.
  std::vector<int> lengths_;
  std::map<int, std::unique_ptr<LaneRunner>> parts_;
  bool first_takes_c_ = false;
  std::unique_ptr<LaneRunner> whole_;  ///< of a Padded design: what it wraps
  std::optional<BatchEvaluator> combine_;
  /// Of a permuted, filled up or converted design: what it wraps, the products that this gets, in
  /// its order (-1: +0 * +0), and what converts operands.
  std::unique_ptr<LaneRunner> inner_;
  std::vector<int> products_;
  std::optional<BatchEvaluator> convert_a_;
  std::optional<BatchEvaluator> convert_b_;
  /// Of scaled rows, programs of: an operand's magnitude; a row's factor and its inverse; an
  /// operand times the factor; the sum without the factors.
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
