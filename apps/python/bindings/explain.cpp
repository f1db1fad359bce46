#include "queries/studies/explain/explain.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "apps/python/bindings/arrays.h"
#include "apps/python/bindings/interrupt.h"
#include "apps/python/bindings/unit.h"
#include "queries/studies/explain/suggest.h"
#include "report/text/explain/explain_text.h"
#include "util/json.h"

namespace mmaspec::python {

namespace nb = nanobind;

namespace {

using Names = std::vector<std::string>;

std::vector<const Format*> formats_named(const Names& names) {
  std::vector<const Format*> all;
  for (const std::string& name : names) {
    const Format* format = find_format(name);
    if (format == nullptr) throw std::invalid_argument("unknown format '" + name + "'");
    all.push_back(format);
  }
  return all;
}

/// The answer as the command line's JSON.
std::string explain_product(const In& a, const In& b, const std::optional<In>& c, const In& d,
                            const Names& a_formats, const Names& b_formats, const Names& c_formats,
                            const Names& d_formats, const std::optional<In>& scale_a,
                            const std::optional<In>& scale_b, const Names& scale_formats,
                            const Names& units, bool all, double seconds, int threads) {
  explain::Product product{
      matrix_of<PatternView>(a, 0), matrix_of<PatternView>(b, 0), {}, matrix_of<PatternView>(d, 0)};
  if (c) product.c = matrix_of<PatternView>(*c, 0);
  if (scale_a && scale_b) {
    product.scale_a = matrix_of<PatternView>(*scale_a, 0);
    product.scale_b = matrix_of<PatternView>(*scale_b, 0);
  }
  const explain::MatrixFormats formats{formats_named(a_formats),
                                       formats_named(b_formats),
                                       formats_named(c_formats),
                                       formats_named(d_formats),
                                       {},
                                       formats_named(scale_formats)};
  explain::Options options;
  options.instructions = explain::named_instructions(units);
  options.extent = all ? explain::Extent::all : explain::Extent::usual;
  options.threads = threads;
  options.deadline = Deadline::in(seconds);
  return without_lock(
      [&] { return json_of(explain::explain(product, formats, options), std::nullopt); });
}

/// Operands that distinguish plans, as JSON: rows, k, a, b.
std::string suggest_operands(const Names& plans, std::size_t k, double seconds) {
  const explain::Suggestion s =
      without_lock([&] { return explain::suggest(plans, k, false, Deadline::in(seconds)); });
  Json object;
  object["rows"] = s.rows;
  object["k"] = s.k;
  object["a"] = s.a;
  object["b"] = s.b;
  object["products"] = s.classes;
  return object.dump();
}

}  // namespace

void bind_explain(nb::module_& m) {
  m.def("explain", &explain_product, nb::arg("a"), nb::arg("b"), nb::arg("c").none(), nb::arg("d"),
        nb::arg("a_formats"), nb::arg("b_formats"), nb::arg("c_formats"), nb::arg("d_formats"),
        nb::arg("scale_a").none(), nb::arg("scale_b").none(), nb::arg("scale_formats"),
        nb::arg("units"), nb::arg("all"), nb::arg("seconds"), nb::arg("threads"));
  m.def("explain_suggest", &suggest_operands, nb::arg("plans"), nb::arg("k"), nb::arg("seconds"));
}

}  // namespace mmaspec::python
