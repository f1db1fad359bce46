#pragma once
/// The batch evaluator for who has many blocks that share inputs, as tiles of a matrix do.

#include <memory>
#include <vector>

#include "concrete/batch/evaluator.h"

namespace mmaspec {

/// Evaluates one block after the other, whose rows lie wherever they are. Immutable: one object
/// serves many threads, each with a scratch of its own.
class BlockEvaluator {
 public:
  static constexpr std::size_t kBlock = BatchEvaluator::kBlock;

  struct Block {
    const std::uint64_t* const* inputs;  ///< a row an input of the graph, of `lanes` values
    const bool* uniform;                 ///< by input: its row is one value, that of all lanes
    std::uint64_t* const* results;       ///< a row a root
    std::size_t lanes;                   ///< 1 .. kBlock
    /// The inputs that are held, and `lanes`, are those of the last block of the same scratch.
    bool same_held = false;
  };

  /// As BatchEvaluator. `held`: inputs that stay as they are for block after block, so that what
  /// follows from them alone is computed once.
  BlockEvaluator(const Graph& graph, const std::vector<NodeId>& roots,
                 const std::vector<NodeId>& held, BatchIsa isa = BatchIsa::fastest);
  ~BlockEvaluator();
  BlockEvaluator(const BlockEvaluator&) = delete;
  BlockEvaluator& operator=(const BlockEvaluator&) = delete;

  /// As BatchEvaluator::evaluate(). No lengths are checked.
  void evaluate(const Block& block, BatchEvaluator::Scratch& scratch) const;

 private:
  std::unique_ptr<const batch::Program> program_;
};

}  // namespace mmaspec
