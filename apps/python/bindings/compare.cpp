#include "queries/compare/compare.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "apps/python/bindings/arrays.h"
#include "apps/python/bindings/interrupt.h"
#include "apps/python/bindings/unit.h"
#include "report/tables/compare_text.h"
#include "util/json.h"

namespace mmaspec::python {

namespace nb = nanobind;

namespace {

/// Computes both results, and returns the comparison as the command line's JSON.
std::string compare(const Unit& first, const Unit& second, const In& a, const In& b, const In& c,
                    const Out& d_first, const Out& d_second, const std::optional<In>& scale_a,
                    const std::optional<In>& scale_b, std::size_t worst, const std::string& by,
                    int threads) {
  std::vector<ComparedProduct> products;
  const std::vector<MatrixOperands> all = operands_of(a, b, c, scale_a, scale_b);
  for (std::size_t i = 0; i < all.size(); ++i) {
    products.push_back(
        {all[i], matrix_of<PatternSpan>(d_first, i), matrix_of<PatternSpan>(d_second, i)});
  }
  CompareOptions options;
  options.worst = worst;
  options.by = by == "relative" ? WorstBy::relative : WorstBy::ulp;
  options.threads = threads;
  return without_lock([&] {
    return json_of(compare_matrices(first.instruction(), second.instruction(), products, options));
  });
}

}  // namespace

void bind_compare(nb::module_& m) {
  m.def("compare", &compare, nb::arg("first"), nb::arg("second"), nb::arg("a"), nb::arg("b"),
        nb::arg("c"), nb::arg("d_first"), nb::arg("d_second"), nb::arg("scale_a").none(),
        nb::arg("scale_b").none(), nb::arg("worst"), nb::arg("by"), nb::arg("threads"));
}

}  // namespace mmaspec::python
