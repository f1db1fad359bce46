#include "concrete/matrix/aligned_tiles.h"

#include <algorithm>

#include "concrete/aligned/operands.h"
#include "concrete/matrix/threads.h"
#include "spec/formats/text.h"
#include "util/deadline.h"

namespace mmaspec {
namespace {

using aligned::Decoding;
using aligned::Lowered;
using aligned::Operands;

/// Elements of a tile, at most: its rows of a are decoded once for all its columns, its columns of
/// b once for all its rows.
constexpr std::size_t kMostRows = 128;
constexpr std::size_t kMostColumns = 256;
constexpr std::size_t kLeastRows = 16;
/// Products that are decoded together, or one step's, where that has more: a panel of b stays in
/// the first-level cache.
constexpr std::size_t kProducts = 64;

}  // namespace

struct AlignedTiles::Tile {
  const MatrixTask* task;
  std::size_t row;
  std::size_t column;
  std::size_t rows;
  std::size_t columns;
};

std::unique_ptr<const AlignedTiles> AlignedTiles::make(const Algorithm& algorithm,
                                                       const DotFormats& formats,
                                                       aligned::Isa isa) {
  const aligned::Kernels* kernels = aligned::kernels_of(isa);
  if (kernels == nullptr) return nullptr;
  std::optional<Lowered> lowered = aligned::lower(algorithm, formats);
  return lowered ? std::make_unique<const AlignedTiles>(std::move(*lowered), *kernels) : nullptr;
}

AlignedTiles::AlignedTiles(Lowered lowered, const aligned::Kernels& kernels)
    : lowered_(std::move(lowered)), kernels_(&kernels) {
  if (lowered_.formats.scale != nullptr) {
    one_ = parse_pattern_of(*lowered_.formats.scale, "1").convert_to<std::uint32_t>();
  }
}

/// One thread's space.
class AlignedTiles::Worker {
 public:
  explicit Worker(const AlignedTiles& tiles)
      : lowered_(tiles.lowered_), kernels_(*tiles.kernels_), one_(tiles.one_) {}

  void run(const Tile& tile) {
    const std::size_t width = kernels_.lanes;
    const std::size_t panels = (tile.columns + width - 1) / width;
    const std::size_t together = std::max<std::size_t>(1, kProducts / lowered_.step());
    load_sums(tile, panels);
    for (std::size_t at = 0; at < lowered_.steps(); at += together) {
      if (work_is_stopped()) throw OutOfTime();
      const std::size_t steps = std::min(together, lowered_.steps() - at);
      set_products(at, steps);
      decode_rows(tile);
      for (std::size_t p = 0; p < panels; ++p) {
        decode_columns(tile, p * width);
        kernels_.run(lowered_.chain, {.rows = tile.rows,
                                      .steps = steps,
                                      .a = a_.values(),
                                      .a_exponents = a_.exponents_twice(),
                                      .own_a_exponents = nullptr,
                                      .a_step = products_.size(),
                                      .a_specials = a_.specials(),
                                      .a_specials_step = steps,
                                      .b = b_.values(),
                                      .b_exponents = b_.exponents(),
                                      .b_specials = b_.specials(),
                                      .sums = sums_.data() + p * tile.rows * width,
                                      .is_first = at == 0 ? 1U : 0U,
                                      .has_own_a = 0});
      }
    }
    store_sums(tile, panels);
  }

 private:
  /// The numbers of the products of these steps, in the order of their positions.
  void set_products(std::size_t first_step, std::size_t steps) {
    const std::size_t step = lowered_.step();
    products_.resize(steps * step);
    for (std::size_t i = 0; i < products_.size(); ++i) {
      products_[i] =
          (first_step + i / step) * step + static_cast<std::size_t>(lowered_.order[i % step]);
    }
  }

  /// out[i] = the pattern of product products_[i] / `block` at `at(of product)`, each `step` bytes
  /// behind the other; products from `count` on have `otherwise`.
  void gather(const PatternView& view, bool rows, std::size_t fixed, std::size_t count,
              std::size_t block, std::uint32_t otherwise, std::uint32_t* out,
              std::size_t out_step) const {
    const std::ptrdiff_t step = rows ? view.column_step : view.row_step;
    with_word(view.bytes, [&](auto word) {
      const std::byte* start = rows ? view.at(fixed, 0) : view.at(0, fixed);
      for (std::size_t i = 0; i < products_.size(); ++i) {
        const std::size_t k = block == 1 ? products_[i] : products_[i] / block;
        if (k < count) {
          std::memcpy(&word, start + static_cast<std::ptrdiff_t>(k) * step, sizeof word);
          out[i * out_step] = static_cast<std::uint32_t>(word);
        } else {
          out[i * out_step] = otherwise;
        }
      }
    });
  }

  void decode_rows(const Tile& tile) {
    const MatrixOperands& in = tile.task->operands;
    const std::size_t n = products_.size();
    const bool scaled = lowered_.formats.scale != nullptr;
    patterns_.resize(tile.rows * n);
    scales_.resize(scaled ? tile.rows * n : 0);
    const auto block = static_cast<std::size_t>(lowered_.formats.scale_block);
    for (std::size_t r = 0; r < tile.rows; ++r) {
      gather(in.a, true, tile.row + r, in.a.columns, 1, 0, patterns_.data() + r * n, 1);
      if (!scaled) continue;
      gather(in.scale_a, true, tile.row + r, in.scale_a.columns, block, one_,
             scales_.data() + r * n, 1);
    }
    a_.decode(lowered_, kernels_, lowered_.a, patterns_, scales_, 1);
  }

