#pragma once
/// The batch evaluator: compiles a graph once, and evaluates it on many inputs at once in machine
/// integers.
///
/// Every node has the narrowest lane type that fits its range (16, 32 or 64 bits, or as many 64-bit
/// words as it needs); Booleans have a byte. All widths are supported: no node needs the exact
/// evaluator, which remains the reference for tests of this one.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "spec/lang/graph.h"

namespace mmaspec {

/// Patterns or results of many evaluations: `rows` (inputs or roots) of `lanes` values each.
class Lanes {
 public:
  Lanes(std::size_t rows, std::size_t lanes)
      : rows_(rows), lanes_(lanes), stride_(lanes + kCacheLine), values_(rows * stride_, 0) {}

  std::size_t rows() const { return rows_; }
  std::size_t lanes() const { return lanes_; }
  /// The `lanes()` consecutive values of a row. Rows are not adjacent.
  std::uint64_t* operator[](std::size_t row) { return values_.data() + row * stride_; }
  const std::uint64_t* operator[](std::size_t row) const { return values_.data() + row * stride_; }

 private:
  /// Words between rows. Without them, rows whose number of lanes is a power of two would map to
  /// the same cache sets.
  static constexpr std::size_t kCacheLine = 8;

  std::size_t rows_;
  std::size_t lanes_;
  std::size_t stride_;
  std::vector<std::uint64_t> values_;
};

/// How a program is executed: by kernels compiled for an instruction set, or by machine code
/// generated for it (AVX2). `native` generates the machine code at once; `fastest` generates it
/// after enough lanes were evaluated for it to pay off.
enum class BatchIsa { portable, avx2, avx512, native, fastest };
std::string_view to_string(BatchIsa isa);
/// Those that this machine supports, without `fastest`, in ascending order of speed; always
/// includes `portable`. With `native`, programs with integers of more than 64 bits use the kernels.
const std::vector<BatchIsa>& batch_isas();

namespace batch {
struct Program;
}

/// Evaluates the nodes on which some roots depend. Immutable: many threads may share one object,
/// each with a separate scratch.
class BatchEvaluator {
 public:
  /// Number of lanes that are evaluated together. Any number of lanes is allowed; multiples of this
  /// are most efficient.
  static constexpr std::size_t kBlock = 256;

  /// Working memory that consecutive evaluations reuse. Pass an empty one at first.
  using Scratch = std::vector<std::uint64_t>;

  /// Compiles the graph, which need not outlive this object. Throws std::logic_error if the cone of
  /// the roots contains an input of more than 64 bits.
  BatchEvaluator(const Graph& graph, const std::vector<NodeId>& roots,
                 BatchIsa isa = BatchIsa::fastest);
  ~BatchEvaluator();
  BatchEvaluator(BatchEvaluator&&) noexcept;
  BatchEvaluator& operator=(BatchEvaluator&&) noexcept;

  /// Sets results[r][lane] to the value of roots[r] modulo 2^64: patterns and Booleans are
  /// unchanged, negative numbers are int64_t if they fit. inputs[i][lane] is the value of
  /// graph.inputs()[i] and must be less than 2^width (not checked); missing rows at the end are 0.
  /// Throws ClaimViolated if a claim fails in some lane, and std::logic_error unless `results` has
  /// one row for each root and as many lanes as `inputs`.
  void evaluate(const Lanes& inputs, Lanes& results, Scratch& scratch) const;

  /// The same for rows at any addresses: pointers to `lanes` values each, one for each input on
  /// which the roots depend and one for each root.
  void evaluate(const std::vector<const std::uint64_t*>& inputs, std::size_t lanes,
                const std::vector<std::uint64_t*>& results, Scratch& scratch) const;

  /// For benchmarks and tests: the number of operations of the program, and the bytes that the
  /// kernels use for a block.
  std::size_t operations() const;
  std::size_t working_set() const;

 private:
  std::unique_ptr<const batch::Program> program_;
};

}  // namespace mmaspec
