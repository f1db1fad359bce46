// Conversions of one number as Python objects.

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <tuple>

#include "apps/python/bindings/arrays.h"
#include "apps/python/bindings/interrupt.h"
#include "apps/python/bindings/unit.h"
#include "concrete/batch/evaluator.h"
#include "spec/catalog/names/names.h"
#include "spec/conversions/conversion_design.h"
#include "spec/conversions/conversions.h"

namespace mmaspec::python {

namespace nb = nanobind;

namespace {

/// A conversion, compiled once. Thread-safe.
class ConversionProgram {
 public:
  explicit ConversionProgram(const std::string& name) : instruction_(find_with_conversions(name)) {
    if (!is_conversion(instruction_.formats)) {
      throw std::invalid_argument(name + " is not a conversion; see mmaspec.unit()");
    }
    const DotModel model(instruction_.algorithm, instruction_.formats);
    evaluator_.emplace(model.graph(), std::vector<NodeId>{model.result()});
    inputs_ = model.graph().inputs().size();
  }

  const Instruction& instruction() const { return instruction_; }

  /// Both arrays are contiguous and consist of 64-bit words.
  void run(const In& c, const Out& d) const {
    if (c.itemsize() != 8 || d.itemsize() != 8 || c.size() != d.size()) {
      throw std::invalid_argument("a conversion takes two arrays of 64-bit words of one size");
    }
    const auto* from = static_cast<const std::uint64_t*>(c.data());
    auto* to = static_cast<std::uint64_t*>(d.data());
    without_lock([&] {
      BatchEvaluator::Scratch scratch;
      for (std::size_t first = 0; first < c.size(); first += kLanes) {
        const std::size_t lanes = std::min(kLanes, c.size() - first);
        const std::vector<const std::uint64_t*> in(inputs_, from + first);
        evaluator_->evaluate(in, lanes, {to + first}, scratch);
      }
      return true;
    });
  }

 private:
  static constexpr std::size_t kLanes = 1U << 14;

  Instruction instruction_;
  std::optional<BatchEvaluator> evaluator_;
  std::size_t inputs_ = 0;
};

}  // namespace

void bind_conversions(nb::module_& m) {
  nb::class_<ConversionProgram>(m, "Conversion",
                                "A conversion of one number (docs/conversions.md).")
      .def(nb::init<const std::string&>())
      .def_prop_ro("name", [](const ConversionProgram& c) { return c.instruction().name(); })
      .def_prop_ro(
          "c",
          [](const ConversionProgram& c) { return std::string(c.instruction().formats.c->name); })
      .def_prop_ro(
          "d",
          [](const ConversionProgram& c) { return std::string(c.instruction().formats.d->name); })
      .def("parameters",
           [](const ConversionProgram& c) {
             std::vector<std::tuple<std::string, std::string, std::string>> all;
             for (const Parameter& p : c.instruction().algorithm.parameters()) {
               all.emplace_back(p.key, p.value, p.meaning);
             }
             return all;
           })
      .def("run", &ConversionProgram::run, nb::arg("c"), nb::arg("d"));
  m.def(
      "conversion_unit",
      [](const std::string& name) {
        Instruction instruction = find_with_conversions(name);
        if (!is_conversion(instruction.formats)) {
          throw std::invalid_argument(name + " is not a conversion; see mmaspec.unit()");
        }
        return new Unit(std::move(instruction));
      },
      nb::arg("name"), "A conversion as the operand of a query.");
  m.def(
      "is_conversion",
      [](const std::string& name) { return is_conversion(find_with_conversions(name).formats); },
      nb::arg("name"));
  m.def(
      "conversions",
      [](const std::string& arch) {
        const std::string only = arch.empty() ? "" : find_architecture(arch);
        std::vector<std::pair<std::string, std::string>> all;
        for (const ListedConversion& c : conversion_names()) {
          if (only.empty() || c.architecture == only) {
            all.emplace_back(c.architecture + "/" + c.mnemonic, c.keys);
          }
        }
        return all;
      },
      nb::arg("arch"));
}

}  // namespace mmaspec::python
