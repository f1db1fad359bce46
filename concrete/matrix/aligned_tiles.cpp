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

/// Largest numbers of rows and columns of a tile: its rows of a are decoded once for all its
/// columns, and its columns of b once for all its rows.
constexpr std::size_t kMostRows = 128;
constexpr std::size_t kMostColumns = 256;
constexpr std::size_t kLeastRows = 16;
/// Number of products that are decoded together, unless one step has more: a panel of b stays in
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

/// The working memory of one thread.
class AlignedTiles::Worker {
 public:
  explicit Worker(const AlignedTiles& tiles)
      : lowered_(tiles.lowered_), kernels_(*tiles.kernels_), one_(tiles.one_) {
    in_order_ = std::is_sorted(lowered_.order.begin(), lowered_.order.end());
  }

  void run(const Tile& tile) {
    const std::size_t width = kernels_.lanes;
    const std::size_t panels = (tile.columns + width - 1) / width;
    const std::size_t together = std::max<std::size_t>(1, kProducts / lowered_.step());
    load_sums(tile, panels);
    for (std::size_t at = 0; at < lowered_.steps(); at += together) {
      if (work_is_stopped()) throw OutOfTime();
      const std::size_t steps = std::min(together, lowered_.steps() - at);
      set_products(at, steps);
      find_rows(tile);
      rows_are_narrow_ = lowered_.narrow.has_value();
      rows_are_decoded_ = false;
      if (rows_are_narrow_) {
        narrow_a_.decode(lowered_, *lowered_.narrow, kernels_, lowered_.a, rows_, 1);
        rows_are_narrow_ = narrow_a_.are_narrow(lowered_, kernels_);
      }
      for (std::size_t p = 0; p < panels; ++p) {
        float* sums = sums_.data() + p * tile.rows * width;
        find_columns(tile, p * width);
        run_panel(tile, steps, at == 0, sums);
      }
    }
    store_sums(tile, panels);
  }

 private:
  /// Evaluates the steps whose rows and columns were found, with the narrow chain if possible.
  void run_panel(const Tile& tile, std::size_t steps, bool is_first, float* sums) {
    if (rows_are_narrow_) {
      b_.decode(lowered_, *lowered_.narrow, kernels_, lowered_.b, columns_, kernels_.lanes);
      if (b_.are_narrow(lowered_, kernels_)) {
        return run_panel(*lowered_.narrow, narrow_a_, tile, steps, is_first, sums);
      }
    }
    if (!rows_are_decoded_) {
      a_.decode(lowered_, lowered_.chain, kernels_, lowered_.a, rows_, 1);
      if (lowered_.has_groups()) {
        scale_a_.decode_scales(lowered_, kernels_, scale_rows_, 1);
        a_.add_specials(scale_a_);
      }
    }
    rows_are_decoded_ = true;
    b_.decode(lowered_, lowered_.chain, kernels_, lowered_.b, columns_, kernels_.lanes);
    if (lowered_.has_groups()) {
      scale_b_.decode_scales(lowered_, kernels_, scale_columns_, kernels_.lanes);
      b_.add_specials(scale_b_);
    }
    run_panel(lowered_.chain, a_, tile, steps, is_first, sums);
  }

  void run_panel(const aligned::Chain& chain, Operands& a, const Tile& tile, std::size_t steps,
                 bool is_first, float* sums) {
    aligned::Panel panel{};
    panel.rows = tile.rows;
    panel.steps = steps;
    panel.a = a.values();
    panel.a_exponents = a.exponents_twice();
    panel.a_step = products_.size();
    panel.a_specials = a.specials();
    panel.a_specials_step = steps;
    panel.b = b_.values();
    panel.b_exponents = b_.exponents();
    panel.b_specials = b_.specials();
    panel.scale_a = scale_a_.doubles();
    panel.scale_a_exponents = scale_a_.exponents_twice();
    panel.scale_b = scale_b_.doubles();
    panel.scale_b_exponents = scale_b_.exponents();
    panel.sums = sums;
    panel.is_first = is_first ? 1 : 0;
    kernels_.run(chain, panel);
  }

