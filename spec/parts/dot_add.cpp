#include "spec/parts/dot_add.h"

#include <numeric>

namespace mmaspec {
namespace {

std::vector<Int> inputs(const std::string& name, int count, const Format& format) {
  std::vector<Int> all;
  for (int i = 0; i < count; ++i) {
    all.push_back(
        input(name + "[" + std::to_string(i) + "]", static_cast<unsigned>(format.storage_bits)));
  }
  return all;
}

std::vector<Int> part(const std::vector<Int>& all, int first, int count) {
  return {all.begin() + first, all.begin() + first + count};
}

bool same_format(const Format* x, const Format* y) {
  return x == y || (x != nullptr && y != nullptr && *x == *y);
}

}  // namespace

bool operator==(const DotFormats& x, const DotFormats& y) {
  const auto& [a, b, c, d, k, scale, scale_block] = x;
  return same_format(a, y.a) && same_format(b, y.b) && same_format(c, y.c) && same_format(d, y.d) &&
         k == y.k && same_format(scale, y.scale) && scale_block == y.scale_block;
}

bool are_integers(const DotFormats& formats) {
  const auto& [a, b, c, d, k, scale, scale_block] = formats;
  return a->is_integer() && b->is_integer() && c->is_integer() && d->is_integer();
}

bool accumulate_in_fixed_point(const DotFormats& formats) {
  return !formats.a->is_integer() && formats.d->is_integer();
}

DotOperands dot_inputs(const DotFormats& formats) {
  DotOperands operands{inputs("a", formats.k, *formats.a),
                       inputs("b", formats.k, *formats.b),
                       input("c", static_cast<unsigned>(formats.c->storage_bits)),
                       {},
                       {}};
  if (formats.scale != nullptr) {
    operands.scale_a = inputs("sa", formats.scales(), *formats.scale);
    operands.scale_b = inputs("sb", formats.scales(), *formats.scale);
  }
  return operands;
}

DotFormats part_of(const DotFormats& formats, int count) {
  DotFormats part = formats;
  part.k = count;
  if (formats.scale != nullptr) part.scale_block = std::gcd(count, formats.scale_block);
  return part;
}

DotFormats continuing_part_of(const DotFormats& formats, int count) {
  DotFormats part = part_of(formats, count);
  part.c = formats.d;
  return part;
}

DotOperands slice(const DotFormats& formats, const DotOperands& operands, int first, int count,
                  Int c) {
  DotOperands result{part(operands.a, first, count), part(operands.b, first, count), c, {}, {}};
  if (formats.scale == nullptr) return result;
  const int block = part_of(formats, count).scale_block;
  for (int k = first; k < first + count; k += block) {
    const auto index = static_cast<std::size_t>(k / formats.scale_block);
    result.scale_a.push_back(operands.scale_a[index]);
    result.scale_b.push_back(operands.scale_b[index]);
  }
  return result;
}

}  // namespace mmaspec
