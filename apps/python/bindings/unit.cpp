#include "apps/python/bindings/unit.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "apps/python/bindings/arrays.h"
#include "apps/python/bindings/device.h"
#include "apps/python/bindings/interrupt.h"
#include "concrete/dot/lengths.h"
#include "concrete/dot/trace.h"
#include "queries/ask/scope.h"
#include "queries/compare/compare.h"
#include "queries/errors/range_error.h"
#include "queries/statement/pairing.h"
#include "queries/values/rounded_up.h"
#include "report/values.h"
#include "spec/algorithms/chain_step.h"
#include "spec/catalog/names/names.h"
#include "spec/lang/print.h"
#include "util/json.h"

namespace mmaspec::python {

namespace nb = nanobind;

namespace {

using Patterns = std::vector<nb::int_>;

std::vector<Integer> integers(const std::vector<nb::object>& all) {
  std::vector<Integer> values;
  for (const nb::object& x : all) values.push_back(to_integer(x));
  return values;
}

nb::object name_of(const Format* format) {
  return format == nullptr ? nb::none() : nb::cast(std::string(format->name));
}

/// D = C + A * B.
void multiply(const Unit& unit, const In& a, const In& b, const In& c, const Out& d,
              const std::optional<In>& scale_a, const std::optional<In>& scale_b, int threads,
              const std::string& device) {
  std::vector<MatrixTask> tasks;
  const std::vector<MatrixOperands> all = operands_of(a, b, c, scale_a, scale_b);
  for (std::size_t i = 0; i < all.size(); ++i) {
    tasks.push_back({all[i], matrix_of<PatternSpan>(d, i)});
  }
  without_lock([&] {
    const std::size_t k = tasks.empty() ? 0 : tasks[0].operands.a.columns;
    if (device.empty()) {
      unit.matrix_runner(k)->run(tasks, threads);
    } else {
      unit.run_on(device, k, tasks);
    }
    return true;
  });
}

/// multiply() of arrays at addresses of a CUDA device.
void multiply_in_place(const Unit& unit, const In& a, const In& b, const std::optional<In>& c,
                       const Out& d, const std::optional<In>& scale_a,
                       const std::optional<In>& scale_b, const std::string& device,
                       const std::vector<std::uint64_t>& streams) {
  std::vector<MatrixTask> tasks;
  const std::vector<MatrixOperands> all = operands_of(a, b, c ? *c : In(d), scale_a, scale_b);
  for (std::size_t i = 0; i < all.size(); ++i) {
    tasks.push_back({all[i], matrix_of<PatternSpan>(d, i)});
    if (!c) tasks.back().operands.c.data = nullptr;
  }
  if (tasks.empty()) return;
  without_lock([&] {
    unit.run_in_place(device, tasks[0].operands.a.columns, tasks, streams);
    return true;
  });
}

const Format& known_format(const std::string& name) {
  const Format* format = find_format(name);
  if (format == nullptr) throw std::invalid_argument("unknown format '" + name + "'");
  return *format;
}

/// error_in_range() for dot products of length k, rounded up.
std::optional<double> error_bound(const Unit& unit, std::size_t k, double a, double b, double c,
                                  double scale_a, double scale_b, double product, double magnitudes,
                                  double partial_sums, bool subnormal_factors) {
  OperandRange range{Rational(a),       Rational(b),       Rational(c),      Rational(scale_a),
                     Rational(scale_b), Rational(product), subnormal_factors};
  range.magnitudes = Rational(magnitudes);
  range.partial_sums = Rational(partial_sums);
  return without_lock([&]() -> std::optional<double> {
    const auto errors = error_in_range(for_matrices(unit.instruction(), k), range);
    if (!errors) return std::nullopt;
    return rounded_up(errors->size());
  });
}

/// The stages of one dot product, as JSON.
std::string trace(const Unit& unit, const std::vector<nb::object>& a,
                  const std::vector<nb::object>& b, const nb::object& c,
                  const std::vector<nb::object>& scale_a, const std::vector<nb::object>& scale_b) {
  const DotValues values{integers(a), integers(b), to_integer(c), integers(scale_a),
                         integers(scale_b)};
  const Instruction whole = for_matrices(unit.instruction(), values.a.size());
  require_lengths(whole.formats, values);
  return to_text(json_of(trace_lines(whole, values)));
}

}  // namespace

device::DeviceRunner& Unit::device_runner(const std::string& device, std::size_t k) const {
  for_matrices(instruction(), k);  // throws if the instruction cannot be chained
  auto& runner = device_runners_[device];
  if (!runner) {
    runner = std::make_unique<device::DeviceRunner>(opened_device(device), instruction().algorithm,
                                                    instruction().formats, instruction().name());
  }
  return *runner;
}

void Unit::run_on(const std::string& device, std::size_t k,
                  const std::vector<MatrixTask>& tasks) const {
  const std::scoped_lock held(device_mutex());
  device_runner(device, k).run(tasks);
}

void Unit::run_in_place(const std::string& device, std::size_t k,
                        const std::vector<MatrixTask>& tasks,
                        const std::vector<device::Device::Stream>& streams) const {
  const std::scoped_lock held(device_mutex());
  device::DeviceRunner& runner = device_runner(device, k);
  for (std::size_t i = 1; i < streams.size(); ++i) opened_device(device)->finish(streams[i]);
  runner.run_in_place(tasks, streams.at(0));
}

nb::object to_python(const Integer& x) {
  if (x >= 0 && bit_length(x) <= 64) return nb::int_(x.convert_to<std::uint64_t>());
  return nb::steal(PyLong_FromString(x.str().c_str(), nullptr, 10));
}

Integer to_integer(const nb::handle& x) {
  if (!PyIndex_Check(x.ptr())) throw nb::type_error("expected an integer");
  const nb::object index = nb::steal(PyNumber_Index(x.ptr()));
  int overflow = 0;
  const long long small = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow == 0) return small;
  return Integer(std::string(nb::str(index).c_str()));
}