  /// A row of a panel of b: patterns of one product.
  void copy_row(const PatternView& view, std::size_t row, std::size_t column, std::size_t columns,
                std::uint32_t* out) const {
    with_word(view.bytes, [&](auto word) {
      const std::byte* at = view.at(row, column);
      if (view.column_step == static_cast<std::ptrdiff_t>(sizeof word)) {
        for (std::size_t c = 0; c < columns; ++c) {
          std::memcpy(&word, at + c * sizeof word, sizeof word);
          out[c] = static_cast<std::uint32_t>(word);
        }
      } else {
        for (std::size_t c = 0; c < columns; ++c) {
          std::memcpy(&word, at + static_cast<std::ptrdiff_t>(c) * view.column_step, sizeof word);
          out[c] = static_cast<std::uint32_t>(word);
        }
      }
    });
  }

  void decode_columns(const Tile& tile, std::size_t first) {
    const MatrixOperands& in = tile.task->operands;
    const std::size_t width = kernels_.lanes;
    const std::size_t n = products_.size();
    const std::size_t columns = std::min(width, tile.columns - first);
    const bool scaled = lowered_.formats.scale != nullptr;
    patterns_.assign(n * width, 0);
    scales_.assign(scaled ? n * width : 0, one_);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t k = products_[i];
      if (k < in.b.rows) {
        copy_row(in.b, k, tile.column + first, columns, patterns_.data() + i * width);
      }
      if (!scaled) continue;
      const std::size_t block = k / static_cast<std::size_t>(lowered_.formats.scale_block);
      if (block < in.scale_b.rows) {
        copy_row(in.scale_b, block, tile.column + first, columns, scales_.data() + i * width);
      }
    }
    b_.decode(lowered_, kernels_, lowered_.b, patterns_, scales_, width);
  }

  /// Sums lie panel by panel, in each row by row.
  void load_sums(const Tile& tile, std::size_t panels) {
    const std::size_t width = kernels_.lanes;
    const PatternView& c = tile.task->operands.c;
    const Format& format = *lowered_.formats.c;
    sums_.assign(panels * tile.rows * width, 0);
    row_.resize(tile.columns);
    for (std::size_t r = 0; r < tile.rows; ++r) {
      copy_row(c, tile.row + r, tile.column, tile.columns, row_.data());
      for (std::size_t j = 0; j < tile.columns; ++j) {
        sums_[(j / width * tile.rows + r) * width + j % width] =
            aligned::number_of(format, row_[j]);
      }
    }
  }

  void store_sums(const Tile& tile, std::size_t panels) {
    const std::size_t width = kernels_.lanes;
    const PatternSpan& d = tile.task->d;
    const Format& format = *lowered_.formats.d;
    with_word(d.bytes, [&](auto word) {
      using Word = decltype(word);
      for (std::size_t r = 0; r < tile.rows; ++r) {
        for (std::size_t p = 0; p < panels; ++p) {
          const float* sums = sums_.data() + (p * tile.rows + r) * width;
          const std::size_t columns = std::min(width, tile.columns - p * width);
          for (std::size_t j = 0; j < columns; ++j) {
            word = static_cast<Word>(aligned::pattern_of(format, sums[j], lowered_.nan));
            std::memcpy(d.at(tile.row + r, tile.column + p * width + j), &word, sizeof word);
          }
        }
      }
    });
  }

  const Lowered& lowered_;
  const aligned::Kernels& kernels_;
  std::uint32_t one_;
  std::vector<std::size_t> products_;
  std::vector<std::uint32_t> patterns_;
  std::vector<std::uint32_t> scales_;
  std::vector<std::uint32_t> row_;
  Operands a_;
  Operands b_;
  std::vector<float> sums_;
};

void AlignedTiles::run(const std::vector<MatrixTask>& tasks, int threads) const {
  const std::size_t workers = number_of_threads(threads);
  std::vector<Tile> tiles;
  for (const MatrixTask& task : tasks) {
    const std::size_t m = task.d.rows;
    const std::size_t n = task.d.columns;
    // As many tiles as leave each thread some, if there are enough rows.
    const std::size_t columns = (n + kMostColumns - 1) / kMostColumns;
    const std::size_t each = workers == 1 ? m : m * columns / (2 * workers);
    const std::size_t rows = std::clamp(each, kLeastRows, kMostRows);
    for (std::size_t column = 0; column < n; column += kMostColumns) {
      for (std::size_t row = 0; row < m; row += rows) {
        tiles.push_back(
            {&task, row, column, std::min(rows, m - row), std::min(kMostColumns, n - column)});
      }
    }
  }
  on_threads(workers, tiles.size(), [&] {
    const auto worker = std::make_shared<Worker>(*this);
    return [&, worker](std::size_t i) { worker->run(tiles[i]); };
  });
}

}  // namespace mmaspec