  /// Sets the numbers of the products of these steps, in the order of their positions.
  void set_products(std::size_t first_step, std::size_t steps) {
    const std::size_t step = lowered_.step();
    products_.resize(steps * step);
    for (std::size_t i = 0; i < products_.size(); ++i) {
      products_[i] =
          (first_step + i / step) * step + static_cast<std::size_t>(lowered_.order[i % step]);
    }
    if (!lowered_.has_groups()) return;
    const std::size_t group = lowered_.chain.products;
    groups_.resize(products_.size() / group);
    for (std::size_t g = 0; g < groups_.size(); ++g) groups_[g] = products_[g * group];
  }

  /// The patterns of the products, or of their blocks of `block` products, out of `count` patterns
  /// that are `step` bytes apart from `start` on; further ones are `otherwise`. Returns their
  /// address in place if they are consecutive in the products' order; otherwise copies them to
  /// `copy`.
  const void* row_of(const std::vector<std::size_t>& products, const std::byte* start,
                     unsigned bytes, std::ptrdiff_t step, std::size_t count, std::size_t block,
                     std::uint32_t otherwise, std::byte* copy) const {
    const bool as_they_lie = in_order_ && block == 1 &&
                             step == static_cast<std::ptrdiff_t>(bytes) && products.back() < count;
    if (as_they_lie) return start + products.front() * bytes;
    with_word(bytes, [&](auto word) {
      for (std::size_t i = 0; i < products.size(); ++i) {
        const std::size_t k = block == 1 ? products[i] : products[i] / block;
        word = static_cast<decltype(word)>(otherwise);
        if (k < count) {
          std::memcpy(&word, start + static_cast<std::ptrdiff_t>(k) * step, sizeof word);
        }
        std::memcpy(copy + i * sizeof word, &word, sizeof word);
      }
    });
    return copy;
  }

  void find_rows(const Tile& tile) {
    const MatrixOperands& in = tile.task->operands;
    const bool scaled = lowered_.scales_products();
    const auto block = static_cast<std::size_t>(lowered_.formats.scale_block);
    rows_.resize(tile.rows, products_.size(), in.a.bytes, scaled, in.scale_a.bytes);
    if (lowered_.has_groups()) {
      scale_rows_.resize(tile.rows, groups_.size(), in.scale_a.bytes, false, 0);
    }
    const auto scales_of = [&](const std::vector<std::size_t>& products, std::size_t r,
                               std::byte* copy) {
      return row_of(products, in.scale_a.at(tile.row + r, 0), in.scale_a.bytes,
                    in.scale_a.column_step, in.scale_a.columns, block, one_, copy);
    };
    for (std::size_t r = 0; r < tile.rows; ++r) {
      rows_.patterns[r] = row_of(products_, in.a.at(tile.row + r, 0), in.a.bytes, in.a.column_step,
                                 in.a.columns, 1, 0, rows_.copy(r));
      if (scaled) rows_.scales[r] = scales_of(products_, r, rows_.scale_copy(r));
      if (lowered_.has_groups()) {
        scale_rows_.patterns[r] = scales_of(groups_, r, scale_rows_.copy(r));
      }
    }
  }

  /// A row of a panel of b, or of its scale factors: `columns` patterns, padded to a full panel.
  /// Returns its address in place if it fills the panel, otherwise copies it to `copy`. A missing
  /// row is `otherwise`.
  const void* panel_row(const PatternView& view, std::size_t row, std::size_t column,
                        std::size_t columns, std::uint32_t otherwise, std::byte* copy) const {
    const auto word_step = static_cast<std::ptrdiff_t>(view.bytes);
    const bool is_there = row < view.rows;
    if (is_there && columns == kernels_.lanes && view.column_step == word_step) {
      return view.at(row, column);
    }
    with_word(view.bytes, [&](auto word) {
      for (std::size_t c = 0; c < kernels_.lanes; ++c) {
        word = static_cast<decltype(word)>(otherwise);
        if (is_there && c < columns) std::memcpy(&word, view.at(row, column + c), sizeof word);
        std::memcpy(copy + c * sizeof word, &word, sizeof word);
      }
    });
    return copy;
  }

