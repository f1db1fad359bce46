#pragma once
/// Why two plans compute unlike results of the same operands.

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "queries/compare/doubles.h"
#include "queries/studies/explain/product.h"
#include "spec/catalog/instruction.h"
#include "util/deadline.h"

namespace mmaspec::explain {

/// A part in which two plans differ, and what becomes of the results where the first plan gets that
/// part of the second one, and nothing else.
struct ChangedPart {
  std::string part;   ///< "instruction", "operands", "products", "sums" or "result"
  std::string first;  ///< in words, or as the plan has it
  std::string second;
  /// The first plan with this part of the second one. None: the parts do not go together.
  std::optional<std::string> plan = {};
  /// Of the elements that were tried, on which the two plans differ: on how many that plan gives
  /// the second plan's result, and on how many the first one's.
  std::size_t follow = 0;
  std::size_t keep = 0;
};

/// The parts in which two plans differ, as their names show them. Empty for plans that are not
/// made of the schemes `epilogue`, `convert`, `permute`, and then those of the sums.
std::vector<ChangedPart> changed_parts(const std::string& first, const std::string& second);

/// Results of both plans where only the first products are there, and the others are +0 * +0.
struct PartialResults {
  std::size_t products = 0;
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  bool differ = false;  ///< as numbers
};

/// Where two plans part.
struct Parting {
  Element element;
  /// With more and more products, ascending; the last one has all.
  std::vector<PartialResults> partial;
  /// The first of `partial` in which they differ. Of more than 256 products only some numbers are
  /// tried: results that differ before, and are equal again, may be missed.
  std::size_t at = 0;
};

/// What became of each changed part, on elements on which both plans differ. `c_format`: of C, or
/// nullptr. Throws OutOfTime.
void try_parts(std::vector<ChangedPart>& parts, const Instruction& first, const Instruction& second,
               const Product& product, const Format* c_format, const std::vector<Element>& elements,
               const Deadline& deadline);

/// None where the plans give one result for the element.
std::optional<Parting> parting(const Instruction& first, const Instruction& second,
                               const Product& product, const Format* c_format,
                               const Element& element);

/// Whether results of two formats are the same number, or NaN both.
class SameNumber {
 public:
  SameNumber(const Format& x, const Format& y) : x_(x), y_(y) {}
  bool operator()(std::uint64_t x, std::uint64_t y) const {
    return x_(x) == y_(y) || (std::isnan(x_(x)) && std::isnan(y_(y)));
  }

 private:
  Doubles x_;
  Doubles y_;
};

}  // namespace mmaspec::explain
