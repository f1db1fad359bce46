#include "queries/studies/explain/space/candidate_names.h"

#include <algorithm>
#include <numeric>

#include "spec/formats/text.h"

namespace mmaspec::explain {
namespace {

int next_multiple(int k, int of) { return (k + of - 1) / of * of; }

/// Whether all parts but the last have as many products, and the last one no more.
bool equal_but_last(const std::vector<int>& lengths) {
  return std::all_of(lengths.begin(), lengths.end() - 1,
                     [&](int n) { return n == lengths.front(); }) &&
         lengths.back() <= lengths.front();
}

/// The parameters of plan:split-k that say how long its parts are.
std::string parameters_of_parts(const std::vector<int>& lengths, std::size_t k) {
  if (!equal_but_last(lengths)) return ",lengths=" + to_string(lengths);
  const int part = lengths.front();
  const bool is_whole =
      lengths.back() == part && lengths.size() * static_cast<std::size_t>(part) == k;
  return ",parts=" + std::to_string(lengths.size()) +
         (is_whole ? "" : ",part=" + std::to_string(part));
}

std::string parameters_of_finish(const Finish& f, const Candidate& candidate) {
  const bool atomic = f.reduce == Reduce::atomic;
  std::string text;
  if (f.reduce != Reduce::forward) text += ",reduce=" + to_string(f.reduce);
  if (f.fan != 2) text += ",fan=" + std::to_string(f.fan);
  if (atomic && f.order != 0) text += ",order=" + std::to_string(f.order);
  if (f.partial != nullptr) text += ",partial=" + to_string(f.partial);
  const bool unread = f.joins == Joins::none && !candidate.zeros_as_added;
  if (!atomic && (f.joins == Joins::first || unread)) text += ",c_joins=first";
  return text;
}

std::string f32_text(std::uint32_t pattern) { return to_hex_float(formats::f32, pattern); }

std::string parameters_of_rows(const RowFactors& rows) {
  return ",recipe=" + to_string(rows.recipe) + ",back=" + to_string(rows.back);
}

std::string parameters_of_scales(const PreparedUnit& unit) {
  if (unit.rows) return ", scaled row by row" + parameters_of_rows(*unit.rows);
  if (!unit.scales_operands()) return "";
  return ",saturate=yes,scale_a=" + f32_text(unit.scale_a) + ",scale_b=" + f32_text(unit.scale_b);
}

std::string promoted(const std::string& unit, int k, int every) {
  return "promote(" + unit + ",k=" + std::to_string(k) + ",every=" + std::to_string(every) + ")";
}

/// The products in the order in which the unit gets them, `run_k` in all, without the results of
/// operands and results; `inner`: the instruction, or a plan of one part.
std::string summed(const Space& space, const Candidate& candidate, const std::string& inner,
                   int inner_k, std::size_t run_k) {
  const Shape& shape = space.shape_of(candidate);
  const int every = space.every(shape);
  const bool rests = space.order().tile > 0;
  const std::string k = std::to_string(run_k);
  if (shape.ends.size() == 1) {
    if (rests || (every == 0 && static_cast<std::size_t>(inner_k) == run_k)) return inner;
    return every > 0 ? promoted(inner, static_cast<int>(run_k), every)
                     : "chain(" + inner + ",k=" + k + ")";
  }
  std::vector<int> lengths = space.lengths(shape);
  std::string part = inner;
  if (rests) std::fill(lengths.begin(), lengths.end(), inner_k);
  if (every > 0) {
    const bool has_rest = lengths.front() % every != 0;  // then all are equal
    part = promoted(inner, has_rest ? lengths.front() : every, every);
    if (!has_rest) lengths.back() = next_multiple(lengths.back(), every);
  }
  return "split-k(" + part + ",k=" + k + parameters_of_parts(lengths, run_k) +
         parameters_of_finish(space.finish_of(candidate), candidate) + ")";
}

/// Whether a unit of integers can neither wrap nor saturate, so that all such units agree.
bool sums_all_exactly(const Unit& unit, std::size_t k) {
  const DotFormats& f = unit.formats;
  if (unit.algorithm.as<IntegerDotAdd>() == nullptr) return false;
  const auto most = [](const Format& x) {
    return std::max(x.largest_integer(), Integer(-x.least_integer()));
  };
  return Integer(k) * most(*f.a) * most(*f.b) <= f.d->largest_integer();
}

/// The sum of a candidate's parts by `Tree`, whose values are those of blocks of products that the
/// unit adds without a rounding outside.
template <typename Tree>
typename Tree::Sum folded_sums(const Space& space, const Candidate& candidate) {
  using Sum = typename Tree::Sum;
  const Shape& shape = space.shape_of(candidate);
  const Finish& f = space.finish_of(candidate);
  // A promotion's register is a sum of its own. That it starts from +0, and that +0 is added to a
  // sum, matters to the sign of a zero alone, which the last such addition decides.
  const int every = space.every(shape);
  const bool atomic_c = f.reduce == Reduce::atomic && f.joins == Joins::first;
  const bool from_c = f.joins == Joins::first && !atomic_c;
  const Finish one_by_one{.out = f.out};
  const Sum c = Tree::c();
  std::vector<Sum> leaves;
  int first = 0;
  for (const int length : space.lengths(shape)) {
    const bool takes_c = from_c && first == 0;
    const int block = every == 0 ? length : every;
    std::vector<Sum> blocks;
    if (takes_c && every > 0) blocks.push_back(c);
    for (int at = first; at < first + length; at += block) {
      blocks.push_back(Tree::block(at, std::min(at + block, first + length), takes_c && every == 0,
                                   space.unit().unit->k));
    }
    const Sum sum =
        reduced(one_by_one, std::move(blocks), static_cast<const Sum*>(nullptr), Tree::add);
    leaves.push_back(f.partial == nullptr ? sum : Tree::rounded(*f.partial, sum));
    first += length;
  }
  return reduced(f, std::move(leaves), atomic_c ? &c : nullptr, Tree::add);
}

/// For folded_sums(): the sums as text.
struct TreeText {
  using Sum = std::string;
  static Sum c() { return "c"; }
  static Sum block(int first, int end, bool from_c, int /*step*/) {
    return (from_c ? "c" : "") + std::to_string(first) + ".." + std::to_string(end);
  }
  static Sum rounded(const Format& format, const Sum& sum) {
    return std::string(format.name) + "(" + sum + ")";
  }
  static Sum add(const Sum& x, const Sum& y) { return sum_text(x, y); }
};

/// For folded_sums(), of a unit that adds each step's sum to c with one rounding, as an addition
/// outside of the unit does: see adds_steps(). Sums from +0 that are added one by one are a chain.
struct TreeOfSteps {
  struct Sum {
    std::string text;                        ///< of a sum that is not a chain
    std::vector<std::pair<int, int>> chain;  ///< ranges of steps

