#pragma once
/// Conversions of one number as designs: dot products without products, whose c is the operand.

#include <string>
#include <vector>

#include "spec/algorithms/algorithm.h"
#include "spec/formats/convert.h"
#include "spec/parts/parameter_visitor.h"

namespace mmaspec {

/// d = c in another format.
class ConversionDesign final : public Composition {
 public:
  static constexpr std::string_view kName = "conversion";
  static constexpr std::string_view kReference =
      "IEEE 754-2019, 5.4.2; NVIDIA PTX ISA, cvt; AMD CDNA3 and CDNA4 ISA, V_CVT_*";

  ConversionDesign(Conversion conversion, DotFormats formats);

  Int build(const DotFormats& formats, const DotOperands& operands) const override;
  bool equals(const Composition& other) const override;
  int step_k() const override { return 0; }
  std::string name() const override { return std::string(kName); }
  std::string reference() const override { return std::string(kReference); }
  std::vector<Parameter> parameters() const override;
  const Conversion& conversion() const { return conversion_; }

 private:
  Conversion conversion_;
  DotFormats formats_;
};

/// The formats of a conversion: no products.
DotFormats conversion_formats(const Format& from, const Format& to);
/// True if the formats are those of a conversion.
bool is_conversion(const DotFormats& formats);
/// True if the operand and the result have a sign and two zeros, and the result has NaN.
bool has_two_zeros_and_nan(const DotFormats& formats);

/// The conversion that a design computes; nullptr: it is not a conversion.
const Conversion* conversion_of(const Algorithm& algorithm);

/// True for the design of a conversion that multiplies its number by a power of two.
bool scales_its_number(const Algorithm& algorithm);

/// The design of a conversion between these formats. Throws std::invalid_argument if there is no
/// such conversion.
Algorithm conversion_design(const Conversion& conversion, const DotFormats& formats);

/// Its parameters, as `design:` takes them.
void describe(Conversion& conversion, const DotFormats& formats, ParameterVisitor& visit);

}  // namespace mmaspec
