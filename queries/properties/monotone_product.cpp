#include "queries/exact.h"
#include "queries/properties/successor.h"

namespace mmaspec {
namespace {

/// The same as monotone-c for one product: a[k] <= a'[k] with b[k] >= 0 implies f <= f', asked
/// of a'[k] next to a[k]. (With
/// b[k] < 0 it follows by the sign of both.)
class MonotoneProduct : public Property {
 public:
  std::string name() const override { return "monotone-product"; }
  std::string summary() const override {
    return "a larger product (a larger a[k], b[k] >= 0) never gives a smaller result";
  }
  std::string source() const override { return "Fasi et al. III-D5; Mikaitis 2023"; }

  int cases(const Subject& s) const override { return s.formats().k; }
  std::string case_name(const Subject&, int k) const override {
    return "a[" + std::to_string(k) + "]";
  }

  Statement state(const Subject& s, int which) const override {
    const auto k = static_cast<std::size_t>(which);
    const DotFormats& f = s.formats();
    const DotOperands in = dot_inputs(f);
    DotOperands other = in;
    other.a[k] = successor(*f.a, in.a[k]);
    const Run one = run(s, "a", in);
    const Run two = run(s, "the next a", other);
    const Bool numbers = !unpack(*f.d, one.d).is_nan && !unpack(*f.d, two.d).is_nan;
    return {{one, two},
            {place(*f.b, in.b[k]) >= 0, numbers, place(*f.d, two.d) < place(*f.d, one.d)}};
  }
  bool violated(const Subject& s, int which, const std::vector<RunValues>& runs) const override {
    const auto k = static_cast<std::size_t>(which);
    const DotFormats& f = s.formats();
    if (decode(*f.d, runs[0].d).is_nan || decode(*f.d, runs[1].d).is_nan) return false;
    return place(*f.b, runs[0].operands.b[k]) >= 0 &&
           place(*f.a, runs[0].operands.a[k]) <= place(*f.a, runs[1].operands.a[k]) &&
           place(*f.d, runs[1].d) < place(*f.d, runs[0].d);
  }
  void incline(const Subject& s, int which, Candidate& candidate, Random& random) const override {
    const auto k = static_cast<std::size_t>(which);
    incline_to_step(*s.formats().a, candidate.values.a[k], random);
    Integer& b = candidate.values.b[k];
    if (place(*s.formats().b, b) < 0) b = negated(*s.formats().b, b);
  }
};

}  // namespace

std::unique_ptr<Property> monotone_product() { return std::make_unique<MonotoneProduct>(); }

}  // namespace mmaspec
