// States single-normalization in the language.

#include "queries/numbers/exact.h"
#include "queries/property/property.h"
#include "queries/theorems/equal.h"
#include "spec/catalog/open_design.h"
#include "spec/parts/terms.h"

namespace mmaspec {
namespace {

// The design with all terms in one block and the same rounding; nullopt: there is none.

std::optional<Algorithm> in_one_piece(const Algorithm& algorithm, int k);

/// The exact sum of operands, flushed or not, rounded once.
Algorithm exact_of(int k, const ResultFormat& result, bool flush_inputs) {
  const ExactDotAdd exact{k, result};
  if (!flush_inputs) return exact;
  return Custom{"exact-dot-add of flushed operands",
                [exact](const DotFormats& formats, const DotOperands& operands) {
                  return build(exact, formats, flush_subnormals(formats, operands));
                }};
}

std::optional<Algorithm> one_piece(FusedDotAdd design, int k) {
  design.block = k;
  return design;
}
std::optional<Algorithm> one_piece(RoundDownDotAdd design, int k) {
  design.block = k;
  return design;
}
std::optional<Algorithm> one_piece(ExactDotAdd design, int k) {
  design.block = k;
  return design;
}
std::optional<Algorithm> one_piece(const GroupDotFusedSum& design, int) { return design; }
std::optional<Algorithm> one_piece(const SequentialFma& design, int k) {
  const auto& [result, flush_inputs, reversed, chains] = design;
  return exact_of(k, result, flush_inputs);
}
std::optional<Algorithm> one_piece(const PairDotAdd& design, int k) {
  const auto& [fused, flush_inputs, step] = design;
  return exact_of(k, step, flush_inputs);
}
std::optional<Algorithm> one_piece(const GroupPairwiseSum& design, int k) {
  const auto& [group, flush_inputs, step, minus_zero_products] = design;
  return exact_of(k, step, flush_inputs);
}
std::optional<Algorithm> one_piece(const Padded& design, int) {
  const auto& [whole, whole_formats] = design;
  const auto piece = in_one_piece(*whole, whole_formats.k);
  if (!piece) return std::nullopt;
  return Padded{std::make_shared<Algorithm>(*piece), whole_formats};
}
std::optional<Algorithm> one_piece(const SplitFp8&, int) { return std::nullopt; }
std::optional<Algorithm> one_piece(BulkNormalizedDotAdd design, int k) {
  design.block = k;
  return design;
}
std::optional<Algorithm> one_piece(OnesComplementDotAdd design, int k) {
  design.block = k;
  return design;
}
std::optional<Algorithm> one_piece(FlooredDotAdd design, int k) {
  design.block = k;
  design.halves_alternate = false;
  return design;
}
std::optional<Algorithm> one_piece(const PartialProductDotAdd&, int) { return std::nullopt; }
std::optional<Algorithm> one_piece(RoundedProductDotAdd design, int k) {
  design.block = k;
  return design;
}
std::optional<Algorithm> one_piece(const F32Chain&, int) { return std::nullopt; }
std::optional<Algorithm> one_piece(const IntegerDotAdd&, int) { return std::nullopt; }
std::optional<Algorithm> one_piece(const FixedPointDotAdd&, int) { return std::nullopt; }
std::optional<Algorithm> one_piece(const Chained&, int) { return std::nullopt; }
std::optional<Algorithm> one_piece(const Composed&, int) { return std::nullopt; }
std::optional<Algorithm> one_piece(const Custom&, int) { return std::nullopt; }

std::optional<Algorithm> in_one_piece(const Algorithm& algorithm, int k) {
  return std::visit([&](const auto& design) { return one_piece(design, k); }, algorithm.design());
}

Instruction in_one_piece(const Instruction& instruction) {
  const auto piece = in_one_piece(instruction.algorithm, instruction.formats.k);
  if (!piece) throw std::logic_error(instruction.name() + " has no form in one piece");
  return open_design(*piece, instruction.formats);
}

/// f equals the design that adds all terms in one block, normalized and rounded once at the end.
/// For designs that align all terms to one grid, this is the same design with one block of K; for
/// others, it is the exact sum with the same rounding and flushing. Valpey et al.; Fasi et al.
/// III-D2.
class SingleNormalization : public Property {
 public:
  std::string name() const override { return "single-normalization"; }
  std::string summary() const override {
    return "equal to normalising and rounding once, after all terms are added";
  }
  std::string source() const override { return "Fasi et al. III-D2; Valpey et al."; }
  bool is_of_conversions() const override { return false; }
  UnderCondition under_condition() const override { return {Conditioned::the_input, kNotReduced}; }

  std::string not_applicable(const Subject& s) const override {
    if (in_one_piece(s.first.algorithm, s.formats().k)) return "";
    return s.first.algorithm.as<SplitFp8>() != nullptr ? "it is two instructions and an addition"
                                                       : "its steps have no form in one piece";
  }

  std::optional<Argument> holds_because(const Subject& s) const override {
    return equal_because(s.first, in_one_piece(s.first));
  }

  Statement state(const Subject& s, int) const override {
    const Format& d = *s.formats().d;
    const DotOperands in = dot_inputs(s.formats());
    const Run one = run(s, "as it is", in);
    Subject whole{s.first, in_one_piece(s.first)};
    const Run two = run_second(whole, "normalised once", in);
    return {{one, two}, {}, {differ({}, d, one.d, d, two.d)}};
  }
  std::optional<Instruction> other(const Subject& s) const override {
    return in_one_piece(s.first);
  }
};

}  // namespace

std::unique_ptr<Property> single_normalization() { return std::make_unique<SingleNormalization>(); }

}  // namespace mmaspec
