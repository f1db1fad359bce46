// Reads a command's matrices and stores two designs' results.
#include "apps/cli/options/matrices.h"

#include <algorithm>
#include <stdexcept>

namespace mmaspec::cli {

Matrices::Matrices(const MatrixFiles& files, const DotFormats& formats)
    : a_(read(files.a, *formats.a)), b_(read(files.b, *formats.b)) {
  if (!files.c.empty()) c_ = read(files.c, *formats.c);
  if ((formats.scale != nullptr) != !files.scale_a.empty() ||
      files.scale_a.empty() != files.scale_b.empty()) {
    throw std::invalid_argument(formats.scale == nullptr
                                    ? "the units do not have scale factors (--sa, --sb)"
                                    : "the units need scale factors (--sa FILE --sb FILE)");
  }
  if (formats.scale != nullptr) {
    scale_a_ = read(files.scale_a, *formats.scale);
    scale_b_ = read(files.scale_b, *formats.scale);
  }
  for (const NpyArray* x : {&b_, &c_, &scale_a_, &scale_b_}) {
    if (x->shape.empty()) continue;
    if (!std::equal(x->shape.begin(), x->shape.end() - 2, a_.shape.begin(), a_.shape.end() - 2)) {
      throw std::invalid_argument("the files hold different numbers of matrices");
    }
  }
  const std::size_t size = matrices() * rows() * columns();
  d_.resize(2 * size);
}

std::vector<ComparedProduct> Matrices::products() {
  std::vector<ComparedProduct> all;
  for (std::size_t i = 0; i < matrices(); ++i) {
    const MatrixOperands in{a_.matrix(i), b_.matrix(i), c_.shape.empty() ? zeros() : c_.matrix(i),
                            scale_a_.shape.empty() ? PatternView{} : scale_a_.matrix(i),
                            scale_b_.shape.empty() ? PatternView{} : scale_b_.matrix(i)};
    all.push_back({in, results(2 * i), results(2 * i + 1)});
  }
  return all;
}

NpyArray Matrices::read(const std::string& file, const Format& format) {
  NpyArray array = read_npy(file);
  if (array.shape.size() < 2) {
    throw std::invalid_argument(file + ": has " + std::to_string(array.shape.size()) +
                                " dimensions, but a matrix has at least two");
  }
  require_patterns(array, format, file);
  return array;
}

/// +0 for every element of C.
PatternView Matrices::zeros() const {
  static const std::uint64_t zero = 0;
  return {reinterpret_cast<const std::byte*>(&zero), sizeof zero, rows(), columns(), 0, 0};
}

PatternSpan Matrices::results(std::size_t i) {
  constexpr auto kBytes = static_cast<std::ptrdiff_t>(sizeof(std::uint64_t));
  return {reinterpret_cast<std::byte*>(d_.data() + i * rows() * columns()),
          sizeof(std::uint64_t),
          rows(),
          columns(),
          kBytes * static_cast<std::ptrdiff_t>(columns()),
          kBytes};
}

}  // namespace mmaspec::cli
