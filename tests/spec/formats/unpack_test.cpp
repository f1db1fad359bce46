// Unpacked patterns, in the language (unpack) and outside of it (decode), compared with the tests'
// own decoding: every pattern of formats with up to 19 significant bits, random ones of f32 and
// f64.

#include "spec/formats/unpack.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "concrete/evaluator.h"
#include "spec/formats/round.h"
#include "spec/formats/text.h"
#include "tests/support/numeric_reference.h"

namespace mmaspec::unpack_test {
namespace {

using numeric::Kind;
using numeric::Meaning;

/// Calls `each` for every pattern, or for `samples` random ones and the corner cases of wide
/// formats.
void for_patterns(const Format& format, int samples,
                  const std::function<void(std::uint64_t)>& each) {
  const numeric::Layout& l = numeric::layout(format.name);
  const int used = format.storage_bits - l.ignored_low_bits;
  numeric::Random random(1);
  // The ignored bits must have no effect.
  const auto with_low_bits = [&](std::uint64_t p) {
    return p << l.ignored_low_bits | random.bits(l.ignored_low_bits);
  };
  if (used <= 19) {
    for (std::uint64_t p = 0; p < std::uint64_t{1} << used; ++p) each(with_low_bits(p));
    return;
  }
  const std::uint64_t sign = std::uint64_t{1} << (l.exponent_bits + l.fraction_bits);
  const std::uint64_t one_field = std::uint64_t{1} << l.fraction_bits;
  const std::uint64_t top = ((std::uint64_t{1} << l.exponent_bits) - 1) << l.fraction_bits;
  for (std::uint64_t s : {std::uint64_t{0}, sign}) {
    for (std::uint64_t p : {std::uint64_t{0}, std::uint64_t{1}, one_field - 1, one_field,
                            one_field + 1, top - 1, top, top + 1, top | (one_field >> 1)}) {
      each(s + p);
    }
  }
  for (int i = 0; i < samples; ++i) {
    const std::uint64_t p = random.bits(used);
    each(p);
    each(p & ~top);  // subnormal
    each(p | top);   // NaN
  }
}

/// unpack() and related functions as one graph with one input.
class Unpacking {
 public:
  explicit Unpacking(const Format& format) : format_(format) {
    const Graph::Building building(graph_);
    const Int x = input("x", static_cast<unsigned>(format.storage_bits));
    const auto add = [&](const char* name, NodeId id) { nodes_.emplace(name, id); };
    const Unpacked u = unpack(format, x);
    add("sign", u.sign.id());
    add("exponent", u.exponent.id());
    add("significand", u.significand.id());
    add("nan", u.is_nan.id());
    add("infinite", u.is_infinite.id());
    add("finite", u.is_finite().id());
    add("zero", u.is_zero().id());
    const Unpacked n = unpack_normalized(format, x);
    add("n.sign", n.sign.id());
    add("n.exponent", n.exponent.id());
    add("n.significand", n.significand.id());
    add("n.nan", n.is_nan.id());
    add("n.infinite", n.is_infinite.id());
    add("class finite", belongs_to(InputClass::finite, format, x).id());
    add("class normal", belongs_to(InputClass::normal, format, x).id());
    add("class any", belongs_to(InputClass::any, format, x).id());
    std::vector<NodeId> roots;
    for (const auto& [name, id] : nodes_) roots.push_back(id);
    evaluator_ = std::make_unique<ExactEvaluator>(graph_, roots);
    values_ = evaluator_->scratch();
  }

  void run(std::uint64_t pattern) {
    evaluator_->evaluate({Integer(pattern)}, values_);
    evaluator_->check_ranges(values_);
  }
  const Integer& operator[](const std::string& name) const { return values_[nodes_.at(name)]; }

  /// (-1)^sign * significand * 2^(exponent - fraction_bits)
  numeric::Rational number(const std::string& prefix) const {
    const int e = (*this)[prefix + "exponent"].convert_to<int>() - format_.fraction_bits;
    const numeric::Rational magnitude =
        numeric::Rational((*this)[prefix + "significand"]) * numeric::two_to(e);
    return (*this)[prefix + "sign"] != 0 ? numeric::Rational(-magnitude) : magnitude;
  }

