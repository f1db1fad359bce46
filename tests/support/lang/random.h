#pragma once
/// Random expressions of the language, each with its meaning computed beside the graph.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "spec/lang/graph.h"

namespace mmaspec::lang_test {

/// A graph of random expressions that share subexpressions, and what plain arithmetic (Number)
/// says that each is worth.
struct RandomGraph {
  std::unique_ptr<Graph> graph;
  std::vector<std::vector<Integer>> inputs;  ///< the values of the inputs that were tried
  std::vector<NodeId> roots;                 ///< every expression, integers and Booleans
  std::vector<std::vector<Integer>> values;  ///< values[i][r]: roots[r] at inputs[i]
  std::vector<NodeId> again;                 ///< the same expressions, built a second time
};

/// A program of `steps` random operations over inputs x0, x1, ... of these widths, the same for the
/// same seed. `inputs` empty: all inputs, and true claims occur among the operations.
RandomGraph random_graph(std::uint64_t seed, const std::vector<unsigned>& widths, int steps,
                         std::vector<std::vector<Integer>> inputs = {});

/// Inputs of these widths: all combinations of 0, 1, the largest and powers of two, or a random
/// part of them, and random ones.
std::vector<std::vector<Integer>> corner_inputs(std::uint64_t seed,
                                                const std::vector<unsigned>& widths, int count);

/// How many random graphs a test tries: `usual`, times MMASPEC_TEST_ROUNDS if that is set.
int rounds(int usual);

}  // namespace mmaspec::lang_test
