#include "spec/catalog/plan.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "spec/algorithms/chain_step.h"
#include "spec/plans/kernel_schemes.h"
#include "spec/plans/multiword.h"
#include "spec/plans/operand_schemes.h"
#include "spec/plans/ozaki.h"
#include "spec/plans/ozaki2.h"
#include "spec/plans/row_scales.h"
#include "spec/plans/sum_tree.h"

namespace mmaspec {
namespace {

constexpr int kLongest = 1 << 20;  // number of products of a plan

/// A scheme that `plan:` accepts.
struct PlanEntry {
  std::string name;
  std::string reference;
  std::pair<DotFormats, Algorithm> (*read)(ParameterReader&, const Inner&, int k);
  std::vector<ParameterHelp> (*help)(const DotFormats&);
  bool takes_integers = false;     ///< the inner unit may have integer formats
  bool takes_fixed_point = false;  ///< the inner unit may accumulate in fixed point
};

/// The design with K = k for one with `whole.k` products: the others are +0 * +0.
std::pair<DotFormats, Algorithm> with_zeros(Algorithm algorithm, const DotFormats& whole, int k) {
  if (k == whole.k) return {whole, std::move(algorithm)};
  if (whole.scale != nullptr) {
    throw std::invalid_argument("k=" + std::to_string(k) +
                                ": with scale factors, k must be a multiple, such as " +
                                std::to_string(whole.k));
  }
  DotFormats formats = whole;
  formats.k = k;
  return {formats, Padded{std::make_shared<const Algorithm>(std::move(algorithm)), whole}};
}

int next_multiple(int k, int of) { return (k + of - 1) / of * of; }

/// The K with which the scheme runs for K = k: at least k; the rest is +0 * +0.
template <typename S>
int whole_k(S&, const Inner& inner, int k) {
  return next_multiple(k, inner.formats.k);
}
/// A promotion reads the accumulator after `every` products, including zeros.
int whole_k(Promote& scheme, const Inner&, int k) {
  return scheme.every > 0 ? next_multiple(k, scheme.every) : k;
}
int whole_k(RestFirst&, const Inner&, int k) { return k; }
int whole_k(Permute& scheme, const Inner& inner, int k) {
  const auto multiple =
      std::lcm(std::int64_t{inner.formats.k}, std::int64_t{permuted_multiple(scheme)});
  if (multiple > kLongest) {
    throw std::invalid_argument("plan:permute: a permutation of whole multiples of " + inner.name +
                                " has " + std::to_string(multiple) + " products, " +
                                std::to_string(kLongest) + " at most");
  }
  return next_multiple(k, static_cast<int>(multiple));
}
/// CUTLASS's division of K: parts that are not equal multiples become the least sufficient
/// multiples, and the last part has the rest.
int whole_k(SplitK& scheme, const Inner& inner, int k) {
  const int own = inner.formats.k;
  if (!scheme.lengths.empty()) return next_multiple(k, own);
  const bool is_even = k % scheme.parts == 0 && k / scheme.parts % own == 0;
  if (scheme.part == 0 && !is_even) {
    scheme.part = next_multiple((k + scheme.parts - 1) / scheme.parts, own);
  }
  return next_multiple(k, own);
}

template <typename S>
PlanEntry entry(bool takes_integers = false) {
  return {std::string(S::kName), std::string(S::kReference),
          [](ParameterReader& reader, const Inner& inner, int k) {
            DotFormats longer = inner.formats;
            longer.k = k;
            S scheme = read_design<S>(reader, longer);
            const DotFormats formats = formats_around(scheme, inner, whole_k(scheme, inner, k));
            return with_zeros(Composed{std::make_shared<Scheme<S>>(scheme, inner, formats)},
                              formats, k);
          },
          parameter_help<S>, takes_integers};
}

/// The inner instruction repeated: a chain, which analytical proofs know.
PlanEntry chain_entry() {
  return {"chain",
          "-",
          [](ParameterReader&, const Inner& inner, int k) {
            if (!(*inner.formats.c == *inner.formats.d)) {
              throw std::invalid_argument(inner.name + " cannot be chained: its result is " +
                                          std::string(inner.formats.d->name) + " and its c " +
                                          std::string(inner.formats.c->name));
            }
            DotFormats formats = inner.formats;
            formats.k = next_multiple(k, inner.formats.k);
            return with_zeros(
                Chained{std::make_shared<const Algorithm>(inner.algorithm), inner.formats}, formats,
                k);
          },
          [](const DotFormats&) { return std::vector<ParameterHelp>(); },
          true,
          true};
}

const std::vector<PlanEntry>& plan_table() {
  static const std::vector<PlanEntry> all{
      chain_entry(),       entry<SplitK>(),    entry<Promote>(),  entry<Epilogue>(),
      entry<Convert>(),    entry<RowScales>(), entry<Permute>(),  entry<RestFirst>(),
      entry<SumTree>(),    entry<Multiword>(), entry<Markidis>(), entry<Ootomo>(),
      entry<Tf32x3>(),     entry<Bf16x3>(),    entry<Bf16x6>(),   entry<Bf16x9>(),
      entry<Ozaki1>(true), entry<Ozaki2>(true)};
  return all;
}

bool is_scheme(std::string_view name) {
  return std::any_of(plan_table().begin(), plan_table().end(),
                     [&](const PlanEntry& e) { return e.name == name; });
}

const PlanEntry& find_scheme(std::string_view name) {
  for (const PlanEntry& e : plan_table()) {
    if (e.name == name) return e;
  }
  std::string all;
  for (const std::string& n : plan_schemes()) all += (all.empty() ? "" : ", ") + n;
  const std::string near = nearest(std::string(name), plan_schemes());
  throw std::invalid_argument("plan: unknown scheme '" + std::string(name.substr(0, 60)) + "'" +
                              (near.empty() ? "" : "; did you mean '" + near + "'?") +
                              " (schemes: " + all + ")");
}

/// The position of the first comma outside of parentheses, or the end.
std::size_t first_comma(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth < 0) break;
    if (text[i] == ',' && depth == 0) return i;
  }
  return text.size();
}

