#include "spec/algorithms/algorithm.h"

#include "spec/parts/parameter_visitor.h"
#include "spec/parts/terms.h"

namespace mmaspec {
namespace {

bool same(const Chained& x, const Chained& y) {
  const auto& [step, step_formats] = x;
  return *step == *y.step && step_formats == y.step_formats;
}

bool same(const Padded& x, const Padded& y) {
  const auto& [whole, whole_formats] = x;
  return *whole == *y.whole && whole_formats == y.whole_formats;
}

bool same(const Composed& x, const Composed& y) { return x.composition->equals(*y.composition); }

bool same(const Custom&, const Custom&) { return false; }

template <typename D>
bool same(const D& x, const D& y) {
  return x == y;
}

Int built(const Chained& design, const DotFormats& formats, const DotOperands& operands) {
  return chain(formats, operands, design.step_formats.k,
               [&](const DotFormats&, const DotOperands& in) {
                 return design.step->build(design.step_formats, in);
               });
}

Int built(const Padded& design, const DotFormats&, const DotOperands& operands) {
  const auto k = static_cast<std::size_t>(design.whole_formats.k);
  DotOperands padded = operands;
  padded.a.resize(k, Int(0));
  padded.b.resize(k, Int(0));
  return design.whole->build(design.whole_formats, padded);
}

Int built(const Composed& design, const DotFormats& formats, const DotOperands& operands) {
  return design.composition->build(formats, operands);
}

Int built(const Custom& design, const DotFormats& formats, const DotOperands& operands) {
  return design.build(formats, operands);
}
template <typename D>
Int built(const D& design, const DotFormats& formats, const DotOperands& operands) {
  return build(design, formats, operands);
}

std::string name_of(const Chained& d) { return d.step->name() + ", chained"; }
std::string name_of(const Padded& d) { return d.whole->name() + ", padded"; }
std::string name_of(const Composed& d) { return d.composition->name(); }
std::string name_of(const Custom& d) { return d.name; }
template <typename D>
std::string name_of(const D&) {
  return std::string(D::kName);
}

std::string reference_of(const Chained& d) { return d.step->reference(); }
std::string reference_of(const Padded& d) { return d.whole->reference(); }
std::string reference_of(const Composed& d) { return d.composition->reference(); }
std::string reference_of(const Custom&) { return ""; }
template <typename D>
std::string reference_of(const D&) {
  return std::string(D::kReference);
}

std::vector<Parameter> with_length(const Algorithm& inner, int k, std::string key,
                                   std::string meaning) {
  std::vector<Parameter> all = inner.parameters();
  all.push_back({std::move(key), std::to_string(k), std::move(meaning)});
  return all;
}

std::vector<Parameter> parameters_of(const Chained& d) {
  return with_length(*d.step, d.step_formats.k, "step_k", "products in one step of the chain");
}
std::vector<Parameter> parameters_of(const Padded& d) {
  return with_length(*d.whole, d.whole_formats.k, "padded_k",
                     "products, including those that are zero");
}
std::vector<Parameter> parameters_of(const Composed& d) { return d.composition->parameters(); }
std::vector<Parameter> parameters_of(const Custom&) { return {}; }
template <typename D>
std::vector<Parameter> parameters_of(const D& d) {
  return parameters(d);
}

}  // namespace

Algorithm::Algorithm() = default;
Algorithm::Algorithm(const Algorithm&) = default;
Algorithm::Algorithm(Algorithm&&) noexcept = default;
Algorithm& Algorithm::operator=(const Algorithm&) = default;
Algorithm& Algorithm::operator=(Algorithm&&) noexcept = default;
Algorithm::~Algorithm() = default;

Int Algorithm::build(const DotFormats& formats, const DotOperands& operands) const {
  return std::visit([&](const auto& d) { return built(d, formats, operands); }, design_);
}

std::string Algorithm::name() const {
  return std::visit([](const auto& d) { return name_of(d); }, design_);
}

std::string Algorithm::reference() const {
  return std::visit([](const auto& d) { return reference_of(d); }, design_);
}

std::vector<Parameter> Algorithm::parameters() const {
  return std::visit([](const auto& d) { return parameters_of(d); }, design_);
}

bool operator==(const Algorithm& x, const Algorithm& y) {
  return x.design_.index() == y.design_.index() &&
         std::visit([&]<typename D>(const D& d) { return same(d, *std::get_if<D>(&y.design_)); },
                    x.design_);
}

}  // namespace mmaspec
