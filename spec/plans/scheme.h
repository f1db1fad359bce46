#pragma once
/// Schemes by which kernels compose dot products from instructions: each is a struct with its
/// parameters, `describe()`, and the graph that it builds around an inner instruction or plan.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "spec/algorithms/algorithm.h"
#include "spec/parts/parameter_visitor.h"

namespace mmaspec {

/// The inner instruction or plan of a scheme.
struct Inner {
  std::string name;
  DotFormats formats;
  Algorithm algorithm;

  friend bool operator==(const Inner& x, const Inner& y) {
    return x.formats == y.formats && x.algorithm == y.algorithm;
  }
};

// Operations of kernels around instructions, in the language. Sums and products of two numbers are
// rounded to nearest even, like the plain operators of CUDA and HIP; NaN results are quiet_nan().

/// x + y, both in `format`.
Int plus(const Format& format, Int x, Int y);
/// x * y + z, all in `format`, rounded once.
Int fused(const Format& format, Int x, Int y, Int z);
/// x * y, both in `format`.
Int times(const Format& format, Int x, Int y);
/// The pattern of 2^exponent; the format must have it as a normal number.
Int power(const Format& format, int exponent);
/// -x.
Int minus(const Format& format, Int x);

/// The inner dot-add on all operands, executed as often as its K requires: each result is the next
/// c. Without `c` the first starts from +0.
Int run_inner(const Inner& inner, const DotFormats& formats, const DotOperands& operands);

/// A scheme with its parameters and its inner unit.
template <typename S>
class Scheme final : public Composition {
 public:
  Scheme(S scheme, Inner inner, DotFormats formats)
      : scheme_(std::move(scheme)), inner_(std::move(inner)), formats_(formats) {}

  const S& scheme() const { return scheme_; }
  const Inner& inner() const { return inner_; }

  Int build(const DotFormats& formats, const DotOperands& operands) const override {
    return build_plan(scheme_, inner_, formats, operands);
  }
  bool equals(const Composition& other) const override {
    const auto* same = dynamic_cast<const Scheme*>(&other);
    return same != nullptr && scheme_ == same->scheme_ && inner_ == same->inner_;
  }
  int step_k() const override { return plan_step(scheme_, inner_); }
  std::string name() const override { return std::string(S::kName) + " of " + inner_.name; }
  std::string reference() const override { return std::string(S::kReference); }
  std::vector<Parameter> parameters() const override {
    S copy = scheme_;
    return print_parameters([&](ParameterVisitor& visit) { describe(copy, formats_, visit); });
  }

 private:
  S scheme_;
  Inner inner_;
  DotFormats formats_;
};

/// The algorithm as a plan of this scheme, or nullptr.
template <typename S>
const Scheme<S>* scheme_of(const Algorithm& algorithm) {
  const auto* plan = algorithm.as<Composed>();
  return plan == nullptr ? nullptr : dynamic_cast<const Scheme<S>*>(plan->composition.get());
}

}  // namespace mmaspec
