#pragma once
/// The batch evaluator for callers whose blocks share inputs, such as the tiles of a matrix.

#include <memory>
#include <vector>

#include "concrete/batch/evaluator.h"

namespace mmaspec {

/// Evaluates single blocks whose rows may have any addresses. Immutable: many threads may share one
/// object, each with a separate scratch.
class BlockEvaluator {
 public:
  static constexpr std::size_t kBlock = BatchEvaluator::kBlock;

  struct Block {
    const std::uint64_t* const* inputs;  ///< one row of `lanes` values for each input of the graph
    const bool* uniform;                 ///< for each input: its row has a single value for all
                                         ///< lanes
    std::uint64_t* const* results;       ///< one row for each root
    std::size_t lanes;                   ///< 1 .. kBlock
    /// The held inputs, and `lanes`, are the same as in the last block with the same scratch.
    bool same_held = false;
  };

  /// As BatchEvaluator. `held`: inputs that stay the same for many blocks, so that what depends
  /// only on them is computed once.
  BlockEvaluator(const Graph& graph, const std::vector<NodeId>& roots,
                 const std::vector<NodeId>& held, BatchIsa isa = BatchIsa::fastest);
  ~BlockEvaluator();
  BlockEvaluator(const BlockEvaluator&) = delete;
  BlockEvaluator& operator=(const BlockEvaluator&) = delete;

  /// As BatchEvaluator::evaluate(). Lengths are not checked.
  void evaluate(const Block& block, BatchEvaluator::Scratch& scratch) const;

 private:
  std::unique_ptr<const batch::Program> program_;
};

}  // namespace mmaspec
