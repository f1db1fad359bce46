#include "queries/studies/matrix/transfer.h"

#include "queries/ask/question.h"
#include "queries/studies/matrix/witness.h"

namespace mmaspec {
namespace {

/// The witness on file for two designs, in the formats of the first.
std::optional<DotValues> witness_of(const Matrix& matrix, const DesignPair& p,
                                    const MatrixResults& results) {
  for (const NamedPair& named : matrix.named(p)) {
    const std::optional<PairRow> row = results.find(named);
    if (row && row->verdict == PairVerdict::differ) return row->witness->values;
  }
  return std::nullopt;
}

class Transfer {
 public:
  Transfer(const Matrix& matrix, const DesignPair& pair, const MatrixResults& results)
      : matrix_(matrix), results_(results), pair_(pair), asked_(pair_in(pair)) {}

  std::optional<PairRow> row() const {
    for (std::size_t other = 0; other < matrix_.designs.size(); ++other) {
      if (is_in_other_formats(other, pair_.first)) {
        if (auto found = on_witness_of({other, pair_.second})) return found;
        if (auto found = on_witness_of({pair_.second, other})) return found;
      }
      if (is_in_other_formats(other, pair_.second)) {
        if (auto found = on_witness_of({pair_.first, other})) return found;
        if (auto found = on_witness_of({other, pair_.first})) return found;
      }
    }
    return std::nullopt;
  }

 private:
  const Instruction& design(std::size_t i) const { return matrix_.designs[i].instruction; }
  Pair pair_in(const DesignPair& p) const { return pair_up(design(p.first), design(p.second), {}); }

  bool is_in_other_formats(std::size_t other, std::size_t of) const {
    const Instruction& x = design(other);
    const Instruction& y = design(of);
    return other != of && x.algorithm == y.algorithm && x.formats.k == y.formats.k &&
           x.formats.scale == y.formats.scale && !(x.formats == y.formats);
  }

  std::optional<PairRow> on_witness_of(const DesignPair& p) const {
    const auto values = witness_of(matrix_, p, results_);
    if (!values) return std::nullopt;
    try {
      // Both have the pair's K.
      const Instruction given = pair_in(p).first;
      if (given.formats.k != asked_.first.formats.k) return std::nullopt;
      return of_input({}, counterpart({given, asked_.first, ""}, Match::values, *values), asked_);
    } catch (const NoCounterpart&) {
    } catch (const Contradiction&) {  // the designs of this pair agree on that input
    }
    return std::nullopt;
  }

  const Matrix& matrix_;
  const MatrixResults& results_;
  const DesignPair pair_;
  const Pair asked_;
};

}  // namespace

std::optional<PairRow> differs_as_in_other_formats(const Matrix& matrix, const DesignPair& pair,
                                                   const MatrixResults& results) {
  auto row = Transfer(matrix, pair, results).row();
  if (row) row->by = "search";
  return row;
}

}  // namespace mmaspec
