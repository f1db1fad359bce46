#include "tests/fuzz/question.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tests/fuzz/draw/draw_design.h"
#include "tests/fuzz/report.h"

namespace mmaspec::fuzz {
namespace {

using reference::Design;
using reference::Rational;

const std::vector<std::string> kProperties{"commutative",
                                           "permutation-invariant",
                                           "permutation-invariant",
                                           "negation-symmetric",
                                           "scale-invariant",
                                           "scale-invariant",
                                           "monotone-c",
                                           "monotone-c",
                                           "monotone-c",
                                           "monotone-product",
                                           "monotone-product",
                                           "accumulator-preserved",
                                           "exact-when-representable",
                                           "faithful",
                                           "correctly-rounded",
                                           "error-bound",
                                           "error-bound",
                                           "error-bound",
                                           "no-early-overflow",
                                           "no-early-overflow",
                                           "no-spurious-nan",
                                           "subnormal-inputs",
                                           "subnormal-results",
                                           "carry-bits",
                                           "single-normalization",
                                           "single-normalization",
                                           "equivalent",
                                           "refines"};

Size drawn_size(bool quick, Random& random) {
  if (quick || random.coin()) return Size::tiny;
  return random.coin() ? Size::small : Size::real;
}

std::vector<Condition> drawn_conditions(const Design& formats, bool infinities, Random& random) {
  std::vector<Condition> all;
  const int count = random.one_in(3) ? random.between(1, 2) : 0;
  for (int i = 0; i < count; ++i) {
    all.push_back(Condition::draw(formats, formats.k, infinities, random));
  }
  return all;
}

/// A number of ulp or a bound as decimal text, and its value.
std::pair<std::string, Rational> drawn_bound(Random& random) {
  switch (random.below(4)) {
    case 0:
      return {"0.5", Rational(1, 2)};
    case 1: {
      const int n = random.between(1, 40);
      return {std::to_string(n), Rational(n)};
    }
    case 2: {
      const int e = random.between(-8, 30);
      return {fmt::format("0x1p{:+d}", e), reference::two_to(e)};
    }
    default: {
      const int n = random.between(1, 15);
      return {fmt::format("{}.{}", n / 4, n % 4 * 25), Rational(n, 4)};
    }
  }
}

Question draw_proof(bool quick, Random& random) {
  Question q;
  Property& p = q.property;
  p.name = random.of(kProperties);
  const std::string text = draw_design(drawn_size(quick, random), random);
  p.first.design = reference::read_design(text);
  p.first.k = p.first.design.k;
  q.arguments = {"prove", p.name, text};
  if (p.name == "equivalent" || p.name == "refines") {
    const std::string other =
        random.one_in(4) ? other_algorithm(text, random) : changed_design(text, random);
    p.second = Subject{reference::read_design(other), p.first.k};
    q.arguments.push_back(other);
  } else if (p.name == "single-normalization") {
    p.second = in_one_piece(p.first);
  } else if (p.name == "permutation-invariant" && random.one_in(3)) {
    p.within = random.between(1, p.first.k);
    q.arguments.insert(q.arguments.end(), {"--within", std::to_string(p.within)});
  } else if (p.name == "carry-bits" || p.name == "error-bound") {
    if (random.coin()) {
      q.kind = Question::Kind::tightest;
    } else if (p.name == "carry-bits") {
      const int bits = random.between(0, 6);
      p.bound = Rational(bits);
      q.arguments.insert(q.arguments.end(), {"--bound", std::to_string(bits)});
    } else {
      const auto [bound, value] = drawn_bound(random);
      p.bound = value;
      q.arguments.insert(q.arguments.end(), {"--bound", bound});
    }
  }
  p.formats = p.first.formats();
  p.where = drawn_conditions(p.formats, p.inputs() == Inputs::any, random);
  q.inputs = p.inputs();
  return q;
}

Question draw_diff(bool quick, Random& random) {
  Question q;
  q.kind = random.one_in(6) ? Question::Kind::maximize : Question::Kind::diff;
  Property& p = q.property;
  const std::string first = draw_design(drawn_size(quick, random), random);
  std::string second = first;
  switch (random.below(6)) {
    case 0:
      second = other_algorithm(first, random);
      break;
    case 1:
      second = of_other_formats(first, random);
      break;
    case 2:
      second = of_other_length(first, random);
      break;
    default:
      break;
  }
  if (second == first || random.coin()) second = changed_design(second, random);
  std::string one = first;
  std::string two = second;
  if (random.coin()) std::swap(one, two);
  p.first.design = reference::read_design(one);
  p.second = Subject{reference::read_design(two), 0};
  q.arguments = {"diff", one, two};
  const int k1 = p.first.design.k;
  const int k2 = p.second->design.k;
  int k = std::max(k1, k2);
  if (random.one_in(8)) {
    k = std::lcm(k1, k2) * random.between(1, 2);
    q.arguments.insert(q.arguments.end(), {"--chain", std::to_string(k)});
  } else if (random.coin()) {
    k = std::min(k1, k2);
    q.arguments.emplace_back("--pad");
  }
  p.first.k = p.second->k = k;
  p.formats = p.first.formats();
  static const std::vector<std::pair<std::string, Inputs>> classes{
      {"normal", Inputs::normal}, {"any", Inputs::any}, {"finite", Inputs::finite}};
  if (random.coin()) {
    const auto& [word, inputs] = random.of(classes);
    q.inputs = inputs;
    q.arguments.insert(q.arguments.end(), {"--inputs", word});
  }
  if (random.one_in(8)) {
    q.match_bits = true;
    q.arguments.insert(q.arguments.end(), {"--match", "bits"});
  }
  if (q.kind != Question::Kind::maximize && random.one_in(6)) {
    q.difference.signed_zero = true;
    q.arguments.emplace_back("--signed-zero");
  }
  if (q.kind == Question::Kind::maximize) {
    q.of_ulp = random.coin();
    q.arguments.insert(q.arguments.end(), {"--maximize", q.of_ulp ? "ulp" : "abs"});
  } else {
    if (random.one_in(3)) {
      const int ulp = random.one_in(3) ? random.between(0, 300) : random.between(0, 4);
      q.difference.ulp = ulp;
      q.arguments.insert(q.arguments.end(), {"--ulp", std::to_string(ulp)});
    }
    if (random.one_in(5)) {
      const auto [text, value] = drawn_bound(random);
      q.difference.absolute = value;
      q.arguments.insert(q.arguments.end(), {"--abs", text});
    }
    if (random.one_in(5)) {
      const auto [text, value] = drawn_bound(random);
      q.difference.relative = value;
      q.arguments.insert(q.arguments.end(), {"--rel", text});
    }
  }
  p.where = drawn_conditions(p.formats, q.inputs == Inputs::any, random);
  return q;
}

}  // namespace

std::vector<std::string> Question::conditions() const {
  std::vector<std::string> all;
  for (const Condition& c : property.where) all.push_back(c.text());
  if (!all.empty()) all.insert(all.begin(), "--where");
  return all;
}

std::string Question::command(const std::vector<std::string>& options) const {
  std::string text = "mmaspec";
  for (const std::string& a : arguments) text += " " + quoted(a);
  for (const std::string& a : options) text += " " + quoted(a);
  for (const std::string& a : conditions()) text += " " + quoted(a);
  return text;
}

Question draw_question(bool quick, Random& random) {
  return random.one_in(3) ? draw_diff(quick, random) : draw_proof(quick, random);
}

}  // namespace mmaspec::fuzz
