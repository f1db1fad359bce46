#include "concrete/dot/lane_runner.h"

#include <algorithm>
#include <stdexcept>

#include "spec/algorithms/chain_step.h"
#include "spec/plans/kernel_schemes.h"
#include "spec/plans/operand_schemes.h"
#include "spec/plans/row_scales.h"

namespace mmaspec {
namespace {

std::size_t rows_of(const DotFormats& f) {
  return static_cast<std::size_t>(2 * f.k + 1 + 2 * f.scales());
}

/// Prefetches the rows that come next: each is on another page, and the hardware prefetcher does
/// not continue from one row to the next. It prefetches whole rows, because single cache lines
/// would arrive too late.
void prefetch(const std::vector<const std::uint64_t*>& rows, std::size_t lanes) {
  constexpr std::size_t kLine = 64 / sizeof(std::uint64_t);
  for (const std::uint64_t* row : rows) {
    for (std::size_t lane = 0; lane < lanes; lane += kLine) __builtin_prefetch(row + lane, 0, 2);
  }
}

/// A program that combines `count` sums of parts and c, all patterns, in a separate graph.
template <typename Build>
BatchEvaluator combination(int count, const Format& sum, const Format& c, const Build& build) {
  Graph graph;
  const Graph::Building building(graph);
  std::vector<Int> sums;
  for (int i = 0; i < count; ++i) {
    sums.push_back(
        input("sum[" + std::to_string(i) + "]", static_cast<unsigned>(sum.storage_bits)));
  }
  const Int whole = input("c", static_cast<unsigned>(c.storage_bits));
  return BatchEvaluator(graph, {build(std::move(sums), whole).id()});
}

/// A program that converts one operand.
BatchEvaluator conversion(const Convert& scheme, const Format& from, const Format& to,
                          const Integer& scale) {
  Graph graph;
  const Graph::Building building(graph);
  const Int x = input("x", static_cast<unsigned>(from.storage_bits));
  return BatchEvaluator(graph, {converted_operand(scheme, from, x, to, scale).id()});
}

/// A plan of operands that are split into words, and what it is made of.
struct PlanOfWords {
  const Words* scheme = nullptr;
  const Inner* inner = nullptr;
};

template <typename... Schemes>
PlanOfWords find_plan_of_words(const Algorithm& algorithm) {
  PlanOfWords found;
  const auto consider = [&](const auto* plan) {
    if (plan != nullptr) found = {&plan->scheme(), &plan->inner()};
  };
  (consider(scheme_of<Schemes>(algorithm)), ...);
  return found;
}

/// A program over patterns of these formats.
template <typename Build>
BatchEvaluator program_of(const std::vector<const Format*>& formats, const Build& build) {
  Graph graph;
  const Graph::Building building(graph);
  std::vector<Int> inputs;
  for (const Format* f : formats) {
    inputs.push_back(
        input("x[" + std::to_string(inputs.size()) + "]", static_cast<unsigned>(f->storage_bits)));
  }
  std::vector<NodeId> outputs;
  for (const Int& x : build(inputs)) outputs.push_back(x.id());
  return BatchEvaluator(graph, outputs);
}

}  // namespace

LaneRunner::LaneRunner(const Algorithm& algorithm, const DotFormats& formats, aligned::Isa isa)
    : formats_(formats), aligned_(aligned::make_lanes_runner(algorithm, formats, isa)) {
  if (aligned_ && aligned_->gains()) return;
  aligned_.reset();
  if (const auto* padded = algorithm.as<Padded>()) {
    whole_ = std::make_unique<LaneRunner>(*padded->whole, padded->whole_formats, isa);
    return;
  }
  // A part keeps its scale factors; other schemes' inner ones have none.
  const bool has_parts = scheme_of<SplitK>(algorithm) || scheme_of<Epilogue>(algorithm);
  if (formats.scale == nullptr || has_parts) compile(algorithm, formats, isa);
  if (combine_ || inner_) return;
  part_k_ = chain_step(algorithm, formats);
  const auto program = [&](const DotFormats& part) {
    const DotModel model(algorithm, part);
    return BatchEvaluator(model.graph(), {model.result()});
  };
  step_.emplace(program(part_of(formats, part_k_)));
  if (part_k_ == formats.k || *formats.c == *formats.d) return;
  next_.emplace(program(continuing_part_of(formats, part_k_)));
}

/// Compiles plans whose parts can be evaluated separately.
void LaneRunner::compile(const Algorithm& algorithm, const DotFormats& formats, aligned::Isa isa) {
  const auto chain_of = [isa](const Inner& inner, int k) {
    if (k == inner.formats.k) {
      return std::make_unique<LaneRunner>(inner.algorithm, inner.formats, isa);
    }
    DotFormats longer = inner.formats;
    longer.k = k;
    return std::make_unique<LaneRunner>(
        Chained{std::make_shared<const Algorithm>(inner.algorithm), inner.formats}, longer, isa);
  };
  if (const auto* split = scheme_of<SplitK>(algorithm)) {
    const SplitK& scheme = split->scheme();
    const Format& d = *formats.d;
    combine_.emplace(combination(scheme.parts, d, d, [&](std::vector<Int> sums, Int c) {
      return combine(scheme, d, std::move(sums), c);
    }));
    lengths_ = lengths_of_parts(scheme, formats.k);
    first_takes_c_ = scheme.accumulator == WholeAccumulator::first;
    for (const int k : lengths_) {
      if (!parts_.contains(k)) parts_.emplace(k, chain_of(split->inner(), k));
    }
  } else if (const auto* epilogue = scheme_of<Epilogue>(algorithm)) {
    const Epilogue& scheme = epilogue->scheme();
    combine_.emplace(combination(1, formats::f32, *formats.c, [&](std::vector<Int> sums, Int c) {
      return finish(scheme, sums.at(0), c);
    }));
    lengths_ = {formats.k};
    parts_.emplace(formats.k, chain_of(epilogue->inner(), formats.k));
  } else if (const auto* permute = scheme_of<Permute>(algorithm)) {
    products_ = permuted_products(permute->scheme(), formats.k);
    inner_ = chain_of(permute->inner(), formats.k);
  } else if (const auto* rest = scheme_of<RestFirst>(algorithm)) {
    products_ = rest_first_products(rest->scheme(), formats.k, rest->inner().formats.k);
    inner_ = chain_of(rest->inner(), static_cast<int>(products_.size()));
  } else if (const auto* convert = scheme_of<Convert>(algorithm)) {
    const DotFormats& inner = convert->inner().formats;
    convert_a_ = conversion(convert->scheme(), *formats.a, *inner.a, convert->scheme().scale_a);
    convert_b_ = conversion(convert->scheme(), *formats.b, *inner.b, convert->scheme().scale_b);
    inner_ = chain_of(convert->inner(), formats.k);
  } else if (const auto* scaled = scheme_of<RowScales>(algorithm)) {
    const RowScales& scheme = scaled->scheme();
    const Format& f32 = formats::f32;
    const auto of_row = [&](const Format& from, const Format& to) {
      return RowPrograms::OfRow{
          program_of(
              {&from},
              [&](const std::vector<Int>& x) { return std::vector{magnitude_as_f32(from, x[0])}; }),
          program_of({&f32},
                     [&](const std::vector<Int>& x) {
                       const Int magnitude = bits(x[0], 0, 31);
                       const auto [factor, inverse] = row_scale(scheme.recipe, magnitude, to);
                       return std::vector{factor, inverse};
                     }),
          program_of({&from, &f32}, [&](const std::vector<Int>& x) {
            return std::vector{scaled_operand(from, x[0], x[1], to)};
          })};
    };
    const DotFormats& inner = scaled->inner().formats;
    rows_.emplace(RowPrograms{of_row(*formats.a, *inner.a), of_row(*formats.b, *inner.b),
                              program_of({&f32, &f32, &f32}, [&](const std::vector<Int>& x) {
                                return std::vector{scaled_back(scheme.back, x[0], x[1], x[2])};
                              })});
    inner_ = chain_of(scaled->inner(), formats.k);
  } else if (const auto words =
                 find_plan_of_words<Multiword, Markidis, Ootomo, Tf32x3, Bf16x3, Bf16x6, Bf16x9>(
                     algorithm);
             words.scheme != nullptr && words.scheme->theta == 0) {
    const Words* scheme = words.scheme;  // Clang 14 cannot capture structured bindings
    const Inner* inner = words.inner;
    const std::vector<WordSum> sums = sums_of_words(*scheme);
    for (const WordSum& sum : sums) {
      const int k = formats.k * static_cast<int>(sum.pairs.size());
      const Promote promote{.every = inner->formats.k};
      const DotFormats longer = formats_around(promote, *inner, k);
      sums_of_words_.push_back({sum, sum.outside ? std::make_unique<LaneRunner>(
                                                       Composed{std::make_shared<Scheme<Promote>>(
                                                           promote, *inner, longer)},
                                                       longer, isa)
                                                 : chain_of(*inner, k)});
    }
    const Format& d = *formats.d;
    combine_.emplace(
        combination(static_cast<int>(sums.size()), d, d, [&](const std::vector<Int>& values, Int) {
          Int all = values[0];
          for (std::size_t i = 1; i < sums.size(); ++i) {
            all = with_lower_sums(*scheme, d, sums[i], values[i], sums[i - 1], all);
          }
          return all;
        }));
    split_.emplace(program_of({&formats::f32}, [&](const std::vector<Int>& x) {
      return words_of(*scheme, *inner->formats.a, x[0]);
    }));
    words_ = static_cast<std::size_t>(scheme->words);
    step_k_ = static_cast<std::size_t>(inner->formats.k);
  }
}

/// The words of all operands, the chains of their products, and the sum of these.
void LaneRunner::run_words(const Rows& rows, std::size_t lanes, std::uint64_t* d) {
  const auto k = static_cast<std::size_t>(formats_.k);
  Lanes words(words_ * 2 * k, lanes);  // the first words of all operands, the second ones, ...
  for (std::size_t i = 0; i < 2 * k; ++i) {
    std::vector<std::uint64_t*> of_operand;
    for (std::size_t word = 0; word < words_; ++word) {
      of_operand.push_back(words[word * 2 * k + i]);
    }
    split_->evaluate({rows[i]}, lanes, of_operand, scratch_);
  }
  const std::vector<std::uint64_t> zeros(lanes, 0);
  Lanes sums(sums_of_words_.size(), lanes);
  Rows all;
  for (std::size_t i = 0; i < sums_of_words_.size(); ++i) {
    const WordSum& sum = sums_of_words_[i].sum;
    Rows operands;
    for (const bool of_b : {false, true}) {
      for (std::size_t first = 0; first < k; first += step_k_) {
        for (const WordPair& pair : sum.pairs) {
          const auto word = static_cast<std::size_t>(of_b ? pair.j : pair.i);
          const std::size_t at = word * 2 * k + (of_b ? k : 0) + first;
          for (std::size_t j = 0; j < step_k_; ++j) operands.push_back(words[at + j]);
        }
      }
    }
    operands.push_back(sum.takes_c ? rows[2 * k] : zeros.data());
    sums_of_words_[i].runner->run(operands, lanes, sums[i]);
    all.push_back(sums[i]);
  }
  all.push_back(rows[2 * k]);
  combine_->evaluate(all, lanes, {d}, scratch_);
}

/// Evaluates each part separately, and combines the parts' sums and c.
void LaneRunner::run_parts(const Rows& rows, std::size_t lanes, std::uint64_t* d) {
  const auto whole = static_cast<std::ptrdiff_t>(formats_.k);
  const std::uint64_t* c = rows[static_cast<std::size_t>(2 * whole)];
  const std::vector<std::uint64_t> zeros(lanes, 0);
  Lanes sums(lengths_.size(), lanes);
  Rows all;
  std::ptrdiff_t first = 0;
  for (std::size_t i = 0; i < sums.rows(); ++i) {
    const std::ptrdiff_t length = lengths_[i];
    Rows part(rows.begin() + first, rows.begin() + first + length);
    part.insert(part.end(), rows.begin() + whole + first, rows.begin() + whole + first + length);
    part.push_back(first_takes_c_ && i == 0 ? c : zeros.data());
    if (formats_.scale != nullptr) {
      const auto before = 2 * whole + 1 + first / formats_.scale_block;
      const auto scales = length / formats_.scale_block;
      for (const auto at : {before, before + formats_.scales()}) {
        part.insert(part.end(), rows.begin() + at, rows.begin() + at + scales);
      }
    }
    parts_.at(lengths_[i])->run(part, lanes, sums[i]);
    all.push_back(sums[i]);
    first += length;
  }
  all.push_back(c);
  combine_->evaluate(all, lanes, {d}, scratch_);
}

/// Evaluates the inner design with the same rows in its order or its formats.
void LaneRunner::run_inner_of_operands(const Rows& rows, std::size_t lanes, std::uint64_t* d) {
  const auto k = static_cast<std::size_t>(formats_.k);
  if (!products_.empty()) {
    const std::vector<std::uint64_t> zeros(lanes, 0);
    Rows inner;
    for (const std::size_t first : {std::size_t{0}, k}) {
      for (const int i : products_) {
        inner.push_back(i < 0 ? zeros.data() : rows[first + static_cast<std::size_t>(i)]);
      }
    }
    inner.push_back(rows[2 * k]);
    inner_->run(inner, lanes, d);
    return;
  }
  Rows inner = rows;
  Lanes converted(2 * k, lanes);
  for (std::size_t i = 0; i < 2 * k; ++i) {
    (i < k ? convert_a_ : convert_b_)->evaluate({rows[i]}, lanes, {converted[i]}, scratch_);
    inner[i] = converted[i];
  }
  inner_->run(inner, lanes, d);
}

/// Evaluates the inner design with operands multiplied by their rows' factors, and divides the sum
/// by these.
void LaneRunner::run_inner_of_scaled_rows(const Rows& rows, std::size_t lanes, std::uint64_t* d) {
  const auto k = static_cast<std::size_t>(formats_.k);
  Rows inner = rows;
  Lanes converted(2 * k, lanes);
  Lanes scales(4, lanes);  // factors and their inverses, for a and b
  std::vector<std::uint64_t> magnitude(lanes);
  for (const std::size_t b : {std::size_t{0}, std::size_t{1}}) {
    const RowPrograms::OfRow& of_row = b == 0 ? rows_->a : rows_->b;
    std::vector<std::uint64_t> largest(lanes, 0);
    for (std::size_t i = b * k; i < (b + 1) * k; ++i) {
      of_row.magnitude.evaluate({rows[i]}, lanes, {magnitude.data()}, scratch_);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        largest[lane] = std::max(largest[lane], magnitude[lane]);
      }
    }
    std::uint64_t* const factor = scales[2 * b];
    of_row.scale.evaluate({largest.data()}, lanes, {factor, scales[2 * b + 1]}, scratch_);
    for (std::size_t i = b * k; i < (b + 1) * k; ++i) {
      of_row.operand.evaluate({rows[i], factor}, lanes, {converted[i]}, scratch_);
      inner[i] = converted[i];
    }
  }
  std::vector<std::uint64_t> sum(lanes);
  inner_->run(inner, lanes, sum.data());
  rows_->back.evaluate({sum.data(), scales[1], scales[3]}, lanes, {d}, scratch_);
}

