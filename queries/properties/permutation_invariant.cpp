#include "queries/exact.h"
#include "queries/properties/property.h"
#include "queries/steps.h"

namespace mmaspec {
namespace {

/// f is the same in whatever order the products are given. Neighbours that change places generate
/// all permutations. Products with block scale factors move with them: inside a block, or a whole
/// block with its scales. FTTN (Li et al.) tests the order of accumulation by such inputs.
class PermutationInvariant : public Property {
 public:
  std::string name() const override { return "permutation-invariant"; }
  std::string summary() const override {
    return "the products can come in any order (--within L: inside each block of L)";
  }
  std::string source() const override { return "Fasi et al. III-D; FTTN"; }

  std::string not_applicable(const Subject& s) const override {
    return cases(s) == 0 ? "there is nothing to permute" : "";
  }
  std::string holds_because(const Subject& s) const override {
    return adds_pairs(s.first, s.within) ? "two products are added, each rounded, in either order"
                                         : "";
  }
  int cases(const Subject& s) const override { return static_cast<int>(swaps(s).size()); }
  std::string case_name(const Subject& s, int which) const override {
    const Swap swap = swaps(s)[static_cast<std::size_t>(which)];
    const std::string first = std::to_string(swap.first);
    if (swap.count == 1)
      return "k = " + first + " and " + std::to_string(swap.first + 1) + " swapped";
    return "the " + std::to_string(swap.count) + " products from k = " + first +
           " on and the next block swapped";
  }

  Statement state(const Subject& s, int which) const override {
    const DotOperands in = dot_inputs(s.formats());
    DotOperands swapped = in;
    apply(swaps(s)[static_cast<std::size_t>(which)], s.formats(), swapped);
    const Run one = run(s, "given", in);
    const Run two = run(s, case_name(s, which), swapped);
    const Format& f = *s.formats().d;
    return {{one, two}, {differ({}, f, one.d, f, two.d)}};
  }
  bool violated(const Subject& s, int, const std::vector<RunValues>& runs) const override {
    return !same_value(*s.formats().d, runs[0].d, runs[1].d);
  }

 private:
  /// Products first .. first + count - 1 and the `count` after them.
  struct Swap {
    int first;
    int count;
  };

  static std::vector<Swap> swaps(const Subject& s) {
    const DotFormats& f = s.formats();
    const int within = s.within > 0 ? s.within : f.k;
    const int block = f.scale == nullptr ? f.k : f.scale_block;
    std::vector<Swap> all;
    for (int k = 0; k + 1 < f.k; ++k) {
      if ((k + 1) % within != 0 && (k + 1) % block != 0) all.push_back({k, 1});
    }
    for (int first = 0; first + 2 * block <= f.k; first += block) {
      if (first / within == (first + 2 * block - 1) / within) all.push_back({first, block});
    }
    return all;
  }

  static void apply(const Swap& swap, const DotFormats& f, DotOperands& in) {
    for (int i = swap.first; i < swap.first + swap.count; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const auto to = k + static_cast<std::size_t>(swap.count);
      std::swap(in.a[k], in.a[to]);
      std::swap(in.b[k], in.b[to]);
    }
    if (f.scale == nullptr || swap.count == 1) return;
    const auto block = static_cast<std::size_t>(swap.first / f.scale_block);
    std::swap(in.scale_a[block], in.scale_a[block + 1]);
    std::swap(in.scale_b[block], in.scale_b[block + 1]);
  }
};

}  // namespace

std::unique_ptr<Property> permutation_invariant() {
  return std::make_unique<PermutationInvariant>();
}

}  // namespace mmaspec