 private:
  const Format& format_;
  Graph graph_;
  std::map<std::string, NodeId> nodes_;
  std::unique_ptr<ExactEvaluator> evaluator_;
  ExactEvaluator::Values values_;
};

class EveryFormat : public testing::TestWithParam<const Format*> {};

TEST_P(EveryFormat, UnpacksToItsNumber) {
  const Format& format = *GetParam();
  const numeric::Layout& l = numeric::layout(format.name);
  Unpacking graph(format);
  for_patterns(format, 1000, [&](std::uint64_t p) {
    const Meaning m = numeric::meaning(format.name, p);
    graph.run(p);
    const bool is_number = m.kind == Kind::number;
    ASSERT_EQ(graph["nan"], m.kind == Kind::nan ? 1 : 0) << std::hex << p;
    ASSERT_EQ(graph["infinite"], m.kind == Kind::infinity ? 1 : 0) << std::hex << p;
    ASSERT_EQ(graph["finite"], is_number ? 1 : 0) << std::hex << p;
    ASSERT_EQ(graph["n.nan"], graph["nan"]) << std::hex << p;
    ASSERT_EQ(graph["n.infinite"], graph["infinite"]) << std::hex << p;
    const bool is_subnormal = is_number && m.digits != 0 && m.digits >> l.fraction_bits == 0;
    ASSERT_EQ(graph["class finite"], is_number ? 1 : 0) << std::hex << p;
    ASSERT_EQ(graph["class normal"], is_number && !is_subnormal ? 1 : 0) << std::hex << p;
    ASSERT_EQ(graph["class any"], 1) << std::hex << p;
    if (m.kind == Kind::infinity) {
      ASSERT_EQ(graph["sign"], m.negative ? 1 : 0) << std::hex << p;
    }
    if (!is_number) return;
    ASSERT_EQ(graph["sign"], m.negative ? 1 : 0) << std::hex << p;
    ASSERT_EQ(graph["exponent"], m.exponent) << std::hex << p;
    ASSERT_EQ(graph["significand"], m.digits) << std::hex << p;
    ASSERT_EQ(graph["zero"], m.magnitude == 0 ? 1 : 0) << std::hex << p;
    ASSERT_EQ(graph.number("n."), graph.number("")) << std::hex << p;
    ASSERT_EQ(graph["n.sign"], graph["sign"]) << std::hex << p;
    if (m.magnitude == 0) {
      ASSERT_EQ(graph["n.significand"], 0) << std::hex << p;
      ASSERT_EQ(graph["n.exponent"], 1 - l.bias) << std::hex << p;
    } else {
      ASSERT_EQ(bit_length(graph["n.significand"]), l.fraction_bits + 1) << std::hex << p;
      ASSERT_EQ(graph["n.exponent"], std::ilogb(m.magnitude)) << std::hex << p;
    }
  });
}

TEST_P(EveryFormat, DecodesToItsNumber) {
  const Format& format = *GetParam();
  for_patterns(format, 3000, [&](std::uint64_t p) {
    const Meaning m = numeric::meaning(format.name, p);
    const Decoded d = decode(format, p);
    ASSERT_EQ(d.is_nan, m.kind == Kind::nan) << std::hex << p;
    ASSERT_EQ(d.is_infinite, m.kind == Kind::infinity) << std::hex << p;
    ASSERT_EQ(d.is_finite(), m.kind == Kind::number) << std::hex << p;
    if (m.kind == Kind::nan) {
      ASSERT_THROW(d.value(), std::logic_error);
      return;
    }
    ASSERT_EQ(d.negative, m.negative) << std::hex << p;
    if (m.kind == Kind::infinity) return;
    ASSERT_EQ(d.significand, m.digits) << std::hex << p;
    ASSERT_EQ(std::ldexp(d.significand.convert_to<double>(), d.exponent), m.magnitude)
        << std::hex << p;
  });
}

INSTANTIATE_TEST_SUITE_P(Formats, EveryFormat, testing::ValuesIn(all_formats()),
                         [](const auto& test) { return std::string(test.param->name); });

/// A pattern and its number as listed in the specification.
struct Landmark {
  const char* format;
  std::uint64_t pattern;
  double number;
};

TEST(FormatLandmarks, EqualTheSpecification) {
  const double infinity = HUGE_VAL;
  const std::vector<Landmark> landmarks = {
      // OCP 8-bit Floating Point Specification 1.0, table 1.
      {"e4m3", 0x7e, 448},
      {"e4m3", 0xfe, -448},
      {"e4m3", 0x7f, NAN},
      {"e4m3", 0xff, NAN},
      {"e4m3", 0x78, 256},
      {"e4m3", 0x08, 0x1p-6},
      {"e4m3", 0x07, 0x0.ep-6},
      {"e4m3", 0x01, 0x1p-9},
      {"e4m3", 0x80, -0.0},
      {"e5m2", 0x7b, 57344},
      {"e5m2", 0x7c, infinity},
      {"e5m2", 0xfc, -infinity},
      {"e5m2", 0x7d, NAN},
      {"e5m2", 0xff, NAN},
      {"e5m2", 0x04, 0x1p-14},
      {"e5m2", 0x03, 0x0.cp-14},
      {"e5m2", 0x01, 0x1p-16},
      // FNUZ: no -0, no infinity, one NaN; the bias is one larger.
      {"e4m3fnuz", 0x7f, 240},
      {"e4m3fnuz", 0x80, NAN},
      {"e4m3fnuz", 0x00, 0.0},
      {"e4m3fnuz", 0x01, 0x1p-10},
      {"e4m3fnuz", 0x40, 1},
      {"e5m2fnuz", 0x7f, 57344},
      {"e5m2fnuz", 0x80, NAN},
      {"e5m2fnuz", 0x01, 0x1p-17},
      {"e5m2fnuz", 0x40, 1},
      // OCP Microscaling Formats Specification 1.0, tables 2 to 5 and 7.
      {"e3m2", 0x1f, 28},
      {"e3m2", 0x3f, -28},
      {"e3m2", 0x04, 0.25},
      {"e3m2", 0x01, 0.0625},
      {"e2m3", 0x1f, 7.5},
      {"e2m3", 0x3f, -7.5},
      {"e2m3", 0x08, 1},
      {"e2m3", 0x01, 0.125},
      {"e2m1", 0x0, 0},
      {"e2m1", 0x1, 0.5},
      {"e2m1", 0x2, 1},
      {"e2m1", 0x3, 1.5},
      {"e2m1", 0x4, 2},
      {"e2m1", 0x5, 3},
      {"e2m1", 0x6, 4},
      {"e2m1", 0x7, 6},
      {"e2m1", 0xf, -6},
      {"ue8m0", 0x00, 0x1p-127},
      {"ue8m0", 0x7f, 1},
      {"ue8m0", 0xfe, 0x1p127},
      {"ue8m0", 0xff, NAN},
      {"ue4m3", 0x7e, 448},
      {"ue4m3", 0xfe, 448},
      {"ue4m3", 0x7f, NAN},
      {"ue4m3", 0xff, NAN},
      {"ue4m3", 0xb8, 1},
      {"bf16", 0x3f80, 1},
      {"bf16", 0x7f80, infinity},
      {"bf16", 0x7f7f, 0x1.fep127},
      {"f16", 0x7bff, 65504},
      {"f16", 0x0001, 0x1p-24},
      // The low 13 bits of a TF32 register are ignored: this NaN of f32 is an infinity.
      {"tf32", 0x7f801fff, infinity},
      {"tf32", 0x7f802000, NAN},
      {"tf32", 0x3f801fff, 1},
      {"tf32", 0x00001fff, 0},
      {"xf32", 0x7f801fff, infinity},
      {"f64", 0x7fefffffffffffff, 0x1.fffffffffffffp1023},
      {"f64", 0x0000000000000001, 0x1p-1074},
      {"f32", 0x00000001, 0x1p-149}};
  for (const Landmark& mark : landmarks) {
    const Decoded d = decode(*find_format(mark.format), mark.pattern);
    SCOPED_TRACE(std::string(mark.format) + " " + to_hex(mark.pattern));
    EXPECT_EQ(d.is_nan, std::isnan(mark.number));
    if (std::isnan(mark.number)) continue;
    EXPECT_EQ(d.negative, std::signbit(mark.number));
    EXPECT_EQ(d.is_infinite, std::isinf(mark.number));
    if (std::isfinite(mark.number)) {
      EXPECT_EQ(d.value(), Rational(mark.number));
    }
  }
}

TEST(FormatLandmarks, LeastAndLargestExponents) {
  const std::map<std::string, std::pair<int, int>> exponents = {
      {"f64", {-1022, 1023}}, {"f32", {-126, 127}},    {"tf32", {-126, 127}}, {"xf32", {-126, 127}},
      {"f16", {-14, 15}},     {"bf16", {-126, 127}},   {"e4m3", {-6, 8}},     {"e5m2", {-14, 15}},
      {"e4m3fnuz", {-7, 7}},  {"e5m2fnuz", {-15, 15}}, {"e3m2", {-2, 4}},     {"e2m3", {0, 2}},
      {"e2m1", {0, 2}},       {"ue8m0", {-127, 127}},  {"ue4m3", {-6, 8}}};
  for (const Format* f : all_formats()) {
    EXPECT_EQ(f->least_exponent(), exponents.at(std::string(f->name)).first) << f->name;
    EXPECT_EQ(f->largest_exponent(), exponents.at(std::string(f->name)).second) << f->name;
  }
}

TEST(FormatNames, AreFoundAndAliased) {
  EXPECT_EQ(find_format("fp8"), &formats::e4m3fnuz);
  EXPECT_EQ(find_format("bf8"), &formats::e5m2fnuz);
  EXPECT_EQ(find_format("f8"), nullptr);
  EXPECT_EQ(find_format(""), nullptr);
  for (const Format* f : all_formats()) EXPECT_EQ(find_format(f->name), f);
}

TEST(SpecialPatterns, OfEachFormat) {
  EXPECT_EQ(canonical_nan(formats::f32), 0x7fffffff);
  EXPECT_EQ(canonical_nan(formats::f16), 0x7fff);
  EXPECT_EQ(canonical_nan(formats::tf32), 0x7fffffff);
  EXPECT_EQ(canonical_nan(formats::e4m3), 0x7f);
  EXPECT_EQ(canonical_nan(formats::e5m2fnuz), 0x80);
  EXPECT_EQ(canonical_nan(formats::ue8m0), 0xff);
  EXPECT_EQ(canonical_nan(formats::ue4m3), 0x7f);
  EXPECT_EQ(quiet_nan(formats::f64), Integer("0x7ff8000000000000"));
  EXPECT_EQ(quiet_nan(formats::f32), 0x7fc00000);
  EXPECT_EQ(quiet_nan(formats::tf32), 0x7fc00000);
  EXPECT_EQ(quiet_nan(formats::bf16), 0x7fc0);
  EXPECT_EQ(quiet_nan(formats::e5m2), 0x7e);
  EXPECT_EQ(positive_infinity(formats::tf32), 0x7f800000);
  EXPECT_EQ(positive_infinity(formats::f16), 0x7c00);
  for (const Format* f : all_formats()) {
    if (f->has_nan()) {
      EXPECT_TRUE(decode(*f, canonical_nan(*f)).is_nan) << f->name;
    }
    if (f->has_infinity()) {
      EXPECT_TRUE(decode(*f, quiet_nan(*f)).is_nan) << f->name;
      EXPECT_TRUE(decode(*f, positive_infinity(*f)).is_infinite) << f->name;
    } else {
      EXPECT_THROW(positive_infinity(*f), std::logic_error) << f->name;
    }
  }
  // These formats have no patterns beyond the largest number.
  EXPECT_THROW((void)formats::e2m1.first_non_finite(), std::logic_error);
  EXPECT_THROW((void)formats::e4m3fnuz.first_non_finite(), std::logic_error);
}

/// infinite_pattern() with both signs.
std::pair<Integer, Integer> infinite_patterns(const Format& format) {
  Graph graph;
  const Graph::Building building(graph);
  const Int plus = infinite_pattern(format, false);
  const Int minus = infinite_pattern(format, true);
  const ExactEvaluator evaluator(graph, {plus.id(), minus.id()});
  ExactEvaluator::Values values = evaluator.scratch();
  evaluator.evaluate({}, values);
  return {values[plus.id()], values[minus.id()]};
}

// Infinity; NaN if there is none; the largest number if there is neither.
TEST(SpecialPatterns, ThatStandForInfinity) {
  using Patterns = std::pair<Integer, Integer>;
  EXPECT_EQ(infinite_patterns(formats::f32), Patterns(0x7f800000, 0xff800000));
  EXPECT_EQ(infinite_patterns(formats::tf32), Patterns(0x7f800000, 0xff800000));
  EXPECT_EQ(infinite_patterns(formats::e5m2), Patterns(0x7c, 0xfc));
  EXPECT_EQ(infinite_patterns(formats::e4m3), Patterns(0x7f, 0xff));
  EXPECT_EQ(infinite_patterns(formats::e4m3fnuz), Patterns(0x80, 0x80));
  EXPECT_EQ(infinite_patterns(formats::ue4m3).first, 0x7f);
  EXPECT_EQ(infinite_patterns(formats::ue8m0).first, 0xff);
  EXPECT_EQ(infinite_patterns(formats::e3m2), Patterns(0x1f, 0x3f));
  EXPECT_EQ(infinite_patterns(formats::e2m3), Patterns(0x1f, 0x3f));
  EXPECT_EQ(infinite_patterns(formats::e2m1), Patterns(0x7, 0xf));
  for (const Format* f : all_formats()) {
    const Decoded x = decode(*f, infinite_patterns(*f).first);
    EXPECT_EQ(x.is_infinite, f->has_infinity()) << f->name;
    EXPECT_EQ(x.is_nan, !f->has_infinity() && f->has_nan()) << f->name;
  }
}

TEST(SignInserted, AtItsPosition) {
  for (const Format* f : all_formats()) {
    if (!f->has_sign) continue;
    Graph graph;
    const Graph::Building building(graph);
    const Int sign = input("s", 1);
    const Int magnitude = input("m", 3);
    const Int x = with_sign(*f, bit(sign, 0), magnitude);
    const ExactEvaluator evaluator(graph, {x.id()});
    ExactEvaluator::Values values = evaluator.scratch();
    evaluator.evaluate({1, 5}, values);
    EXPECT_EQ(values[x.id()], (Integer(1) << (f->storage_bits - 1)) + 5) << f->name;
    evaluator.evaluate({0, 5}, values);
    EXPECT_EQ(values[x.id()], 5) << f->name;
  }
}

}  // namespace
}  // namespace mmaspec::unpack_test
