#ifndef MMASPEC_EVALUATE_H
#define MMASPEC_EVALUATE_H
/// \file
/// What a unit computes, bit for bit: one dot product, many, or whole matrices.
///
/// \code
/// const mmaspec::Unit unit = mmaspec::find_unit("hopper/mma.m16n8k16.f32.f16.f16.f32");
/// mmaspec::DotProduct x;
/// x.a.assign(16, 0x3c00);  // 1.0
/// x.b.assign(16, 0x3c00);
/// x.c = 0x3f000000;                                   // 0.5
/// require(mmaspec::evaluate(unit, x) == 0x41840000);  // 16.5
/// \endcode
///
/// Matrices are D = C + A * B, with operands where their owner keeps them:
///
/// \code
/// const std::vector<std::uint16_t> a(64 * 32, 0x3c00);
/// const std::vector<std::uint16_t> b(32 * 48, 0x3c00);
/// std::vector<std::uint32_t> d(64 * 48);
/// mmaspec::MatrixOperands operands;
/// operands.a = mmaspec::row_major(a.data(), 64, 32);
/// operands.b = mmaspec::row_major(b.data(), 32, 48);
/// mmaspec::multiply(unit, {{operands, mmaspec::row_major(d.data(), 64, 48)}});
/// require(d[0] == 0x42000000);  // 32
/// \endcode

#include <mmaspec/export.h>
#include <mmaspec/units.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

MMASPEC_BEGIN_NAMESPACE

/// The operands of one dot product: bit patterns of the unit's formats.
struct DotProduct {
  std::vector<std::uint64_t> a;  ///< k patterns
  std::vector<std::uint64_t> b;  ///< k patterns
  std::uint64_t c = 0;
  std::vector<std::uint64_t> scale_a;  ///< UnitFormats::scales() patterns
  std::vector<std::uint64_t> scale_b;  ///< UnitFormats::scales() patterns
};

/// The pattern of d, by the exact evaluator: arithmetic on integers without bounds. Throws BadInput
/// for other lengths than the unit's, and for a pattern with more bits than its format.
MMASPEC_EXPORT std::uint64_t evaluate(const Unit& unit, const DotProduct& operands);

/// The patterns of d of many dot products, by the batch evaluator, with the same bits. Throws as
/// evaluate() does.
MMASPEC_EXPORT std::vector<std::uint64_t> evaluate(const Unit& unit,
                                                   const std::vector<DotProduct>& all);

/// An intermediate result, as the specification names it.
struct Stage {
  std::string stage;    ///< such as `align` or `sum`
  std::string name;     ///< of the number in this stage
  std::string integer;  ///< a decimal integer
  std::string value;    ///< the number as a C99 hex float; empty for plain integers
};

/// All stages of one dot product, in order. Throws as evaluate() does.
MMASPEC_EXPORT std::vector<Stage> trace(const Unit& unit, const DotProduct& operands);

/// Patterns of a matrix in memory. `Byte`: std::byte, or const std::byte if it is only read.
template <typename Byte>
struct MatrixOf {
  Byte* data = nullptr;
  /// Bytes of a machine word that holds one pattern: 1, 2, 4 or 8, and at least the format's bits.
  unsigned word_bytes = 0;
  std::size_t rows = 0;
  std::size_t columns = 0;
  /// Bytes from one row, or column, to the next. Any sign; 0 repeats a value.
  std::ptrdiff_t row_step = 0;
  std::ptrdiff_t column_step = 0;

  /// A matrix that may be written can also be read.
  template <typename Other, typename = std::enable_if_t<std::is_same_v<Other, const Byte> &&
                                                        !std::is_const_v<Byte>>>
  operator MatrixOf<Other>() const {  // NOLINT(google-explicit-constructor)
    return {data, word_bytes, rows, columns, row_step, column_step};
  }
};
/// A matrix that is read.
using MatrixView = MatrixOf<const std::byte>;
/// A matrix that results are written to.
using MutableMatrixView = MatrixOf<std::byte>;

namespace detail {
template <typename Word>
using BytesOf = MatrixOf<std::conditional_t<std::is_const_v<Word>, const std::byte, std::byte>>;

template <typename Word>
BytesOf<Word> strided(Word* data, std::size_t rows, std::size_t columns, std::size_t row_words,
                      std::size_t column_words) {
  static_assert(std::is_integral_v<Word> && std::is_unsigned_v<Word>,
                "bit patterns are unsigned integers");
  const auto step = [](std::size_t words) {
    return static_cast<std::ptrdiff_t>(words * sizeof(Word));
  };
  BytesOf<Word> view;
  view.data = reinterpret_cast<decltype(view.data)>(data);
  view.word_bytes = sizeof(Word);
  view.rows = rows;
  view.columns = columns;
  view.row_step = step(row_words);
  view.column_step = step(column_words);
  return view;
}
}  // namespace detail

/// rows x columns words, row after row without gaps. A MatrixView if Word is const, else a
/// MutableMatrixView.
template <typename Word>
detail::BytesOf<Word> row_major(Word* data, std::size_t rows, std::size_t columns) {
  return detail::strided(data, rows, columns, columns, 1);
}
/// rows x columns words, column after column without gaps.
template <typename Word>
detail::BytesOf<Word> column_major(Word* data, std::size_t rows, std::size_t columns) {
  return detail::strided(data, rows, columns, 1, rows);
}

/// The operands of D = C + A * B.
struct MatrixOperands {
  MatrixView a;  ///< M x K
  MatrixView b;  ///< K x N
  MatrixView c;  ///< M x N; without data: +0
  /// M x ceil(K / scale_block) and ceil(K / scale_block) x N. Without data if the unit has no scale
  /// factors.
  MatrixView scale_a;
  MatrixView scale_b;
};

/// One product, and where its result is written.
struct MatrixProduct {
  MatrixOperands operands;
  MutableMatrixView d;  ///< M x N
};

/// Computes all products on this many threads (at most 4096; 0: one for each core). The unit is
/// chained over K; for the products that the last run has left, operands are +0 and scale factors
/// are 1. Results do not depend on the number of threads.
///
/// Throws BadInput if shapes do not fit, a pattern has more bits than its format, a word is smaller
/// than its format, or K exceeds the unit's k and c and d have different formats. Throws Stopped.
MMASPEC_EXPORT void multiply(const Unit& unit, const std::vector<MatrixProduct>& products,
                             int threads = 0);

MMASPEC_END_NAMESPACE

#endif
