#pragma once
/// Copies patterns of matrices to input rows of the batch evaluator.

#include "concrete/matrix/view.h"

namespace mmaspec {

/// Elements that are evaluated together: `rows` x `columns` elements of a result, row by row.
struct TileShape {
  std::size_t row;  ///< of its first element
  std::size_t column;
  std::size_t rows;
  std::size_t columns;

  std::size_t lanes() const { return rows * columns; }
};

/// Element (row of the tile, k) of a for each lane; a single value if the tile has one row.
inline void pack_a(const PatternView& a, const TileShape& tile, std::size_t k, std::uint64_t* out) {
  if (tile.rows == 1) {
    *out = pattern_at(a, tile.row, k);
    return;
  }
  for (std::size_t r = 0; r < tile.rows; ++r) {
    const std::uint64_t value = pattern_at(a, tile.row + r, k);
    for (std::size_t c = 0; c < tile.columns; ++c) out[r * tile.columns + c] = value;
  }
}

/// Element (k, column of the tile) of b, for each lane.
inline void pack_b(const PatternView& b, const TileShape& tile, std::size_t k, std::uint64_t* out) {
  with_word(b.bytes, [&](auto word) {
    const std::byte* at = b.at(k, tile.column);
    if (b.column_step == static_cast<std::ptrdiff_t>(sizeof word)) {
      for (std::size_t c = 0; c < tile.columns; ++c) {
        std::memcpy(&word, at + c * sizeof word, sizeof word);
        out[c] = word;
      }
    } else {
      for (std::size_t c = 0; c < tile.columns; ++c) {
        std::memcpy(&word, at + static_cast<std::ptrdiff_t>(c) * b.column_step, sizeof word);
        out[c] = word;
      }
    }
  });
  for (std::size_t r = 1; r < tile.rows; ++r) {
    std::memcpy(out + r * tile.columns, out, tile.columns * sizeof *out);
  }
}

/// The elements of c, for each lane.
inline void pack_c(const PatternView& c, const TileShape& tile, std::uint64_t* out) {
  for (std::size_t r = 0; r < tile.rows; ++r) {
    const TileShape one{tile.row + r, tile.column, 1, tile.columns};
    pack_b(c, one, tile.row + r, out + r * tile.columns);
  }
}

/// Writes the lanes to the elements of the result.
inline void unpack_d(const std::uint64_t* lanes, const TileShape& tile, const PatternSpan& d) {
  with_word(d.bytes, [&](auto word) {
    using Word = decltype(word);
    for (std::size_t r = 0; r < tile.rows; ++r) {
      for (std::size_t c = 0; c < tile.columns; ++c) {
        word = static_cast<Word>(lanes[r * tile.columns + c]);
        std::memcpy(d.at(tile.row + r, tile.column + c), &word, sizeof word);
      }
    }
  });
}

}  // namespace mmaspec
