#pragma once
/// Types that all dot-add algorithms share: operands, formats and printed parameters.

#include <string>
#include <vector>

#include "spec/formats/format.h"
#include "spec/lang/int.h"

namespace mmaspec {

class ParameterVisitor;

/// The formats and the length of d = c + sum over k of a[k] * b[k].
struct DotFormats {
  const Format* a;
  const Format* b;
  const Format* c;
  const Format* d;
  int k;
  const Format* scale = nullptr;  ///< format of the block scale factors; nullptr: there are none
  int scale_block = 0;            ///< number of products that share a scale factor

  int scales() const { return scale == nullptr ? 0 : k / scale_block; }

  friend bool operator==(const DotFormats& x, const DotFormats& y);
};

/// True if all of them are integer formats.
bool are_integers(const DotFormats& formats);
/// True if products of floating-point numbers are added in fixed point.
bool accumulate_in_fixed_point(const DotFormats& formats);

/// The operands of one dot-add: bit patterns of the formats; k elements for a and b, scales() for
/// the scale factors.
struct DotOperands {
  std::vector<Int> a;
  std::vector<Int> b;
  Int c;
  std::vector<Int> scale_a;
  std::vector<Int> scale_b;
};

/// Inputs of the current graph named a[0].., b[0].., c, sa[0].., sb[0]...
DotOperands dot_inputs(const DotFormats& formats);

/// A parameter of an algorithm as `show` prints it and `design:` accepts it.
struct Parameter {
  std::string key;
  std::string value;
  std::string meaning;
};

/// The formats of `count` products of a longer dot product. If neither `count` nor the block of a
/// scale factor divides the other, the block becomes their greatest common divisor.
DotFormats part_of(const DotFormats& formats, int count);
/// The same with c being the d of a preceding part.
DotFormats continuing_part_of(const DotFormats& formats, int count);

/// Operands first .. first + count - 1 of a longer dot product, added to c, for part_of(formats,
/// count). `first` must be a multiple of `count`. Each product keeps its scale factors: a scale
/// factor is repeated for as many blocks of the part as use it.
DotOperands slice(const DotFormats& formats, const DotOperands& operands, int first, int count,
                  Int c);

}  // namespace mmaspec
