#include "concrete/rows/npy.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <fstream>
#include <limits>
#include <stdexcept>

namespace mmaspec {
namespace {

constexpr std::size_t kLongestHeader = 1 << 16;

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
  throw std::invalid_argument(file + ": " + what);
}

/// The dtype in NumPy's spelling, with the file's own text: `float64 (f8)`.
std::string name_of(const std::string& dtype) {
  const std::string bytes = dtype.substr(1);
  unsigned n = 0;
  std::from_chars(bytes.data(), bytes.data() + bytes.size(), n);
  const std::string bits = std::to_string(8 * n);
  const std::string name = dtype == "b1"     ? "bool"
                           : dtype == "f16"  ? "longdouble"
                           : dtype[0] == 'f' ? "float" + bits
                           : dtype[0] == 'i' ? "int" + bits
                           : dtype[0] == 'u' ? "uint" + bits
                           : dtype[0] == 'c' ? "complex" + bits
                           : dtype[0] == 'V' ? "raw bytes"
                           : dtype[0] == 'U' ? "text"
                           : dtype[0] == 'S' ? "bytes"
                           : dtype[0] == 'O' ? "Python objects"
                           : dtype[0] == 'M' ? "datetime64"
                           : dtype[0] == 'm' ? "timedelta64"
                                             : "";
  return name.empty() ? "dtype '" + dtype + "'" : name + " (" + dtype + ")";
}

/// The text after `'key':` in a header, which is the text of a Python dictionary.
std::string_view value_of(const std::string& file, std::string_view header, std::string_view key) {
  const std::string quoted = "'" + std::string(key) + "':";
  const std::size_t at = header.find(quoted);
  if (at == std::string_view::npos) refuse(file, "its header lacks " + quoted);
  std::string_view rest = header.substr(at + quoted.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return rest;
}

std::vector<std::size_t> shape_of(const std::string& file, std::string_view text) {
  std::vector<std::size_t> shape;
  const std::size_t end = text.find(')');
  if (!text.starts_with('(') || end == std::string_view::npos) refuse(file, "has no shape");
  for (const char* at = text.data() + 1; at < text.data() + end;) {
    if (*at == ' ' || *at == ',') {
      ++at;
      continue;
    }
    std::size_t n = 0;
    const auto [next, error] = std::from_chars(at, text.data() + end, n);
    if (error != std::errc{}) refuse(file, "has no shape");
    shape.push_back(n);
    at = next;
  }
  return shape;
}

std::string header_of(const std::string& file, std::istream& in) {
  std::string start(10, '\0');
  if (!in.read(start.data(), 10) || start.substr(0, 6) != "\x93NUMPY") {
    refuse(file, "is not a .npy file");
  }
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(start[i]));
  };
  std::size_t length = byte(8) | byte(9) << 8;
  if (byte(6) > 1) {  // version 2 and 3: four bytes
    start.resize(12);
    if (!in.read(start.data() + 10, 2)) refuse(file, "ends in its header");
    length |= byte(10) << 16 | byte(11) << 24;
  }
  if (length > kLongestHeader) refuse(file, "its header is too long");
  std::string header(length, '\0');
  if (!in.read(header.data(), static_cast<std::streamsize>(length))) {
    refuse(file, "ends in its header");
  }
  return header;
}

/// The type's text without its byte order, and whether that differs from the machine's.
std::pair<std::string, bool> dtype_of(const std::string& file, std::string_view text) {
  const std::size_t end = text.find('\'', 1);
  if (!text.starts_with('\'') || end == std::string_view::npos || end < 3) {
    refuse(file, "has a structured dtype; allowed: numbers of 1, 2, 4 or 8 bytes");
  }
  const char order = text[1];
  const bool has_order = order == '<' || order == '>' || order == '|' || order == '=';
  const char other = std::endian::native == std::endian::little ? '>' : '<';
  return {std::string(text.substr(has_order ? 2 : 1, end - (has_order ? 2 : 1))), order == other};
}

}  // namespace

std::size_t NpyArray::matrices() const {
  std::size_t count = 1;
  for (std::size_t i = 0; i + 2 < shape.size(); ++i) count *= shape[i];
  return count;
}

PatternView NpyArray::matrix(std::size_t i) const {
  const std::size_t rows = shape[shape.size() - 2];
  const std::size_t columns = shape[shape.size() - 1];
  const auto step = static_cast<std::ptrdiff_t>(bytes);
  if (!is_fortran) {
    return {data.data() + i * rows * columns * bytes,    bytes, rows, columns,
            step * static_cast<std::ptrdiff_t>(columns), step};
  }
  // In Fortran order, the first index varies fastest, also among the leading dimensions.
  const std::size_t count = matrices();
  std::size_t first = 0;
  std::size_t rest = i;
  std::vector<std::size_t> index(shape.size() - 2);
  for (std::size_t d = index.size(); d-- > 0;) {
    index[d] = rest % shape[d];
    rest /= shape[d];
  }
  std::size_t place = 1;
  for (std::size_t d = 0; d < index.size(); ++d) {
    first += index[d] * place;
    place *= shape[d];
  }
  return {data.data() + first * bytes,
          bytes,
          rows,
          columns,
          step * static_cast<std::ptrdiff_t>(count),
          step * static_cast<std::ptrdiff_t>(count * rows)};
}

