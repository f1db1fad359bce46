// Binds the exploration of designs.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "apps/python/bindings/arrays.h"
#include "apps/python/bindings/interrupt.h"
#include "apps/python/bindings/solve.h"
#include "apps/python/bindings/unit.h"
#include "queries/compare/compare.h"
#include "queries/studies/explore/study.h"
#include "report/tables/explore_text.h"
#include "report/text/export_text.h"

namespace mmaspec::python {

namespace nb = nanobind;

namespace {

/// How many results of `design` differ from the unit's.
std::size_t mismatches(const Instruction& unit, const Instruction& design,
                       const std::vector<MatrixOperands>& all, int threads) {
  std::vector<std::vector<std::uint64_t>> results;
  std::vector<ComparedProduct> products;
  for (const MatrixOperands& in : all) {
    const auto space = [&] {
      results.emplace_back(in.c.rows * in.c.columns);
      constexpr auto kBytes = static_cast<std::ptrdiff_t>(sizeof(std::uint64_t));
      return PatternSpan{reinterpret_cast<std::byte*>(results.back().data()),
                         sizeof(std::uint64_t),
                         in.c.rows,
                         in.c.columns,
                         kBytes * static_cast<std::ptrdiff_t>(in.c.columns),
                         kBytes};
    };
    const PatternSpan first = space();
    products.push_back({in, first, space()});
  }
  CompareOptions how;
  how.worst = 0;
  how.threads = threads;
  return compare_matrices(unit, design, products, how).differing;
}

/// The answer as the command line's JSON, table (CSV) and page (HTML).
std::tuple<std::string, std::string, std::string> explore_texts(
    const std::string& pattern, const std::vector<std::string>& required, const std::string& bound,
    const Unit* against, const std::optional<In>& a, const std::optional<In>& b,
    const std::optional<In>& c, const std::string& liberty, const Solve& solve) {
  const std::string unit_name = against == nullptr ? "" : against->instruction().name();
  ExploreStudy study = read_study({pattern, required, bound, unit_name, solve.solver});
  ExploreOptions& options = study.options;
  options.verilog = [](const Instruction& i) { return export_text(i, "verilog", "dot"); };
  options.liberty = liberty;
  options.timeout = solve.timeout;
  options.seed = solve.seed;
  options.jobs = solve.jobs;
  std::vector<MatrixOperands> operands;
  if (against != nullptr && a && b && c) {
    pair_for_matrices(against->instruction(), study.designs[0], 1);
    operands = operands_of(*a, *b, *c, std::nullopt, std::nullopt);
    options.mismatches = [&operands, unit = against->instruction(),
                          threads = solve.jobs](const Instruction& design) {
      return mismatches(unit, design, operands, threads);
    };
  }
  if (!solve.progress.is_none()) {
    options.progress = [look = nb::handle(solve.progress)](const std::string& text) {
      const nb::gil_scoped_acquire lock;
      look(text);
    };
  }
  return without_lock([&] {
    const Explored explored = run_study(std::move(study));
    if (explored.exploration.has_contradiction) {
      throw Contradiction(explored.exploration.contradiction);
    }
    return std::tuple(json_of(explored), csv_of(explored), html_of(explored));
  });
}

}  // namespace

void bind_explore(nb::module_& m) {
  m.def("explore", &explore_texts, nb::arg("pattern"), nb::arg("required"), nb::arg("bound"),
        nb::arg("against").none(), nb::arg("a").none(), nb::arg("b").none(), nb::arg("c").none(),
        nb::arg("liberty"), nb::arg("solve"));
}

}  // namespace mmaspec::python
