#pragma once
/// Explains why two plans compute different results for the same operands.

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

/// A part in which two plans differ, and the effect of replacing only that part of the first plan
/// by the second one's.
struct ChangedPart {
  std::string part;   ///< "instruction", "operands", "products", "sums" or "result"
  std::string first;  ///< in words, or as in the plan's name
  std::string second;
  /// The first plan with this part of the second one. nullopt: the parts cannot be combined.
  std::optional<std::string> plan = {};
  /// Of the tried elements, on which the two plans differ: the number for which that plan gives the
  /// second plan's result, and the number for which it gives the first one's.
  std::size_t follow = 0;
  std::size_t keep = 0;
};

/// The parts in which two plans differ, according to their names. Empty for plans that do not
/// consist of the schemes `epilogue`, `convert`, `permute`, and then those of the sums.
std::vector<ChangedPart> changed_parts(const std::string& first, const std::string& second);

/// The results of both plans if only the first products are given and the others are +0 * +0.
struct PartialResults {
  std::size_t products = 0;
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  bool differ = false;  ///< as numbers
};

/// Where the partial results of two plans diverge.
struct Parting {
  Element element;
  /// For increasing numbers of products; the last one has all products.
  std::vector<PartialResults> partial;
  /// Index of the first of `partial` in which they differ. For more than 256 products only some
  /// numbers are tried, so an earlier difference that disappears again may be missed.
  std::size_t at = 0;
};

/// Fills in the effect of each changed part, for elements on which both plans differ. `c_format`:
/// the format of C, or nullptr. Throws OutOfTime.
void try_parts(std::vector<ChangedPart>& parts, const Instruction& first, const Instruction& second,
               const Product& product, const Format* c_format, const std::vector<Element>& elements,
               const Deadline& deadline);

/// nullopt if the plans give the same result for the element.
std::optional<Parting> parting(const Instruction& first, const Instruction& second,
                               const Product& product, const Format* c_format,
                               const Element& element);

/// Whether results of two formats are the same number, or both NaN.
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
