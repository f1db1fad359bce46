#include "concrete/matrix/matrix.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "concrete/matrix/aligned_tiles.h"
#include "concrete/matrix/pack.h"
#include "concrete/matrix/threads.h"
#include "spec/algorithms/chain_step.h"
#include "spec/formats/text.h"
#include "util/deadline.h"

namespace mmaspec {
namespace {

constexpr std::size_t kBlock = BatchEvaluator::kBlock;
/// Minimum number of products of one program, because each program's results go through memory.
constexpr int kLeastProducts = 16;
/// Number of tiles of one column that share its packed columns of b.
constexpr std::size_t kTilesTogether = 64;

/// The inputs that are columns of b and of its scale factors, which consecutive tiles share.
std::vector<NodeId> columns_of(const Graph& graph) {
  std::vector<NodeId> all;
  for (const NodeId id : graph.inputs()) {
    const std::string& name = graph.input_name(id);
    if (name.starts_with("b[") || name.starts_with("sb[")) all.push_back(id);
  }
  return all;
}

std::string shape_of(const PatternView& view) {
  return std::to_string(view.rows) + " x " + std::to_string(view.columns);
}

}  // namespace

int part_for_matrices(const Algorithm& algorithm, const DotFormats& formats) {
  const int step = chain_step(algorithm, formats);
  for (int k = step; k <= formats.k; k += step) {
    if (k >= kLeastProducts && formats.k % k == 0) return k;
  }
  return formats.k;
}

DotValues dot_values_at(const MatrixOperands& operands, std::size_t row, std::size_t column,
                        const DotFormats& formats) {
  DotValues values;
  const auto k = static_cast<std::size_t>(formats.k);
  for (std::size_t i = 0; i < k; ++i) {
    const bool is_there = i < operands.a.columns;
    values.a.emplace_back(is_there ? pattern_at(operands.a, row, i) : 0);
    values.b.emplace_back(is_there ? pattern_at(operands.b, i, column) : 0);
  }
  values.c = pattern_at(operands.c, row, column);
  const Integer one = formats.scale == nullptr ? 0 : parse_pattern_of(*formats.scale, "1");
  for (std::size_t i = 0; i < static_cast<std::size_t>(formats.scales()); ++i) {
    const bool is_there = i < operands.scale_a.columns;
    values.scale_a.push_back(is_there ? Integer(pattern_at(operands.scale_a, row, i)) : one);
    values.scale_b.push_back(is_there ? Integer(pattern_at(operands.scale_b, i, column)) : one);
  }
  return values;
}

void require_shapes(const MatrixTask& task, const DotFormats& formats, bool any_k) {
  const MatrixOperands& in = task.operands;
  const std::size_t k = in.a.columns;
  const auto refuse = [&](const std::string& what) { throw std::invalid_argument(what); };
  if (!any_k && k > static_cast<std::size_t>(formats.k)) {
    refuse("a has " + std::to_string(k) + " columns, more than K = " + std::to_string(formats.k));
  }
  if (in.b.rows != k || in.c.rows != in.a.rows || in.c.columns != in.b.columns ||
      task.d.rows != in.a.rows || task.d.columns != in.b.columns) {
    refuse("shapes do not fit: a " + shape_of(in.a) + ", b " + shape_of(in.b) + ", c " +
           shape_of(in.c));
  }
  if (formats.scale == nullptr) return;
  const auto block = static_cast<std::size_t>(formats.scale_block);
  const std::size_t scales = (k + block - 1) / block;
  if (in.scale_a.rows != in.a.rows || in.scale_a.columns != scales || in.scale_b.rows != scales ||
      in.scale_b.columns != in.b.columns) {
    refuse("scale factors do not fit: one for each " + std::to_string(block) +
           " products, scale_a " + shape_of(in.scale_a) + ", scale_b " + shape_of(in.scale_b));
  }
}

MatrixRunner::Part::Part(const Algorithm& algorithm, const DotFormats& formats)
    : model(algorithm, formats),
      evaluator(model.graph(), {model.result()}, columns_of(model.graph())) {}

MatrixRunner::MatrixRunner(const Algorithm& algorithm, const DotFormats& formats, aligned::Isa isa)
    : formats_(formats),
      aligned_(AlignedTiles::make(algorithm, formats, isa)),
      part_k_(part_for_matrices(algorithm, formats)) {
  if (aligned_ != nullptr) return;
  first_.emplace(algorithm, part_of(formats, part_k_));
  if (part_k_ < formats.k && !(*formats.c == *formats.d)) {
    next_.emplace(algorithm, continuing_part_of(formats, part_k_));
  }
  if (formats.scale != nullptr) {
    one_ = parse_pattern_of(*formats.scale, "1").convert_to<std::uint64_t>();
  }
}

MatrixRunner::~MatrixRunner() = default;

/// Consecutive tiles of the same columns.
struct MatrixRunner::Tile {
  const MatrixTask* task;
  std::vector<TileShape> shapes;
};

/// The working memory of one thread.
class MatrixRunner::Worker {
 public:
  explicit Worker(const MatrixRunner& runner) : runner_(runner) {
    const DotFormats& f = runner.formats_;
    k_ = static_cast<std::size_t>(runner.part_k_);
    scales_ = static_cast<std::size_t>(f.scales()) * k_ / static_cast<std::size_t>(f.k);
    const std::size_t rows = 2 * k_ + 1 + 2 * scales_;
    space_.resize(rows * kBlock);
    inputs_.resize(rows);
    uniform_ = std::make_unique<bool[]>(rows);  // NOLINT(modernize-avoid-c-arrays)
    for (std::size_t i = 0; i < rows; ++i) inputs_[i] = row(i);
  }