void bind_unit(nb::module_& m) {
  nb::class_<Unit>(m, "Unit", "An instruction, a design or a plan (docs/python.md).")
      .def("__init__",
           [](Unit* self, const std::string& name) { new (self) Unit(find_instruction(name)); })
      .def_prop_ro("name", [](const Unit& u) { return u.instruction().name(); })
      .def_prop_ro("algorithm", [](const Unit& u) { return u.instruction().algorithm.name(); })
      .def_prop_ro("reference", [](const Unit& u) { return u.instruction().algorithm.reference(); })
      .def_prop_ro("k", [](const Unit& u) { return u.instruction().formats.k; })
      .def_prop_ro("a", [](const Unit& u) { return name_of(u.instruction().formats.a); })
      .def_prop_ro("b", [](const Unit& u) { return name_of(u.instruction().formats.b); })
      .def_prop_ro("c", [](const Unit& u) { return name_of(u.instruction().formats.c); })
      .def_prop_ro("d", [](const Unit& u) { return name_of(u.instruction().formats.d); })
      .def_prop_ro("scale", [](const Unit& u) { return name_of(u.instruction().formats.scale); })
      .def_prop_ro("scale_block", [](const Unit& u) { return u.instruction().formats.scale_block; })
      .def_prop_ro("step",
                   [](const Unit& u) {
                     return chain_step(u.instruction().algorithm, u.instruction().formats);
                   })
      .def_prop_ro("canonical_nan", [](const Unit& u) { return u.instruction().canonical_nan; })
      .def("parameters",
           [](const Unit& u) {
             nb::list all;
             for (const Parameter& p : u.instruction().algorithm.parameters()) {
               all.append(nb::make_tuple(p.key, p.value, p.meaning));
             }
             return all;
           })
      .def(
          "provenance",
          [](const Unit& u) {
            nb::list all;
            for (const Provenance& p : u.instruction().provenance) {
              all.append(nb::make_tuple(p.parameter, std::string(to_string(p.evidence)), p.source));
            }
            return all;
          })
      .def("evidence",
           [](const Unit& u) {
             std::vector<std::pair<std::string, std::string>> all;
             for (const UnitEvidence& e : weakest_evidence({u.instruction()})) {
               all.emplace_back(e.unit, to_string(e.weakest));
             }
             return all;
           })
      .def("chained", [](const Unit& u, int k) { return new Unit(of_length(u.instruction(), k)); })
      .def("multiply", &multiply, nb::arg("a"), nb::arg("b"), nb::arg("c"), nb::arg("d"),
           nb::arg("scale_a").none(), nb::arg("scale_b").none(), nb::arg("threads"),
           nb::arg("device"))
      .def("multiply_in_place", &multiply_in_place, nb::arg("a"), nb::arg("b"), nb::arg("c").none(),
           nb::arg("d"), nb::arg("scale_a").none(), nb::arg("scale_b").none(), nb::arg("device"),
           nb::arg("streams"))
      .def("graph",
           [](const Unit& u) {
             const DotModel model(u.instruction().algorithm, u.instruction().formats);
             return print(model.graph(), {model.result()});
           })
      .def("trace", &trace)
      .def("error_bound", &error_bound, nb::arg("k"), nb::arg("a"), nb::arg("b"), nb::arg("c"),
           nb::arg("scale_a"), nb::arg("scale_b"), nb::arg("product"), nb::arg("magnitudes"),
           nb::arg("partial_sums"), nb::arg("subnormal_factors"));
  m.def(
      "catalogue",
      [](const std::string& arch) {
        const std::string only = arch.empty() ? "" : find_architecture(arch) + "/";
        std::vector<std::string> names;
        for (const Instruction& i : catalogue()) {
          if (i.name().starts_with(only)) names.push_back(i.name());
        }
        return names;
      },
      nb::arg("arch"));
  m.def("format_ignored_bits",
        [](const std::string& name) { return known_format(name).ignored_low_bits; });
  m.def("format_bits", [](const std::string& name) { return known_format(name).storage_bits; });
}

}  // namespace mmaspec::python
