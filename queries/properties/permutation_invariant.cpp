// States permutation-invariant in the language.

#include <algorithm>

#include "queries/numbers/exact.h"
#include "queries/property/reduction.h"
#include "queries/theorems/steps.h"

namespace mmaspec {
namespace {

/// f does not depend on the order of the products. Reduced: exchanging neighbours, which generates
/// all orders. Products with block scale factors keep their factors: they move inside a block, or a
/// whole block moves with its scale factors. FTTN (Li et al.) tests the order of accumulation by
/// such inputs.
class PermutationInvariant : public Property {
 public:
  std::string name() const override { return "permutation-invariant"; }
  std::string summary() const override {
    return "the order of the products does not change the result (--within L: inside each block of "
           "L)";
  }
  std::string source() const override { return "Fasi et al. III-D; FTTN"; }
  bool is_of_conversions() const override { return false; }
  UnderCondition under_condition() const override {
    return {Conditioned::both, is_kept_by_each_order};
  }
  bool is_of_integers() const override { return true; }

  std::string not_applicable(const Subject& s) const override {
    return cases(s) == 0 ? "there is nothing to permute" : "";
  }
  std::optional<Argument> holds_because(const Subject& s) const override {
    return argument_if(adds_pairs(s.first, s.within), TrustedTheorem::pair_commutes,
                       "two products are added, each rounded, in either order");
  }
  int cases(const Subject& s) const override {
    const auto swaps = neighbour_swaps(s.formats(), s.within).size();
    return s.form == Form::whole ? std::min(static_cast<int>(swaps), 1) : static_cast<int>(swaps);
  }
  std::string case_name(const Subject& s, int which) const override {
    if (s.form == Form::whole) return "in another order";
    const ProductSwap swap =
        neighbour_swaps(s.formats(), s.within)[static_cast<std::size_t>(which)];
    const std::string first = std::to_string(swap.first);
    if (swap.count == 1) return "k = " + first + " and " + std::to_string(swap.second) + " swapped";
    return "the " + std::to_string(swap.count) + " products from k = " + first +
           " on and the next block swapped";
  }
  std::vector<Extra> extras(const Subject& s) const override {
    if (s.form != Form::whole) return {};
    std::vector<Extra> all;
    const std::size_t swaps = order_network(s.formats(), s.within).size();
    for (std::size_t i = 0; i < swaps; ++i) all.push_back({switch_of(i), 1});
    return all;
  }

  Statement state(const Subject& s, int which) const override {
    const DotFormats& formats = s.formats();
    const DotOperands in = dot_inputs(formats);
    DotOperands permuted = in;
    if (s.form == Form::whole) {
      const std::vector<ProductSwap> network = order_network(formats, s.within);
      for (std::size_t i = 0; i < network.size(); ++i) {
        apply(network[i], input(switch_of(i), 1) == 1, formats, permuted);
      }
    } else {
      const auto swaps = neighbour_swaps(formats, s.within);
      apply(swaps[static_cast<std::size_t>(which)], true, formats, permuted);
    }
    const Run one = run(s, "given", in);
    const Run two = run(s, case_name(s, which), permuted);
    return {{one, two}, {}, {differ({}, *formats.d, one.d, *formats.d, two.d)}};
  }

 private:
  static std::string switch_of(std::size_t i) { return "swap " + std::to_string(i); }
};

}  // namespace

std::unique_ptr<Property> permutation_invariant() {
  return std::make_unique<PermutationInvariant>();
}

}  // namespace mmaspec