  void run(const Tile& tile) {
    const MatrixTask& task = *tile.task;
    const std::size_t tiles = tile.shapes.size();
    sums_.resize(tiles * kBlock);
    for (std::size_t t = 0; t < tiles; ++t) {
      pack_c(task.operands.c, tile.shapes[t], sums_.data() + t * kBlock);
    }
    const std::size_t parts = static_cast<std::size_t>(runner_.formats_.k) / k_;
    for (std::size_t p = 0; p < parts; ++p) {
      std::size_t packed = 0;  // number of rows of the tiles for which b was packed
      for (std::size_t t = 0; t < tiles; ++t) {
        if (work_is_stopped()) throw OutOfTime();
        const TileShape& shape = tile.shapes[t];
        const bool same_columns = packed == shape.rows;
        if (!same_columns) pack_columns(task.operands, shape, p);
        packed = shape.rows;
        pack_rows(task.operands, shape, p);
        evaluate(p, shape, same_columns, sums_.data() + t * kBlock);
      }
    }
    for (std::size_t t = 0; t < tiles; ++t) {
      unpack_d(sums_.data() + t * kBlock, tile.shapes[t], task.d);
    }
  }

 private:
  std::uint64_t* row(std::size_t i) { return space_.data() + i * kBlock; }

  /// Rows of inputs: a, b, c, scale_a, scale_b, as in in_input_order().
  std::size_t row_of_c() const { return 2 * k_; }

  void pack_columns(const MatrixOperands& in, const TileShape& shape, std::size_t part) {
    for (std::size_t i = 0; i < k_; ++i) {
      const std::size_t k = part * k_ + i;
      fill(k_ + i, k < in.b.rows, 0, [&](std::uint64_t* out) { pack_b(in.b, shape, k, out); });
    }
    for (std::size_t i = 0; i < scales_; ++i) {
      const std::size_t s = part * scales_ + i;
      fill(row_of_c() + 1 + scales_ + i, s < in.scale_b.rows, runner_.one_,
           [&](std::uint64_t* out) { pack_b(in.scale_b, shape, s, out); });
    }
  }

