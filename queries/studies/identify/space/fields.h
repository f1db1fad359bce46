#pragma once
/// The parameters of each algorithm's designs, typed: how to read each, set it to a number, and set
/// it to an expression. This is the only description of the space.

#include <charconv>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spec/algorithms/symbolic.h"
#include "spec/parts/parameter_text.h"

namespace mmaspec {

/// The values that represent "none" for a lower bound (a floor), and for an upper bound.
inline constexpr int kNoneBelow = -6000;
inline constexpr int kNoneAbove = 6000;

/// The type-independent part of a parameter.
struct FieldText {
  std::string key;
  std::vector<int> values;  ///< default values
  int low;                  ///< the range that `design:` allows, without "none"
  int high;
  std::vector<std::pair<int, std::string>> words;  ///< values with names

  std::string text(int value) const {
    for (const auto& [number, word] : words) {
      if (number == value) return word;
    }
    return std::to_string(value);
  }
  std::optional<int> value_of(const std::string& given) const {
    for (const auto& [number, word] : words) {
      if (word == given) return number;
    }
    int value = 0;
    const auto [rest, error] = std::from_chars(given.data(), given.data() + given.size(), value);
    if (error != std::errc() || rest != given.data() + given.size()) return std::nullopt;
    if (value < low || value > high) return std::nullopt;
    return value;
  }
};

/// A parameter of designs D, whose symbolic form is S.
template <typename D, typename S>
struct Field : FieldText {
  using Get = std::function<int(const D&)>;
  using Set = std::function<void(D&, int)>;
  using SetSymbolic = std::function<void(S&, Int)>;

  Field(std::string name, std::vector<int> by_default, int least, int most,
        std::vector<std::pair<int, std::string>> in_words, Get getter, Set setter,
        SetSymbolic symbolic_setter = {})
      : FieldText{std::move(name), std::move(by_default), least, most, std::move(in_words)},
        get(std::move(getter)),
        set(std::move(setter)),
        set_symbolic(std::move(symbolic_setter)) {}

  Get get;
  Set set;
  SetSymbolic set_symbolic;  ///< empty: it determines the graph's shape
};

template <typename D, typename S>
using Fields = std::vector<Field<D, S>>;

/// The default values suit the formats: near known designs and somewhat beyond.
Fields<SequentialFma, SymbolicSequentialFma> fields_of(const SequentialFma&,
                                                       const DotFormats& formats);
Fields<GroupPairwiseSum, SymbolicGroupPairwiseSum> fields_of(const GroupPairwiseSum&,
                                                             const DotFormats& formats);
Fields<FusedDotAdd, SymbolicFusedDotAdd> fields_of(const FusedDotAdd&, const DotFormats& formats);
Fields<RoundDownDotAdd, SymbolicRoundDownDotAdd> fields_of(const RoundDownDotAdd&,
                                                           const DotFormats& formats);
Fields<GroupDotFusedSum, SymbolicGroupDotFusedSum> fields_of(const GroupDotFusedSum&,
                                                             const DotFormats& formats);
Fields<SplitFp8, SymbolicSplitFp8> fields_of(const SplitFp8&, const DotFormats& formats);
Fields<PairDotAdd, SymbolicPairDotAdd> fields_of(const PairDotAdd&, const DotFormats& formats);
Fields<ExactDotAdd, SymbolicExactDotAdd> fields_of(const ExactDotAdd&, const DotFormats& formats);
Fields<BulkNormalizedDotAdd, SymbolicBulkNormalizedDotAdd> fields_of(const BulkNormalizedDotAdd&,
                                                                     const DotFormats& formats);
Fields<OnesComplementDotAdd, SymbolicOnesComplementDotAdd> fields_of(const OnesComplementDotAdd&,
                                                                     const DotFormats& formats);
Fields<FlooredDotAdd, SymbolicFlooredDotAdd> fields_of(const FlooredDotAdd&,
                                                       const DotFormats& formats);
Fields<PartialProductDotAdd, SymbolicPartialProductDotAdd> fields_of(const PartialProductDotAdd&,
                                                                     const DotFormats& formats);
Fields<RoundedProductDotAdd, SymbolicRoundedProductDotAdd> fields_of(const RoundedProductDotAdd&,
                                                                     const DotFormats& formats);
Fields<F32Chain, SymbolicF32Chain> fields_of(const F32Chain&, const DotFormats& formats);
Fields<IntegerDotAdd, SymbolicIntegerDotAdd> fields_of(const IntegerDotAdd&,
                                                       const DotFormats& formats);
Fields<FixedPointDotAdd, SymbolicFixedPointDotAdd> fields_of(const FixedPointDotAdd&,
                                                             const DotFormats& formats);

}  // namespace mmaspec
