#include "queries/compare/compare.h"

#include <mmaspec/compare.h>

#include "api/core.h"
#include "queries/request/diff_request.h"

namespace mmaspec::v0 {
namespace {

/// The results of one product, in the library's own memory.
class OwnResult {
 public:
  explicit OwnResult(const CheckedOperands& operands)
      : rows_(operands.rows()), columns_(operands.columns()), words_(rows_ * columns_) {}

  PatternSpan span() {
    constexpr auto kWord = static_cast<std::ptrdiff_t>(sizeof(std::uint64_t));
    return {reinterpret_cast<std::byte*>(words_.data()),
            sizeof(std::uint64_t),
            rows_,
            columns_,
            kWord * static_cast<std::ptrdiff_t>(columns_),
            kWord};
  }

 private:
  std::size_t rows_;
  std::size_t columns_;
  std::vector<std::uint64_t> words_;
};

core::CompareOptions options_of(const CompareOptions& given) {
  require_range("threads", given.threads, 0, kMostThreads);
  core::CompareOptions options;
  options.worst = given.worst;
  options.by = given.by == WorstBy::relative ? core::WorstBy::relative : core::WorstBy::ulp;
  options.threads = given.threads;
  if (given.tolerance) {
    options.tolerance = core::Tolerance{parse_difference("atol", given.tolerance->atol),
                                        parse_difference("rtol", given.tolerance->rtol)};
  }
  return options;
}

template <typename View>
std::uint64_t pattern_in(const View& view, std::size_t row, std::size_t column) {
  return pattern_at(
      PatternView{view.data, view.bytes, view.rows, view.columns, view.row_step, view.column_step},
      row, column);
}

std::size_t unlike_bits(const std::vector<ComparedProduct>& products) {
  std::size_t count = 0;
  for (const ComparedProduct& p : products) {
    for (std::size_t row = 0; row < p.d_first.rows; ++row) {
      for (std::size_t column = 0; column < p.d_first.columns; ++column) {
        if (pattern_in(p.d_first, row, column) != pattern_in(p.d_second, row, column)) ++count;
      }
    }
  }
  return count;
}

Comparison comparison_of(const core::Comparison& given,
                         const std::vector<ComparedProduct>& products) {
  Comparison result;
  result.note = given.note;
  result.elements = given.elements;
  result.differing = given.differing;
  if (*given.first.formats.d == *given.second.formats.d) {
    result.differing_bits = unlike_bits(products);
  }
  result.exceeding = given.exceeding;
  result.beyond_ulp = given.beyond_ulp;
  for (const core::UlpBin& bin : given.bins) {
    result.bins.push_back({bin.from.str(), bin.to.str(), bin.count});
  }
  result.largest_ulp = given.largest_ulp.str();
  result.largest_relative = given.largest_relative;
  result.mean_relative = given.mean_relative;
  for (const core::ComparedElement& e : given.worst) {
    result.worst.push_back({e.product, e.row, e.column, product_of(e.values.values),
                            pattern_of(*e.values.d), pattern_of(e.d_second),
                            e.ulp ? e.ulp->str() : "inf", e.relative});
  }
  return result;
}

void require_one_k(const std::vector<CheckedOperands>& operands) {
  for (const CheckedOperands& x : operands) {
    if (x.k() != operands.front().k()) {
      throw std::invalid_argument("products of one comparison have one K, not " +
                                  std::to_string(operands.front().k()) + " and " +
                                  std::to_string(x.k()));
    }
  }
}

}  // namespace

Comparison compare_results(const Unit& unit, const std::vector<GivenResult>& results,
                           const CompareOptions& options) {
  return translated([&] {
    const core::CompareOptions how = options_of(options);
    const Instruction& instruction = instruction_of(unit);
    const DotFormats& formats = instruction.formats;
    std::vector<CheckedOperands> operands;
    for (const GivenResult& r : results) operands.emplace_back(formats, r.operands);
    require_one_k(operands);
    std::vector<OwnResult> own;
    own.reserve(results.size());
    std::vector<MatrixTask> tasks;
    std::vector<ComparedProduct> products;
    for (std::size_t i = 0; i < results.size(); ++i) {
      own.emplace_back(operands[i]);
      tasks.push_back({operands[i].operands(), own.back().span()});
      require_shapes(tasks.back(), formats, true);
      const PatternView given = view_of("d", *formats.d, results[i].d);
      if (given.rows != operands[i].rows() || given.columns != operands[i].columns()) {
        throw std::invalid_argument("d has other rows or columns than a * b");
      }
      // Results are only read in comparisons.
      products.push_back({operands[i].operands(), own.back().span(),
                          PatternSpan{const_cast<std::byte*>(given.data), given.bytes, given.rows,
                                      given.columns, given.row_step, given.column_step}});
    }
    const std::size_t k = operands.empty() ? 0 : operands.front().k();
    UnitAccess::data(unit).matrix_runner(k)->run(tasks, options.threads);
    Pair pair = pair_for_matrices(instruction, instruction, k);
    pair.note = k == 0 ? "" : length_note(instruction, static_cast<int>(k));
    return comparison_of(core::compare_results(pair, products, how), products);
  });
}

Comparison compare(const Unit& first, const Unit& second, const std::vector<MatrixOperands>& given,
                   const CompareOptions& options) {
  return translated([&] {
    const core::CompareOptions how = options_of(options);
    const DotFormats& formats = instruction_of(first).formats;
    std::vector<CheckedOperands> operands;
    for (const MatrixOperands& o : given) operands.emplace_back(formats, o);
    require_one_k(operands);
    std::vector<OwnResult> own;
    own.reserve(2 * given.size());
    std::vector<ComparedProduct> products;
    for (const CheckedOperands& o : operands) {
      own.emplace_back(o);
      const PatternSpan d_first = own.back().span();
      own.emplace_back(o);
      products.push_back({o.operands(), d_first, own.back().span()});
      require_shapes({o.operands(), d_first}, formats, true);
    }
    return comparison_of(
        compare_matrices(instruction_of(first), instruction_of(second), products, how), products);
  });
}

}  // namespace mmaspec::v0