/// An instruction, or another plan without the prefix `plan:`.
Instruction find_instruction_or_plan(std::string_view text) {
  return is_scheme(text.substr(0, text.find('('))) ? find_plan(text) : find_instruction(text);
}

/// The text between the parentheses.
std::string_view inside_of(std::string_view text, const std::string& scheme) {
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(')')) {
    throw std::invalid_argument("plan:" + scheme +
                                ": expected (INSTRUCTION,key=value,...) after the name");
  }
  return text.substr(open + 1, text.size() - open - 2);
}

Inner find_inner(std::string_view text) {
  const Instruction inner = find_instruction_or_plan(text);
  const auto* split = scheme_of<SplitK>(*unpadded(inner.algorithm, inner.formats).algorithm);
  if (split != nullptr && split->scheme().reduce == Reduce::atomic_any) {
    throw std::invalid_argument(
        "reduce=atomic-any has many results, so it cannot be inside another plan");
  }
  // The name of a user's algorithm does not determine what it computes; its design does.
  const bool is_own = inner.algorithm.as<Custom>() != nullptr;
  return {is_own ? inner.architecture + "/" + inner.algorithm.name() : std::string(text),
          inner.formats, inner.algorithm};
}

}  // namespace

std::vector<std::string> plan_schemes() {
  std::vector<std::string> all;
  for (const PlanEntry& e : plan_table()) all.push_back(e.name);
  return all;
}

Instruction find_plan(std::string_view text) {
  const PlanEntry& scheme = find_scheme(text.substr(0, text.find('(')));
  const std::string_view inside = inside_of(text, scheme.name);
  const std::size_t comma = first_comma(inside);
  const Inner inner = find_inner(inside.substr(0, comma));
  try {
    if (are_integers(inner.formats) && !scheme.takes_integers) {
      throw std::invalid_argument(
          "this scheme does not support integer instructions; chain, ozaki1 and ozaki2 do");
    }
    if (accumulate_in_fixed_point(inner.formats) && !scheme.takes_fixed_point) {
      throw std::invalid_argument(
          "this scheme does not support accumulators in fixed point; chain does");
    }
    ParameterReader reader(parse_pairs(inside.substr(std::min(comma + 1, inside.size()))));
    try {
      const int k = reader.integer("k", 1, kLongest, inner.formats.k);
      auto [formats, algorithm] = scheme.read(reader, inner, k);
      reader.require_all_read();
      return {"plan", std::string(text), "", formats, std::move(algorithm), {}, false};
    } catch (const std::invalid_argument&) {
      reader.explain_missing();
      throw;
    }
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("plan:" + scheme.name + ": " + error.what());
  }
}

Instruction inner_of_plan(std::string_view text) {
  const PlanEntry& scheme = find_scheme(text.substr(0, text.find('(')));
  const std::string_view inside = inside_of(text, scheme.name);
  return find_instruction_or_plan(inside.substr(0, first_comma(inside)));
}

std::optional<OpenAlgorithmHelp> scheme_help(const std::string& name) {
  if (!is_scheme(name)) return std::nullopt;
  const PlanEntry& e = find_scheme(name);
  std::vector<ParameterHelp> parameters{
      {"k", "1 to " + std::to_string(kLongest), "the inner one's k",
       "products; if the scheme's block length does not divide k, missing products are +0 * +0"}};
  const DotFormats example{&formats::bf16, &formats::bf16, &formats::f32, &formats::f32, 4096};
  for (ParameterHelp& help : e.help(example)) parameters.push_back(std::move(help));
  return OpenAlgorithmHelp{e.name, e.reference, std::move(parameters)};
}

}  // namespace mmaspec