void LaneRunner::run(const Lanes& inputs, Lanes& results) {
  if (inputs.rows() != rows_of(formats_) || results.rows() != 1 ||
      results.lanes() != inputs.lanes()) {
    throw std::logic_error("lanes of other dot-adds");
  }
  // One block at a time, so that sums stay in the cache.
  for (std::size_t first = 0; first < inputs.lanes(); first += BatchEvaluator::kBlock) {
    Rows rows(inputs.rows());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = inputs[i] + first;
    run(rows, std::min(BatchEvaluator::kBlock, inputs.lanes() - first), results[0] + first);
  }
}

void LaneRunner::run(const Rows& rows, std::size_t lanes, std::uint64_t* d) {
  if (aligned_) return aligned_->run(rows, lanes, d);
  if (whole_) {
    const std::vector<std::uint64_t> zeros(lanes, 0);
    const auto k = static_cast<std::ptrdiff_t>(formats_.k);
    const auto added = static_cast<std::size_t>(whole_->formats_.k - formats_.k);
    Rows all = rows;
    all.insert(all.begin() + 2 * k, added, zeros.data());
    all.insert(all.begin() + k, added, zeros.data());
    whole_->run(all, lanes, d);
    return;
  }
  if (rows_) {
    run_inner_of_scaled_rows(rows, lanes, d);
    return;
  }
  if (split_) {
    run_words(rows, lanes, d);
    return;
  }
  if (inner_) {
    run_inner_of_operands(rows, lanes, d);
    return;
  }
  if (combine_) {
    run_parts(rows, lanes, d);
    return;
  }
  const int parts = part_k_ == 0 ? 1 : formats_.k / part_k_;  // 0: a conversion
  const auto k = static_cast<std::size_t>(formats_.k);
  const auto part_k = static_cast<std::size_t>(part_k_);
  const auto scales = static_cast<std::size_t>(formats_.scales());
  const std::size_t part_scales = scales / static_cast<std::size_t>(parts);
  // a, b, c and the scale factors of part i, which starts from `c`.
  const auto part_of_rows = [&](std::size_t i, const std::uint64_t* c) {
    Rows part;
    const auto take = [&](std::size_t from, std::size_t each) {
      const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(from);
      part.insert(part.end(), begin + static_cast<std::ptrdiff_t>(i * each),
                  begin + static_cast<std::ptrdiff_t>((i + 1) * each));
    };
    take(0, part_k);
    take(k, part_k);
    part.push_back(c);
    take(2 * k + 1, part_scales);
    take(2 * k + 1 + scales, part_scales);
    return part;
  };
  const std::uint64_t* c = rows[2 * k];
  std::vector<std::uint64_t> sum(c, c + lanes);
  Rows part = part_of_rows(0, sum.data());
  for (std::size_t i = 0; i < static_cast<std::size_t>(parts); ++i) {
    Rows after;
    if (i + 1 < static_cast<std::size_t>(parts)) {
      after = part_of_rows(i + 1, sum.data());
      prefetch(after, lanes);
    }
    const bool is_next = i > 0 && next_;
    const BatchEvaluator& step = is_next ? *next_ : *step_;
    // The program reads c before it writes d, which is in another row.
    step.evaluate(part, lanes, {d}, is_next ? next_scratch_ : scratch_);
    std::copy_n(d, lanes, sum.begin());
    part = std::move(after);
  }
}

}  // namespace mmaspec
