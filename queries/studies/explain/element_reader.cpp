#include "queries/studies/explain/element_reader.h"

#include <bit>
#include <cmath>

#include "queries/compare/doubles.h"
#include "queries/studies/explain/arithmetic.h"

namespace mmaspec::explain {

const Format* c_format_of(const MatrixFormats& formats) {
  return formats.c.empty() ? nullptr : formats.c.front();
}

ElementReader::Conversion::Conversion(const Convert& scheme, const Format& from, const Format& to,
                                      std::uint32_t scale) {
  Graph graph;
  const Graph::Building building(graph);
  const Int x = input("x", static_cast<unsigned>(from.storage_bits));
  evaluator_ = std::make_unique<BatchEvaluator>(
      graph, std::vector<NodeId>{converted_operand(scheme, from, x, to, scale).id()});
}

void ElementReader::Conversion::apply(std::vector<std::uint64_t>& numbers) {
  std::vector<std::uint64_t> converted(numbers.size());
  evaluator_->evaluate({numbers.data()}, numbers.size(), {converted.data()}, scratch_);
  numbers = std::move(converted);
}

ElementReader::ElementReader(const Space& space, const Product& product, const Format* c_format)
    : space_(space), product_(product), c_format_(c_format) {
  const PreparedUnit& unit = space.unit();
  const DotFormats& f = unit.unit->formats;
  if (unit.rows) return;
  Convert scheme;
  scheme.round = unit.round;
  scheme.saturate = unit.scales_operands();
  if (!(*unit.a == *f.a)) a_.emplace(scheme, *unit.a, *f.a, unit.scale_a);
  if (!(*unit.b == *f.b)) b_.emplace(scheme, *unit.b, *f.b, unit.scale_b);
}

void ElementReader::scale(std::vector<std::uint64_t>& numbers, const Format& from, const Format& to,
                          float factor) const {
  const Doubles value(from);
  const auto sign = std::uint64_t{1} << static_cast<unsigned>(to.sign_bit());
  for (std::uint64_t& x : numbers) {
    const float scaled = static_cast<float>(value(x)) * factor;
    const std::uint64_t pattern = rounded_pattern(to, static_cast<double>(scaled));
    const bool overflows = std::isfinite(scaled) && (pattern & (sign - 1)) > to.largest_pattern();
    x = overflows ? to.largest_pattern() | (std::signbit(scaled) ? sign : 0) : pattern;
  }
}

ElementOperands ElementReader::operator()(const Element& e) {
  const std::vector<int>& products = space_.products();
  ElementOperands operands{std::vector<std::uint64_t>(products.size()),
                           std::vector<std::uint64_t>(products.size()), 0, space_.unit().factors};
  for (std::size_t i = 0; i < products.size(); ++i) {
    const auto k = static_cast<std::size_t>(products[i]);  // -1: beyond the last one
    if (k >= product_.a.columns) continue;
    operands.a[i] = pattern_at(product_.a, e.row, k);
    operands.b[i] = pattern_at(product_.b, k, e.column);
  }
  if (const PreparedUnit& unit = space_.unit(); unit.rows) {
    const OperandScale& of_a = unit.rows->rows[e.row];
    const OperandScale& of_b = unit.rows->columns[e.column];
    scale(operands.a, *unit.a, *unit.unit->formats.a, of_a.factor);
    scale(operands.b, *unit.b, *unit.unit->formats.b, of_b.factor);
    const auto pattern = [](float x) { return std::bit_cast<std::uint32_t>(x); };
    switch (unit.rows->back) {
      case ScaleBack::product:
        operands.factors = {pattern(of_a.inverse * of_b.inverse)};
        break;
      case ScaleBack::a_first:
        operands.factors = {pattern(of_a.inverse), pattern(of_b.inverse)};
        break;
      case ScaleBack::b_first:
        operands.factors = {pattern(of_b.inverse), pattern(of_a.inverse)};
        break;
    }
  }
  if (a_) a_->apply(operands.a);
  if (b_) b_->apply(operands.b);
  if (c_format_ != nullptr) {
    operands.c = c_of(product_, e, *c_format_, *space_.unit().unit->formats.d);
  }
  return operands;
}

}  // namespace mmaspec::explain