  void pack_rows(const MatrixOperands& in, const TileShape& shape, std::size_t part) {
    const bool uniform = shape.rows == 1;
    for (std::size_t i = 0; i < k_; ++i) {
      const std::size_t k = part * k_ + i;
      fill(
          i, k < in.a.columns, 0, [&](std::uint64_t* out) { pack_a(in.a, shape, k, out); },
          uniform);
    }
    for (std::size_t i = 0; i < scales_; ++i) {
      const std::size_t s = part * scales_ + i;
      fill(
          row_of_c() + 1 + i, s < in.scale_a.columns, runner_.one_,
          [&](std::uint64_t* out) { pack_a(in.scale_a, shape, s, out); }, uniform);
    }
  }

  /// Fills a row of inputs by `pack`, or with `otherwise` if the matrix has no such element.
  template <typename Pack>
  void fill(std::size_t i, bool is_there, std::uint64_t otherwise, const Pack& pack,
            bool uniform = false) {
    uniform_[i] = uniform || !is_there;
    if (is_there) {
      pack(row(i));
    } else {
      *row(i) = otherwise;
    }
  }

  void evaluate(std::size_t part, const TileShape& shape, bool same_columns, std::uint64_t* sums) {
    const bool later = part > 0 && runner_.next_.has_value();
    const Part& p = later ? *runner_.next_ : *runner_.first_;
    // The program loads all of c before it stores d, and lanes are independent.
    inputs_[row_of_c()] = sums;
    p.evaluator.evaluate({inputs_.data(), uniform_.get(), &sums, shape.lanes(), same_columns},
                         later ? next_scratch_ : scratch_);
    std::uint64_t all = 0;
    for (std::size_t lane = 0; lane < shape.lanes(); ++lane) all |= sums[lane];
    const auto bits = static_cast<unsigned>(runner_.formats_.d->storage_bits);
    if (bits < 64 && all >> bits != 0) {
      throw std::logic_error("a result is not a bit pattern of " +
                             std::string(runner_.formats_.d->name));
    }
  }

  const MatrixRunner& runner_;
  std::size_t k_;
  std::size_t scales_;
  std::vector<std::uint64_t> space_;
  std::vector<std::uint64_t> sums_;  ///< c, then the sum after each part
  std::vector<const std::uint64_t*> inputs_;
  std::unique_ptr<bool[]> uniform_;  // NOLINT(modernize-avoid-c-arrays): vector<bool> has no data()
  BatchEvaluator::Scratch scratch_;
  BatchEvaluator::Scratch next_scratch_;
};

void MatrixRunner::run(const std::vector<MatrixTask>& tasks, int threads) const {
  if (aligned_ != nullptr) {
    for (const MatrixTask& task : tasks) require_shapes(task, formats_, false);
    aligned_->run(tasks, threads);
    return;
  }
  std::vector<Tile> tiles;
  const std::size_t workers = number_of_threads(threads);
  for (const MatrixTask& task : tasks) {
    require_shapes(task, formats_, false);
    const std::size_t m = task.d.rows;
    const std::size_t n = task.d.columns;
    if (m == 0) continue;
    for (std::size_t column = 0; column < n; column += kBlock) {
      const std::size_t columns = std::min(kBlock, n - column);
      const std::size_t rows = std::min(m, kBlock / columns);
      const std::size_t count = (m + rows - 1) / rows;
      // The number of tiles that share their columns leaves each thread several groups.
      const std::size_t together =
          std::clamp<std::size_t>(count / (2 * workers), 1, kTilesTogether);
      for (std::size_t row = 0; row < m; row += rows) {
        if (row / rows % together == 0) tiles.push_back({&task, {}});
        tiles.back().shapes.push_back({row, column, std::min(rows, m - row), columns});
      }
    }
  }
  on_threads(workers, tiles.size(), [&] {
    const auto worker = std::make_shared<Worker>(*this);
    return [&, worker](std::size_t i) { worker->run(tiles[i]); };
  });
}

}  // namespace mmaspec
