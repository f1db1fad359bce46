// Finds the plans that reproduce recorded rows of a long dot product.

#include "queries/studies/explain/explain.h"

#include <algorithm>
#include <stdexcept>

#include "apps/web/engine/fields.h"
#include "apps/web/engine/given_rows.h"
#include "spec/formats/unpack.h"

namespace mmaspec::web {
namespace {

constexpr std::size_t kMostRows = 1000;
constexpr int kMostExplained = 1 << 16;  // products
constexpr double kMostSeconds = 600;

/// The rows as a matrix product: row i of A, column i of B, with unknown elements of D off the
/// diagonal.
class RowsAsProduct {
 public:
  explicit RowsAsProduct(const GivenRows& given)
      : n_(given.rows.size()), k_(static_cast<std::size_t>(given.formats.k)) {
    const Format& d = *given.formats.d;
    if (!d.has_nan() && n_ > 1) {
      throw std::invalid_argument("results of " + std::string(d.name) +
                                  " need whole matrices: use mmaspec explain");
    }
    d_.assign(n_ * n_, d.has_nan() ? quiet_nan(d).convert_to<std::uint64_t>() : 0);
    for (std::size_t i = 0; i < n_; ++i) {
      const VectorRow& row = given.rows[i];
      for (const Integer& x : row.values.a) a_.push_back(x.convert_to<std::uint64_t>());
      for (const Integer& x : row.values.b) b_.push_back(x.convert_to<std::uint64_t>());
      c_.push_back(row.values.c.convert_to<std::uint64_t>());
      d_[i * n_ + i] = row.d->convert_to<std::uint64_t>();
    }
  }

  bool has_c() const {
    return std::any_of(c_.begin(), c_.end(), [](std::uint64_t c) { return c != 0; });
  }

  explain::Product product() const {
    const auto n = static_cast<std::ptrdiff_t>(n_);
    const auto k = static_cast<std::ptrdiff_t>(k_);
    explain::Product product;
    product.a = view(a_, n_, k_, k, 1);
    product.b = view(b_, k_, n_, 1, k);
    if (has_c()) product.c = view(c_, n_, n_, 1, 0);
    product.d = view(d_, n_, n_, n, 1);
    return product;
  }

 private:
  static PatternView view(const std::vector<std::uint64_t>& words, std::size_t rows,
                          std::size_t columns, std::ptrdiff_t row_step,
                          std::ptrdiff_t column_step) {
    constexpr auto kBytes = static_cast<std::ptrdiff_t>(sizeof(std::uint64_t));
    return {reinterpret_cast<const std::byte*>(words.data()),
            sizeof(std::uint64_t),
            rows,
            columns,
            row_step * kBytes,
            column_step * kBytes};
  }

  std::size_t n_;
  std::size_t k_;
  std::vector<std::uint64_t> a_;
  std::vector<std::uint64_t> b_;
  std::vector<std::uint64_t> c_;
  std::vector<std::uint64_t> d_;
};

const char* word_of(explain::Verdict verdict) {
  switch (verdict) {
    case explain::Verdict::explained:
      return "explained";
    case explain::Verdict::several:
      return "several";
    case explain::Verdict::none_fits:
      return "none fits";
    case explain::Verdict::out_of_time:
      return "out of time";
  }
  throw std::logic_error("no such verdict");
}

}  // namespace

Json explain_rows(const Json& request) {
  const GivenRows given = given_rows(request, kMostRows, kMostExplained);
  if (given.formats.scale != nullptr) {
    throw std::invalid_argument("rows with scale factors are not supported");
  }
  const RowsAsProduct rows(given);
  explain::MatrixFormats formats{{given.formats.a}, {given.formats.b}, {}, {given.formats.d}};
  if (rows.has_c()) formats.c = {given.formats.c};
  explain::Options options;
  options.instructions = explain::named_instructions(texts_of(request, "units"));
  options.threads = 1;
  options.deadline = Deadline::in(std::min(kMostSeconds, request.value("seconds", kMostSeconds)));
  const explain::Explanation found = explain::explain(rows.product(), formats, options);
  Json reply{{"verdict", word_of(found.verdict)},
             {"rows", found.elements},
             {"searched", found.searched.plans},
             {"unchecked", found.unchecked},
             {"plans", Json::array()},
             {"k", given.formats.k}};
  for (const explain::ExplainedPlan& p : found.plans) {
    reply["plans"].push_back({{"plan", p.plan}, {"equal_to", p.equal_to}});
  }
  if (found.nearest) {
    reply["nearest"] = {{"plan", found.nearest->plan},
                        {"matched", found.nearest->matched},
                        {"checked", found.nearest->checked}};
  }
  reply["first"] = mmaspec::web::to_json(given.formats, given.rows.front().values);
  return reply;
}

}  // namespace mmaspec::web
