#pragma once
/// The batch evaluator: a graph compiled once, run on many inputs at once in machine integers.
///
/// Every node is held in the narrowest lane that its range fits (16, 32 or 64 bits, or as many
/// 64-bit words as it needs), Booleans in a byte. Nothing is too wide: no node falls back to the
/// exact evaluator, which stays the reference that this one is tested against.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "spec/lang/graph.h"

namespace mmaspec {

/// Patterns or results of many evaluations: `rows` (inputs or roots), each of `lanes` values.
class Lanes {
 public:
  Lanes(std::size_t rows, std::size_t lanes)
      : rows_(rows), lanes_(lanes), stride_(lanes + kCacheLine), values_(rows * stride_, 0) {}

  std::size_t rows() const { return rows_; }
  std::size_t lanes() const { return lanes_; }
  /// `lanes()` values of one row, one behind the other; the next row is not right behind them.
  std::uint64_t* operator[](std::size_t row) { return values_.data() + row * stride_; }
  const std::uint64_t* operator[](std::size_t row) const { return values_.data() + row * stride_; }

 private:
  /// Words between rows, without which the rows of many lanes, a power of two, would have the same
  /// few places in a cache.
  static constexpr std::size_t kCacheLine = 8;

  std::size_t rows_;
  std::size_t lanes_;
  std::size_t stride_;
  std::vector<std::uint64_t> values_;
};

/// What a program runs by: kernels, compiled for an instruction set, or machine code of its own
/// (AVX2's), which is made at once or, by `fastest`, when so many lanes were evaluated that it
/// pays.
enum class BatchIsa { portable, avx2, avx512, native, fastest };
std::string_view to_string(BatchIsa isa);
/// Those that this machine runs, without `fastest`, the fastest last; `portable` always. By
/// `native` programs with integers of more than 64 bits run as by the kernels.
const std::vector<BatchIsa>& batch_isas();

namespace batch {
struct Program;
}

/// Evaluates the nodes that some roots depend on. Immutable: one object serves many threads, each
/// with a scratch of its own.
class BatchEvaluator {
 public:
  /// Lanes that run together. Any number may be asked for; multiples waste nothing.
  static constexpr std::size_t kBlock = 256;

  /// Space for evaluations, to be used again by the next. Empty ones are filled at first use.
  using Scratch = std::vector<std::uint64_t>;

  /// Compiles; `graph` need not outlive this object. Throws std::logic_error if a node of the
  /// roots' cone is an input of more than 64 bits.
  BatchEvaluator(const Graph& graph, const std::vector<NodeId>& roots,
                 BatchIsa isa = BatchIsa::fastest);
  ~BatchEvaluator();
  BatchEvaluator(BatchEvaluator&&) noexcept;
  BatchEvaluator& operator=(BatchEvaluator&&) noexcept;

  /// results[r][lane] becomes the value of roots[r], modulo 2^64: a pattern or Boolean as it is,
  /// negative numbers as int64_t where they fit. inputs[i][lane] is the value of graph.inputs()[i],
  /// less than 2^width (not checked); rows missing at the end are 0. Throws ClaimViolated if a
  /// claim fails in some lane, and std::logic_error unless `results` has a row a root and as many
  /// lanes as `inputs`.
  void evaluate(const Lanes& inputs, Lanes& results, Scratch& scratch) const;

  /// The same of rows that lie anywhere: pointers to `lanes` values each, as many as the roots
  /// depend on, and one for each root.
  void evaluate(const std::vector<const std::uint64_t*>& inputs, std::size_t lanes,
                const std::vector<std::uint64_t*>& results, Scratch& scratch) const;

  /// For benchmarks and tests: operations of the program, and bytes that a block works on by the
  /// kernels.
  std::size_t operations() const;
  std::size_t working_set() const;

 private:
  std::unique_ptr<const batch::Program> program_;
};

}  // namespace mmaspec