NpyArray read_npy(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file);
  return read_npy(in, file);
}

NpyArray read_npy(std::istream& in, const std::string& file) {
  const std::string header = header_of(file, in);
  NpyArray array;
  const auto [dtype, swapped] = dtype_of(file, value_of(file, header, "descr"));
  array.dtype = dtype;
  array.is_fortran = value_of(file, header, "fortran_order").starts_with("True");
  array.shape = shape_of(file, value_of(file, header, "shape"));
  const auto [end, error] =
      std::from_chars(dtype.data() + 1, dtype.data() + dtype.size(), array.bytes);
  if (error != std::errc{} || end != dtype.data() + dtype.size() ||
      !std::has_single_bit(array.bytes) || array.bytes > 8) {
    refuse(file, "contains " + name_of(dtype) + "; allowed: numbers of 1, 2, 4 or 8 bytes");
  }
  std::size_t size = array.bytes;
  for (std::size_t n : array.shape) {
    if (n > 0 && size > std::numeric_limits<std::size_t>::max() / 16 / n)
      refuse(file, "is too large");
    size *= n;
  }
  // Without numbers, the other dimensions could have any size, and too many matrices.
  if (size == 0) refuse(file, "does not contain numbers");
  // Reads only as much as the file has, because a header may promise more than memory holds.
  in.seekg(0, std::ios::cur);
  const auto here = in.tellg();
  in.seekg(0, std::ios::end);
  if (here < 0 || in.tellg() - here < static_cast<std::streamoff>(size)) {
    refuse(file, "ends before its last number");
  }
  in.seekg(here);
  array.data.resize(size);
  in.read(reinterpret_cast<char*>(array.data.data()), static_cast<std::streamsize>(size));
  if (!in) throw std::runtime_error("cannot read " + file);
  if (swapped) {
    for (std::size_t at = 0; at < size; at += array.bytes) {
      std::reverse(array.data.begin() + static_cast<std::ptrdiff_t>(at),
                   array.data.begin() + static_cast<std::ptrdiff_t>(at + array.bytes));
    }
  }
  return array;
}

std::string npy_file(const std::string& dtype, std::size_t rows, std::size_t columns,
                     const std::vector<std::uint64_t>& patterns) {
  unsigned bytes = 0;
  std::from_chars(dtype.data() + 1, dtype.data() + dtype.size(), bytes);
  std::string header = "{'descr': '" + std::string(bytes == 1 ? "|" : "<") + dtype +
                       "', 'fortran_order': False, 'shape': (" + std::to_string(rows) + ", " +
                       std::to_string(columns) + "), }";
  // The numbers start at a multiple of 64 bytes.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(header.size() & 0xff);
  text += static_cast<char>(header.size() >> 8);
  text += header;
  for (const std::uint64_t pattern : patterns) {
    for (unsigned i = 0; i < bytes; ++i) text += static_cast<char>(pattern >> 8 * i & 0xff);
  }
  return text;
}

void require_patterns(const NpyArray& array, const Format& format, const std::string& name) {
  const unsigned bytes = std::bit_ceil(static_cast<unsigned>(format.storage_bits + 7) / 8);
  const bool is_ieee = format == formats::f16 || format == formats::f32 ||
                       format == formats::tf32 || format == formats::xf32 || format == formats::f64;
  const char kind = array.dtype[0];
  const bool is_signed =
      format.is_integer() && format.has_sign && static_cast<int>(8 * bytes) == format.storage_bits;
  const bool fits = array.bytes == bytes && (kind == 'u' || (is_ieee ? kind == 'f' : kind == 'V') ||
                                             (is_signed && kind == 'i'));
  if (!fits) {
    const std::string own = std::to_string(bytes);
    throw std::invalid_argument(name + " contains " + name_of(array.dtype) + "; allowed for " +
                                std::string(format.name) + ": " +
                                (is_ieee     ? name_of("f" + own)
                                 : is_signed ? name_of("i" + own)
                                             : "the type of ml_dtypes (V" + own + ")") +
                                ", or bit patterns as " + name_of("u" + own));
  }
  if (static_cast<int>(8 * bytes) == format.storage_bits) return;
  for (const std::byte b : array.data) {  // for formats of less than a byte
    if (static_cast<int>(b) >> format.storage_bits != 0) {
      throw std::invalid_argument(name + " contains bits that " + std::string(format.name) +
                                  " does not have");
    }
  }
}

}  // namespace mmaspec
