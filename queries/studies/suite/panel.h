#pragma once
/// The designs of a suite on common inputs: in one graph, so that designs with the same normal form
/// are one expression, and evaluated on many inputs at once.

#include <cstdint>
#include <optional>
#include <vector>

#include "queries/ask/question.h"
#include "queries/draw/fitting.h"
#include "queries/statement/condition.h"
#include "queries/studies/suite/designs.h"
#include "queries/studies/suite/partition.h"
#include "spec/formats/unpack.h"

namespace mmaspec {

/// Which inputs are allowed, and which differences of results count.
struct PanelOptions {
  InputClass inputs = InputClass::finite;
  /// A further condition on inputs. d is each design's result in turn.
  Condition where = {};
  bool signed_zero = false;  ///< zeros of opposite signs are different results
};

class Panel {
 public:
  /// Throws std::invalid_argument for a condition on operands that the formats lack, OutOfTime, and
  /// TooLarge.
  Panel(const std::vector<SuiteDesign>& designs, const PanelOptions& options);

  const DotFormats& formats() const { return formats_; }
  const PanelOptions& options() const { return options_; }
  const Graph& graph() const { return *graph_; }
  /// The conditions that all inputs must satisfy.
  const std::vector<NodeId>& premises() const { return premises_; }
  /// Whether inputs must satisfy more than their class.
  bool has_condition() const { return static_cast<bool>(options_.where); }
  /// Whether the condition differs between the designs' results.
  bool condition_is_of_results() const { return conditions_ > 1; }

  /// Number of distinct expressions of results, after equal results were unified.
  std::size_t expressions() const { return results_.size(); }
  /// The expression of each design.
  const std::vector<std::size_t>& expression_of() const { return expression_of_; }
  /// The first design with this expression.
  std::size_t first_of(std::size_t expression) const { return first_of_[expression]; }

  /// Inputs drawn for the seed, with rows as in Graph::inputs(). They need not satisfy the
  /// condition.
  Candidates draws(unsigned seed) const;

  /// Evaluates all expressions. Lanes whose inputs do not satisfy the premises are left out.
  class Runner {
   public:
    explicit Runner(const Panel& panel);
    /// Calls `each(lane, partition of the expressions)`.
    template <typename Each>
    void run(const Lanes& inputs, const Each& each) {
      evaluate(inputs);
      std::vector<std::uint64_t> answers(panel_.expressions());
      for (std::size_t lane = 0; lane < inputs.lanes(); ++lane) {
        if (!answers_of(lane, answers)) continue;
        each(lane, partition_by(answers, answers.size()));
      }
    }
    /// The partition for one input; nullopt: it does not satisfy the premises.
    std::optional<Partition> run(const DotValues& values);
    /// Number of batch evaluator operations for one lane.
    std::size_t operations() const { return evaluator_.operations(); }

   private:
    void evaluate(const Lanes& inputs);
    bool answers_of(std::size_t lane, std::vector<std::uint64_t>& answers) const;

    const Panel& panel_;
    BatchEvaluator evaluator_;
    BatchEvaluator::Scratch scratch_;
    Lanes results_;
  };

  /// The best inputs that local search finds for separating these pairs of expressions; nullopt:
  /// none separates any pair. See climb().
  std::optional<InputValues> climb_for(const PairSet& pairs, const std::vector<InputValues>& starts,
                                       unsigned seed, std::size_t work, const Deadline& deadline);

 private:
  DotFormats formats_;
  PanelOptions options_;
  std::unique_ptr<Graph> graph_;
  std::vector<NodeId> premises_;
  std::size_t conditions_ = 0;   ///< number of different conditions over all designs' results
  std::vector<NodeId> results_;  ///< by expression
  std::vector<std::size_t> expression_of_;
  std::vector<std::size_t> first_of_;
  std::optional<Fitting> fitting_;
};

/// The canonical form of a result for comparison: one pattern for all NaNs and, unless signs of
/// zeros count, one for both zeros. In the current graph, and on numbers.
Int compared_result(const Format& format, Int d, bool signed_zero);
Integer compared_result(const Format& format, const Integer& d, bool signed_zero);

}  // namespace mmaspec
