#include <algorithm>
#include <optional>

#include "queries/numbers/exact.h"
#include "queries/property/property.h"
#include "util/unsigned.h"

namespace mmaspec {
namespace {

/// The sums that a design marks. The result need not depend on them: from a single term it may use
/// sign and magnitude.
class MarkedSums {
 public:
  explicit MarkedSums(const Subject& s)
      : algorithm_(s.first.algorithm),
        model_(algorithm_, s.formats()),
        sums_(sums_of(model_.graph())),
        evaluator_(model_.graph(), sums_),
        values_(evaluator_.scratch()) {}

  bool are_of(const Subject& s) const {
    return algorithm_ == s.first.algorithm && model_.formats() == s.formats();
  }

  Integer largest(const DotValues& operands) {
    evaluator_.evaluate(in_input_order(operands), values_);
    Integer largest = 0;
    for (NodeId sum : sums_) {
      largest = std::max(largest, Integer(boost::multiprecision::abs(values_[sum])));
    }
    return largest;
  }

 private:
  static std::vector<NodeId> sums_of(const Graph& graph) {
    std::vector<NodeId> sums;
    for (const Mark& m : graph.marks()) {
      if (m.role == MarkRole::sum) sums.push_back(m.node);
    }
    return sums;
  }

  Algorithm algorithm_;
  DotModel model_;
  std::vector<NodeId> sums_;
  ExactEvaluator evaluator_;
  ExactEvaluator::Values values_;
};

/// No fused sum overflows a register with N bits above the two integer bits of a product: its
/// magnitude is below 2^(2 + N) in units of 2^e_max. Valpey et al. ask how many bits the sum of
/// five terms needs; three, two are too few.
class CarryBits : public Property {
 public:
  std::string name() const override { return "carry-bits"; }
  std::string summary() const override {
    return "a fused sum never overflows with N bits above a product's two integer bits";
  }
  std::string source() const override { return "Valpey et al."; }
  bool is_of_conversions() const override { return false; }
  UnderCondition under_condition() const override { return {Conditioned::the_input, kNotReduced}; }

  std::string not_applicable(const Subject& s) const override {
    return fraction_bits(s) ? "" : "it has no fused sum of a fixed width";
  }
  std::vector<Rational> parameters(const Subject& s) const override {
    std::vector<Rational> all;
    int most = 1;
    while ((1 << most) < s.formats().k * 2) ++most;
    for (int n = 0; n <= most + 2; ++n) all.emplace_back(n);
    return all;
  }

  Statement state(const Subject& s, int) const override {
    const DotOperands in = dot_inputs(s.formats());
    const std::size_t before = Graph::current().marks().size();
    const Run one = run(s, "given", in);
    const Integer limit = power_of_two(u(*fraction_bits(s)) + 2 + bits_asked(s));
    std::vector<Bool> beyond;
    const auto& marks = Graph::current().marks();
    for (std::size_t i = before; i < marks.size(); ++i) {
      if (marks[i].role == MarkRole::sum) beyond.push_back(abs(Int::of(marks[i].node)) >= limit);
    }
    return {{one}, {}, {any_of(beyond)}};
  }
  bool violated(const Subject& s, int, const std::vector<RunValues>& runs) const override {
    // Thousands of trials of one design simplify a witness, so the sums are cached.
    static thread_local std::optional<MarkedSums> sums;
    if (!sums || !sums->are_of(s)) sums.emplace(s);
    return sums->largest(runs[0].operands) >=
           power_of_two(u(*fraction_bits(s)) + 2 + bits_asked(s));
  }
  void bias_sample(const Subject& s, int, Candidate& candidate, Random& random) const override {
    // All terms with the largest magnitude of one exponent.
    const DotFormats& f = s.formats();
    const auto all_ones = [&](const Format& format, int exponent) {
      const Integer field = exponent + format.bias;
      const Integer ones = power_of_two(u(format.fraction_bits)) - 1;
      return Integer(((field << u(format.fraction_bits)) + ones) << u(format.ignored_low_bits));
    };
    if (random() % 4 == 0) return;
    for (std::size_t k = 0; k < candidate.values.a.size(); ++k) {
      candidate.values.a[k] = all_ones(*f.a, 0);
      candidate.values.b[k] = all_ones(*f.b, 0);
    }
    candidate.values.c = all_ones(*f.c, 0);
    for (Integer& scale : candidate.values.scale_a) scale = one(*f.scale);
    for (Integer& scale : candidate.values.scale_b) scale = one(*f.scale);
  }

 private:
  static Integer one(const Format& format) {
    return Integer(format.bias) << u(format.fraction_bits + format.ignored_low_bits);
  }
  static unsigned bits_asked(const Subject& s) {
    if (!s.parameter || denominator(*s.parameter) != 1 || *s.parameter < 0 || *s.parameter > 64) {
      throw std::invalid_argument("carry-bits: --bound must be a number of bits, 0 to 64");
    }
    return numerator(*s.parameter).convert_to<unsigned>();
  }
  static std::optional<int> fraction_bits(const Subject& s) {
    const auto* padded = s.first.algorithm.as<Padded>();
    const auto* fused = (padded != nullptr ? *padded->whole : s.first.algorithm).as<FusedDotAdd>();
    return fused == nullptr ? std::nullopt : std::optional(fused->fraction_bits);
  }
};

}  // namespace

std::unique_ptr<Property> carry_bits() { return std::make_unique<CarryBits>(); }

}  // namespace mmaspec
