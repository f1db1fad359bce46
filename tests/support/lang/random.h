#pragma once
/// Random expressions of the language. The value of each is computed independently of the graph.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "spec/lang/graph.h"

namespace mmaspec::lang_test {

/// A graph of random expressions that share subexpressions, and their values by plain arithmetic
/// (Number).
struct RandomGraph {
  std::unique_ptr<Graph> graph;
  std::vector<std::vector<Integer>> inputs;  ///< the values of the inputs that were tried
  std::vector<NodeId> roots;                 ///< every expression, integers and Booleans
  std::vector<std::vector<Integer>> values;  ///< values[i][r]: roots[r] at inputs[i]
  std::vector<NodeId> again;                 ///< the same expressions, built again
};

/// A program of `steps` random operations over inputs x0, x1, ... of these widths, the same for the
/// same seed. `inputs` empty: all inputs, and the operations include true claims.
RandomGraph random_graph(std::uint64_t seed, const std::vector<unsigned>& widths, int steps,
                         std::vector<std::vector<Integer>> inputs = {});

/// Inputs of these widths: all combinations of 0, 1, the largest value and powers of two, or a
/// random part of them; also random inputs.
std::vector<std::vector<Integer>> corner_inputs(std::uint64_t seed,
                                                const std::vector<unsigned>& widths, int count);

/// The number of random graphs that a test tries: `usual`, multiplied by MMASPEC_TEST_ROUNDS if it
/// is set.
int rounds(int usual);

}  // namespace mmaspec::lang_test
