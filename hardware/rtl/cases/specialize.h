#pragma once
/// Simplifies terms by known bits, and replaces products by fresh variables.

#include <map>
#include <utility>
#include <vector>

#include "hardware/rtl/cases/term_bits.h"
#include "hardware/rtl/equivalence/rewrite_terms.h"

namespace mmaspec::rtl {

/// A fresh variable that stands for a product, which is always within these bounds.
struct FreshProduct {
  TermId variable;
  Integer least;
  Integer largest;
};

class Specializer {
 public:
  explicit Specializer(BvTerms& terms) : terms_(terms), bits_(terms) {}

  /// `root` with the replacements. Terms whose bits are known become constants, and sums of words
  /// that have no ones in common become concatenations.
  TermId operator()(TermId root, Replaced replaced);
  /// The same word in one form: a concatenation of constants and of bits of other terms.
  TermId canonical(TermId word);

  /// `root` with each product of two words replaced by a fresh variable, shifted. Products of the
  /// same factors, shifted by constants, have one variable.
  TermId without_products(TermId root);
  /// The fresh variables made so far.
  const std::vector<FreshProduct>& products() const { return products_; }

 private:
  /// Bits low .. low + width - 1 of a term, or of a constant.
  struct Slice {
    bool is_constant;
    TermId term;
    unsigned low;
    unsigned width;
    Integer value;
  };
  using Slices = std::vector<Slice>;  ///< the lowest bits first

  TermId simplified(TermId term);
  void add_slices(Slices& all, TermId term, unsigned low, unsigned width);
  void add_parts(Slices& all, TermId term, unsigned low, unsigned width);
  static void add_slice(Slices& all, const Slice& slice);
  TermId joined(const Slices& slices);
  TermId joined_sum(TermId x, TermId y);
  TermId fresh_product(TermId product);

  BvTerms& terms_;
  TermBits bits_;
  std::vector<FreshProduct> products_;
  std::map<std::pair<TermId, TermId>, TermId> variables_;  ///< of two factors
};

}  // namespace mmaspec::rtl
