#pragma once
/// Terms that depend on few bits, such as exponents: they are computed for all values.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "hardware/rtl/equivalence/rewrite_terms.h"

namespace mmaspec::rtl {

/// Values of the two variables.
using Column = std::array<std::uint64_t, 2>;

class SmallTerms {
 public:
  /// Terms of the cone of `roots` that depend on no variable but these, and have at most 64 bits as
  /// their arguments do. `variables`: one or two. `terms` must outlive this object.
  SmallTerms(BvTerms& terms, const std::vector<TermId>& roots, std::vector<TermId> variables);

  bool contains(TermId term) const { return index_.contains(term); }
  /// Replacements that preserve all values in these columns: constants, and one term for all terms
  /// of equal values.
  Replaced fold(const std::vector<Column>& columns);
  /// The values of a term, one for each column; nothing if it is not such a term.
  std::optional<std::vector<std::uint64_t>> values(TermId term, const std::vector<Column>& columns);
  /// For each column a hash of the Booleans on which other terms depend, such as the conditions of
  /// multiplexers.
  std::vector<std::uint64_t> decisions(const std::vector<Column>& columns);
  /// Whether everything that the roots compute from the two variables, in these columns, is a
  /// function of their sum.
  bool depend_on_sum(const std::vector<Column>& columns);

 private:
  using Values = std::vector<std::uint64_t>;

  void evaluate(const Column* columns, std::size_t count);

  BvTerms& terms_;
  std::vector<TermId> variables_;
  std::vector<TermId> list_;                    ///< ascending
  std::map<TermId, std::size_t> index_;         ///< in the list
  std::vector<std::vector<std::size_t>> args_;  ///< their arguments, in the list
  std::vector<bool> is_used_;                   ///< by other terms, or a root
  std::vector<Values> values_;                  ///< of the current columns
};

}  // namespace mmaspec::rtl
