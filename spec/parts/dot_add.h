#pragma once
/// What every dot-add algorithm has in common: operands, formats and printed parameters.

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
  const Format* scale = nullptr;  ///< of the block scale factors; nullptr: the dot-add has none
  int scale_block = 0;            ///< products that share a scale factor

  int scales() const { return scale == nullptr ? 0 : k / scale_block; }

  friend bool operator==(const DotFormats& x, const DotFormats& y);
};

/// All of them are integer formats.
bool are_integers(const DotFormats& formats);

/// One dot-add's operands: bit patterns of the formats, k (scales()) of each vector.
struct DotOperands {
  std::vector<Int> a;
  std::vector<Int> b;
  Int c;
  std::vector<Int> scale_a;
  std::vector<Int> scale_b;
};

/// Inputs of the current graph named a[0].., b[0].., c, sa[0].., sb[0]...
DotOperands dot_inputs(const DotFormats& formats);

/// A parameter of an algorithm as `show` prints it and as `design:` takes it.
struct Parameter {
  std::string key;
  std::string value;
  std::string meaning;
};

/// The formats of `count` products of a longer dot product. Where `count` and the block of a scale
/// factor do not divide each other, the block becomes their greatest common divisor.
DotFormats part_of(const DotFormats& formats, int count);
/// Such a part whose c is the d of one before it.
DotFormats continuing_part_of(const DotFormats& formats, int count);

/// Operands first .. first + count - 1 of a longer dot product, added to c, for part_of(formats,
/// count). `first` is a multiple of `count`. Each product keeps the scale factors that it has in
/// the whole: a scale factor stands in the part as often as blocks of the part need it.
DotOperands slice(const DotFormats& formats, const DotOperands& operands, int first, int count,
                  Int c);

}  // namespace mmaspec
