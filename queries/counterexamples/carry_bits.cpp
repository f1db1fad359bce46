// carry-bits on numbers.

#include <algorithm>
#include <optional>

#include "queries/counterexamples/bias.h"
#include "queries/property/carry_limit.h"
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

class CarryBits : public Counterexamples {
 public:
  bool violated(const Subject& s, int, const std::vector<RunValues>& runs) const override {
    // Thousands of trials of one design simplify a witness, so the sums are cached.
    static thread_local std::optional<MarkedSums> sums;
    if (!sums || !sums->are_of(s)) sums.emplace(s);
    return sums->largest(runs[0].operands) >= carry_limit(s);
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
    for (Integer& scale : candidate.values.scale_a) scale = pattern_of_power(*f.scale, 0);
    for (Integer& scale : candidate.values.scale_b) scale = pattern_of_power(*f.scale, 0);
  }
};

}  // namespace

std::unique_ptr<Counterexamples> counterexamples_of_carry_bits() {
  return std::make_unique<CarryBits>();
}

}  // namespace mmaspec
