#include "spec/algorithms/dot_add.h"

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

DotOperands slice(const DotOperands& operands, int first, int count, Int c) {
  const auto scales = static_cast<int>(operands.scale_a.size());
  const auto length = static_cast<int>(operands.a.size());
  DotOperands result{part(operands.a, first, count), part(operands.b, first, count), c, {}, {}};
  if (scales > 0) {
    result.scale_a = part(operands.scale_a, first * scales / length, count * scales / length);
    result.scale_b = part(operands.scale_b, first * scales / length, count * scales / length);
  }
  return result;
}

}  // namespace mmaspec