  void find_columns(const Tile& tile, std::size_t first) {
    const MatrixOperands& in = tile.task->operands;
    const std::size_t width = kernels_.lanes;
    const std::size_t columns = std::min(width, tile.columns - first);
    const std::size_t column = tile.column + first;
    const bool scaled = lowered_.scales_products();
    columns_.resize(products_.size(), width, in.b.bytes, scaled, in.scale_b.bytes);
    const auto scales_of = [&](std::size_t k, std::byte* copy) {
      const std::size_t block = k / static_cast<std::size_t>(lowered_.formats.scale_block);
      return panel_row(in.scale_b, block, column, columns, one_, copy);
    };
    for (std::size_t i = 0; i < products_.size(); ++i) {
      const std::size_t k = products_[i];
      columns_.patterns[i] = panel_row(in.b, k, column, columns, 0, columns_.copy(i));
      if (scaled) columns_.scales[i] = scales_of(k, columns_.scale_copy(i));
    }
    if (!lowered_.has_groups()) return;
    scale_columns_.resize(groups_.size(), width, in.scale_b.bytes, false, 0);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      scale_columns_.patterns[g] = scales_of(groups_[g], scale_columns_.copy(g));
    }
  }

  /// Calls `with(row, columns, start, sums)` for each part of the tile's rows that belongs to one
  /// panel. Sums are stored panel by panel, and in each panel row by row.
  template <typename With>
  void for_pieces(const Tile& tile, std::size_t panels, const With& with) {
    const std::size_t width = kernels_.lanes;
    for (std::size_t p = 0; p < panels; ++p) {
      const std::size_t columns = std::min(width, tile.columns - p * width);
      for (std::size_t r = 0; r < tile.rows; ++r) {
        with(tile.row + r, tile.column + p * width, columns,
             sums_.data() + (p * tile.rows + r) * width);
      }
    }
  }

  void load_sums(const Tile& tile, std::size_t panels) {
    const PatternView& c = tile.task->operands.c;
    const Format& format = *lowered_.formats.c;
    sums_.assign(panels * tile.rows * kernels_.lanes, 0);
    with_word(c.bytes, [&](auto word) {
      using Word = decltype(word);
      std::vector<Word> row(kernels_.lanes);
      for_pieces(tile, panels,
                 [&](std::size_t at, std::size_t column, std::size_t columns, float* sums) {
                   for (std::size_t j = 0; j < columns; ++j) {
                     std::memcpy(&row[j], c.at(at, column + j), sizeof word);
                   }
                   aligned::to_numbers(format, row.data(), columns, sums);
                 });
    });
  }

  void store_sums(const Tile& tile, std::size_t panels) {
    const PatternSpan& d = tile.task->d;
    const Format& format = *lowered_.formats.d;
    with_word(d.bytes, [&](auto word) {
      using Word = decltype(word);
      std::vector<Word> row(kernels_.lanes);
      for_pieces(tile, panels,
                 [&](std::size_t at, std::size_t column, std::size_t columns, const float* sums) {
                   aligned::to_patterns(format, sums, columns, lowered_.nan, row.data());
                   for (std::size_t j = 0; j < columns; ++j) {
                     std::memcpy(d.at(at, column + j), &row[j], sizeof word);
                   }
                 });
    });
  }

  const Lowered& lowered_;
  const aligned::Kernels& kernels_;
  std::uint32_t one_;
  std::vector<std::size_t> products_;
  bool in_order_;                    ///< each product of a step is at its own position
  std::vector<std::size_t> groups_;  ///< the first product of each group
  aligned::FoundRows rows_;
  aligned::FoundRows columns_;
  aligned::FoundRows scale_rows_;  ///< for groups
  aligned::FoundRows scale_columns_;
  bool rows_are_narrow_ = false;
  bool rows_are_decoded_ = false;  ///< for all exponents
  Operands narrow_a_;
  Operands a_;
  Operands b_;
  Operands scale_a_;  ///< for groups
  Operands scale_b_;
  std::vector<float> sums_;
};

void AlignedTiles::run(const std::vector<MatrixTask>& tasks, int threads) const {
  const std::size_t workers = number_of_threads(threads);
  std::vector<Tile> tiles;
  for (const MatrixTask& task : tasks) {
    const std::size_t m = task.d.rows;
    const std::size_t n = task.d.columns;
    // Chooses the height of tiles so that each thread gets several, if there are enough rows.
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