    bool is_step() const { return chain.size() == 1 && chain[0].second == chain[0].first + 1; }
  };
  static Sum c() { return {"c", {}}; }
  static Sum block(int first, int end, bool from_c, int step) {
    // A chain from c may start from -0, to which the unit does not add a step's +0.
    if (from_c) return {TreeText::block(first, end, from_c, step), {}};
    return {{}, {{first / step, end / step}}};
  }
  static Sum rounded(const Format& format, const Sum& sum) {
    return {TreeText::rounded(format, text_of(sum)), {}};
  }
  static Sum add(const Sum& x, const Sum& y) {
    if (x.is_step() && y.is_step() && y.chain < x.chain) return add(y, x);
    if (x.is_step() && !y.is_step()) return add(y, x);
    if (x.chain.empty() || !y.is_step()) return {sum_text(text_of(x), text_of(y)), {}};
    Sum sum = x;
    const auto& step = y.chain[0];
    if (sum.chain.back().second == step.first) {
      sum.chain.back().second = step.second;
    } else {
      sum.chain.push_back(step);
    }
    return sum;
  }
  static std::string text_of(const Sum& sum) {
    if (sum.chain.empty()) return sum.text;
    std::string text = "steps";
    for (const auto& [first, end] : sum.chain) {
      text += " " + std::to_string(first) + ".." + std::to_string(end);
    }
    return text;
  }
};

/// Whether each product of numbers of two formats is a number of the third one.
bool holds_products(const Format& d, const Format& a, const Format& b) {
  const auto is_number = [](const Format& f) { return !f.is_integer() && f.has_zero; };
  const auto least = [](const Format& f) { return f.least_exponent() - f.fraction_bits; };
  return is_number(a) && is_number(b) && a.fraction_bits + b.fraction_bits + 1 <= d.fraction_bits &&
         least(a) + least(b) >= least(d) &&
         a.largest_exponent() + b.largest_exponent() + 1 <= d.largest_exponent();
}

/// Whether a step of the unit equals the sum of c and of the step from +0, rounded to nearest even,
/// for each c but -0.
bool adds_steps(const PreparedUnit& unit) {
  const DotFormats& f = unit.unit->formats;
  if (unit.unit->algorithm.as<SplitFp8>() != nullptr) return *f.d == formats::f32;
  const auto* fma = unit.unit->algorithm.as<SequentialFma>();
  if (fma == nullptr || f.k != 1) return false;
  const auto& [result, flush_inputs, reversed, chains] = *fma;
  const bool is_rounded_to_nearest =
      result.rounding == Rounding::nearest_even && result.underflow == Underflow::gradual &&
      result.overflow == Overflow::to_infinity && result.fraction_bits() == f.d->fraction_bits;
  // Then the product is exact, so that rounding it makes no difference.
  return is_rounded_to_nearest && !flush_inputs &&
         (holds_products(*f.d, *f.a, *f.b) ||
          (!unit.scales_operands() && holds_products(*f.d, *unit.a, *unit.b)));
}

}  // namespace

bool takes(const Space& space, const Candidate& candidate, std::size_t number) {
  const int k = space.unit().unit->names[number].second;
  const Shape& shape = space.shape_of(candidate);
  if (space.order().tile > 0) return k == space.unit().unit->k;
  if (static_cast<int>(space.whole_k()) % k != 0) return false;
  if (space.every(shape) % k != 0) return false;
  const std::vector<int> all = space.lengths(shape);
  return std::all_of(all.begin(), all.end(), [k](int length) { return length % k == 0; });
}

std::string plan_name(const Space& space, const Candidate& candidate, std::size_t number) {
  const PreparedUnit& unit = space.unit();
  const auto& [permute, tile, parts] = space.order();
  const Finish& f = space.finish_of(candidate);
  const auto& [instruction, instruction_k] = unit.unit->names[number];
  const std::string k = ",k=" + std::to_string(space.k());
  std::string text = instruction;
  int inner_k = instruction_k;
  if (tile > 0) {
    inner_k = static_cast<int>(space.k()) / parts;
    text = "rest-first(" + instruction + ",k=" + std::to_string(inner_k) +
           ",tile=" + std::to_string(tile) + ")";
  }
  text = summed(space, candidate, text, inner_k, permute ? space.whole_k() : space.k());
  if (permute) {
    const bool deals = permute->order == ProductOrder::interleaved;
    text = "permute(" + text + k + ",order=" + to_string(permute->order) +
           (deals ? ",ways=" + std::to_string(permute->ways) : "") +
           ",block=" + std::to_string(permute->block) +
           (permute->within > 0 ? ",within=" + std::to_string(permute->within) : "") +
           (permute->unroll > 0 ? ",unroll=" + std::to_string(permute->unroll) : "") + ")";
  }
  if (unit.rows) {
    text = "scale-rows(" + text + k + ",a=" + std::string(unit.a->name) +
           ",b=" + std::string(unit.b->name) + parameters_of_rows(*unit.rows) + ")";
  } else if (unit.converts()) {
    text = "convert(" + text + k + ",a=" + std::string(unit.a->name) +
           ",b=" + std::string(unit.b->name) + ",round=" + to_string(unit.round) +
           parameters_of_scales(unit) + ")";
  }
  const bool is_converted = !(*f.out == *unit.unit->formats.d);
  const bool c_after_chain = f.joins == Joins::last && space.shape_of(candidate).ends.size() == 1;
  for (std::size_t i = 0; i + 1 < unit.factors.size(); ++i) {
    text = "epilogue(" + text + k + ",alpha=" + f32_text(unit.factors[i]) + ",beta=0)";
  }
  if (is_converted || c_after_chain || (unit.scales_result() && !unit.rows)) {
    text = "epilogue(" + text + k;
    if (!unit.factors.empty()) text += ",alpha=" + f32_text(unit.factors.back());
    if (f.joins == Joins::none) text += ",beta=0";
    if (f.joins == Joins::last && unit.beta != kUnscaled) text += ",beta=" + f32_text(unit.beta);
    if (f.joins == Joins::after) text += ",bias=after";
    if (is_converted) text += ",out=" + std::string(f.out->name);
    if (!f.fma) text += ",fma=no";
    if (f.saturate) text += ",saturate=yes";
    text += ")";
  }
  return text == instruction ? text : "plan:" + text;
}

std::string sum_tree(const Space& space, const Candidate& candidate) {
  return folded_sums<TreeText>(space, candidate);
}

PlanParts plan_parts(const Space& space, const Candidate& candidate, std::size_t number) {
  const PreparedUnit& unit = space.unit();
  const ProductsOrder& order = space.order();
  const Finish& f = space.finish_of(candidate);
  PlanParts parts;
  parts.instruction = unit.unit->names[number].first;
  parts.operands = std::string(unit.a->name) + " and " + std::string(unit.b->name);
  if (unit.converts()) {
    parts.operands += " to " + std::string(unit.unit->formats.a->name) + ", " +
                      to_string(unit.round) + parameters_of_scales(unit);
  }
  parts.products = "ascending";
  if (order.permute) {
    parts.products =
        to_string(order.permute->order) + ", blocks of " + std::to_string(order.permute->block);
    if (order.permute->order == ProductOrder::interleaved) {
      parts.products += " to " + std::to_string(order.permute->ways) + " ways";
    }
    if (order.permute->within > 0)
      parts.products += " within " + std::to_string(order.permute->within);
    if (order.permute->unroll > 0)
      parts.products += ", unrolled by " + std::to_string(order.permute->unroll);
  }
  if (order.tile > 0) parts.products = "the rest of " + std::to_string(order.tile) + " first";
  parts.sums = sum_tree(space, candidate);
  parts.result = std::string(f.out->name);
  if (f.joins == Joins::last) parts.result += ", C added to the sum";
  if (f.joins == Joins::after) parts.result += ", C added to the stored result";
  for (const std::uint32_t factor : unit.factors) parts.result += ", times " + f32_text(factor);
  if (!f.fma) parts.result += ", rounded before C is added";
  if (f.saturate) parts.result += ", saturated";
  return parts;
}

std::string class_key(const Space& space, const Candidate& candidate) {
  const Shape& shape = space.shape_of(candidate);
  const PreparedUnit& unit = space.unit();
  const ProductsOrder& order = space.order();
  const Finish& f = space.finish_of(candidate);
  if (f.joins == Joins::none && sums_all_exactly(*unit.unit, space.k())) {
    return "exact sum of " + std::string(unit.a->name) + " and " + std::string(unit.b->name);
  }
  const bool has_steps = adds_steps(unit);
  std::string text = has_steps ? TreeOfSteps::text_of(folded_sums<TreeOfSteps>(space, candidate))
                               : sum_tree(space, candidate);
  text += " out " + std::string(f.out->name);
  text += f.joins == Joins::last ? " +c" : f.joins == Joins::after ? " after" : "";
  const bool adds_zero = shape.ends.size() > 1 ? candidate.zeros_as_added : shape.every > 0;
  // Sums of steps from +0 are never -0, unless they are rounded to a narrower format.
  const bool never_minus_zero = has_steps && f.partial == nullptr;
  if (f.joins == Joins::none && adds_zero && !never_minus_zero) text += " +0";
  text += " unit " + std::to_string(reinterpret_cast<std::uintptr_t>(unit.unit.get()));
  text += " from " + std::string(unit.a->name) + std::string(unit.b->name);
  if (unit.converts()) text += to_string(unit.round) + parameters_of_scales(unit);
  for (const std::uint32_t factor : unit.factors) text += " times " + f32_text(factor);
  if (!f.fma) text += " rounded";
  if (f.saturate) text += " saturated";
  if (order.permute) {
    text += " order " + to_string(order.permute->order) + std::to_string(order.permute->ways) +
            "/" + std::to_string(order.permute->block) + "/" +
            std::to_string(order.permute->within) + "/" + std::to_string(order.permute->unroll);
  }
  if (order.tile > 0) {
    const int part = static_cast<int>(space.k()) / order.parts;
    text += " rest " + std::to_string(part % order.tile) + " of " + std::to_string(part);
  }
  return text;
}

int complexity(const Space& space, const Candidate& candidate) {
  const Shape& shape = space.shape_of(candidate);
  const Finish& f = space.finish_of(candidate);
  const std::vector<int> all = space.lengths(shape);
  const bool even = std::all_of(all.begin(), all.end(), [&](int n) { return n == all.front(); });
  int cost = all.size() == 1 ? 0 : even ? 10 : equal_but_last(all) ? 12 : 40;
  // Promotions are usual of 8-bit operands, every few hundred products.
  if (shape.every > 0) {
    const bool often = space.every(shape) <= 512;
    cost += space.unit().unit->formats.a->storage_bits == 8 && often ? 5 : 15;
  }
  if (space.order().permute) cost += 30;
  if (space.order().tile > 0) cost += 8;
  cost += f.reduce == Reduce::forward ? 0 : f.reduce == Reduce::atomic ? 8 : 4;
  if (f.partial != nullptr) cost += 6;
  if (f.saturate) cost += 1;
  if (space.unit().scales_operands()) {
    cost += 20 + 2 * static_cast<int>(space.unit().factors.size());
    if (const auto& rows = space.unit().rows) cost += rows->back == ScaleBack::product ? 4 : 6;
  }
  if (space.unit().converts()) cost += *space.unit().unit->formats.a == formats::tf32 ? 2 : 4;
  // Lengths that kernels have are multiples of large powers of two.
  int common = 0;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) common = std::gcd(common, all[i]);
  if (shape.every > 0) common = std::gcd(common, space.every(shape));
  while (common > 0 && common % 2 == 0 && common <= 128) {
    --cost;
    common /= 2;
  }
  return cost;
}

}  // namespace mmaspec::explain
