#pragma once
/// Reads an element's operands in the form that the unit of a space gets: converted, and in the
/// order of its products.

#include <memory>
#include <optional>

#include "concrete/batch/evaluator.h"
#include "queries/studies/explain/product.h"
#include "queries/studies/explain/space/candidates.h"

namespace mmaspec::explain {

/// The format of the file of C; nullptr without C.
const Format* c_format_of(const MatrixFormats& formats);

/// Used by one thread. The space and the product must outlive it.
class ElementReader {
 public:
  ElementReader(const Space& space, const Product& product, const Format* c_format);

  ElementOperands operator()(const Element& element);

 private:
  /// Converts one operand's numbers as LaneRunner does.
  class Conversion {
   public:
    Conversion(const Convert& scheme, const Format& from, const Format& to, std::uint32_t scale);
    void apply(std::vector<std::uint64_t>& numbers);

   private:
    std::unique_ptr<BatchEvaluator> evaluator_;
    BatchEvaluator::Scratch scratch_;
  };

  /// Multiplies a row's operands by a factor and converts them to the unit's format.
  void scale(std::vector<std::uint64_t>& numbers, const Format& from, const Format& to,
             float factor) const;

  const Space& space_;
  const Product& product_;
  const Format* c_format_;
  std::optional<Conversion> a_;
  std::optional<Conversion> b_;
};

}  // namespace mmaspec::explain
