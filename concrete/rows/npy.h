#pragma once
/// NumPy's .npy files as matrices of bit patterns (NEP 1, "A simple file format for NumPy arrays").

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "concrete/matrix/view.h"
#include "spec/formats/format.h"

namespace mmaspec {

/// An array in memory, in the machine's byte order.
struct NpyArray {
  std::string dtype;  ///< as in the file, without byte order: f2, u1, V2, ...
  unsigned bytes = 0;
  bool is_fortran = false;
  std::vector<std::size_t> shape;
  std::vector<std::byte> data;

  /// Matrix number `i` of the leading dimensions. The array must have at least two dimensions.
  PatternView matrix(std::size_t i) const;
  /// The number of matrices.
  std::size_t matrices() const;
};

/// Throws std::runtime_error if the file cannot be read, and std::invalid_argument if it is not
/// such an array, does not contain numbers, or has numbers of more than 8 bytes.
NpyArray read_npy(const std::string& file);
/// The same from a seekable stream. `file`: its name, for messages.
NpyArray read_npy(std::istream& in, const std::string& file);

/// The contents of a .npy file with a matrix: `rows` x `columns` patterns in row-major order, with
/// a dtype as in NpyArray.
std::string npy_file(const std::string& dtype, std::size_t rows, std::size_t columns,
                     const std::vector<std::uint64_t>& patterns);

/// Throws std::invalid_argument unless the array contains patterns of the format: f2, f4 or f8 for
/// f16, f32 and tf32, f64; i1 or i4 for s8, s32; ml_dtypes' types (V1, V2) for the others; and for
/// each, unsigned integers of its size. `name`: the array's name, for the message.
void require_patterns(const NpyArray& array, const Format& format, const std::string& name);

}  // namespace mmaspec
