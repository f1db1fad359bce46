#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "apps/python/bindings/interrupt.h"
#include "apps/python/bindings/solve.h"
#include "apps/python/bindings/unit.h"
#include "concrete/rows/row.h"
#include "queries/audit/verify.h"
#include "queries/numbers/where.h"
#include "queries/prove/maximize.h"
#include "queries/prove/prove.h"
#include "queries/request/diff_request.h"
#include "queries/request/tolerance_request.h"
#include "queries/studies/identify/identify.h"
#include "queries/studies/machines/library.h"
#include "queries/studies/machines/machines.h"
#include "queries/studies/suite/suite.h"
#include "queries/studies/table/results.h"
#include "report/colour.h"
#include "report/tables/machines_text.h"
#include "report/tables/suite_text.h"
#include "report/tables/table_text.h"
#include "report/text/diff_text.h"
#include "report/text/export_text.h"
#include "report/text/identify_text.h"
#include "report/text/prove_text.h"
#include "report/text/sum_error_text.h"
#include "report/text/tolerance_text.h"
#include "spec/catalog/names/names.h"
#include "spec/conversions/conversions.h"
#include "util/counted.h"
#include "util/json.h"

namespace mmaspec::python {

namespace nb = nanobind;

namespace {

/// `finite`, `normal` or `any`.
InputClass input_class(const std::string& name) {
  if (name == "finite") return InputClass::finite;
  if (name == "normal") return InputClass::normal;
  if (name == "any") return InputClass::any;
  throw std::invalid_argument("inputs '" + name + "': expected finite, normal or any");
}

/// The conditions as queries take them; `where` must outlive it.
Condition condition_of(const Where& where) {
  if (where.empty()) return {};
  return
      [&where](const DotFormats& f, const DotOperands& in, Int d) { return where.holds(f, in, d); };
}

/// Throws if the value of an option is outside the range of the command line.
void require_range(const std::string& option, int value, int low, int high) {
  if (value < low || value > high) {
    throw std::invalid_argument(option + ": expected an integer from " + std::to_string(low) +
                                " to " + std::to_string(high) + ", got " + std::to_string(value));
  }
}

/// The inputs on which two units are compared.
struct Pairing {
  std::vector<std::string> where;
  std::string inputs;
  bool pad;
  int chain;
  std::string match;

  DiffOptions options(const Where& conditions, const Solve& solve) const {
    DiffOptions o;
    o.inputs = input_class(inputs);
    o.pairing.pad = pad;
    require_range("chain", chain, 0, 1 << 16);
    o.pairing.chain = chain;
    if (match != "values" && match != "bits") {
      throw std::invalid_argument("match '" + match + "': expected values or bits");
    }
    o.pairing.match = match == "bits" ? Match::bits : Match::values;
    o.where = condition_of(conditions);
    o.strategies = solve.strategies();
    return o;
  }
};

/// An answer in the formats of the command line.
struct Answer {
  std::string text;  ///< without colors
  std::string json;
};

Answer diff_answer(const Unit& first, const Unit& second, const std::optional<std::string>& ulp,
                   const std::optional<std::string>& absolute,
                   const std::optional<std::string>& relative, bool signed_zero, int count,
                   bool shrink, bool all_k, const Pairing& pairing, const Solve& solve) {
  const Where where(pairing.where);
  DiffOptions options = pairing.options(where, solve);
  if (ulp) options.difference.ulp = parse_ulp("ulp", *ulp);
  if (absolute) options.difference.absolute = parse_difference("abs", *absolute);
  if (relative) options.difference.relative = parse_difference("rel", *relative);
  options.difference.signed_zero = signed_zero;
  require_range("count", count, 1, 1000000);
  options.count = count;
  options.shrink = shrink;
  const Portfolio solvers = solve.portfolio();
  AskedDifference asked;
  asked.ulp = ulp.value_or("");
  asked.absolute = absolute.value_or("");
  asked.relative = relative.value_or("");
  asked.where = pairing.where;
  asked.inputs = options.inputs;
  asked.match = options.pairing.match;
  return without_lock([&] {
    const AllK all = ask_diff(first.instruction(), second.instruction(), options, all_k, solvers);
    asked.step_k = all.step_k;
    const WithoutColour plain;
    return Answer{text_of(asked, all.result), json_of(asked, all.result, {}, {})};
  });
}

Answer maximize_answer(const Unit& first, const Unit& second, const std::string& measure,
                       const Pairing& pairing, const Solve& solve) {
  const Where where(pairing.where);
  const DiffOptions options = pairing.options(where, solve);
  const Portfolio solvers = solve.portfolio();
  if (measure != "ulp" && measure != "abs") {
    throw std::invalid_argument("measure '" + measure + "': expected ulp or abs");
  }
  AskedDifference asked;
  asked.where = pairing.where;
  asked.inputs = options.inputs;
  asked.match = options.pairing.match;
  asked.measure = measure;
  return without_lock([&] {
    const Maximum m = maximize(first.instruction(), second.instruction(), options,
                               measure == "ulp" ? Measure::ulp : Measure::absolute, solvers);
    const WithoutColour plain;
    return Answer{text_of(asked, m), json_of(asked, m)};
  });
}

Answer prove_answer(const std::string& name, const Unit& first, const Unit* second,
                    const std::optional<std::string>& bound, int within, bool confirm, bool shrink,
                    const std::vector<std::string>& conditions, const Solve& solve) {
  const Property& property = find_property(name);
  if (property.of_two() != (second != nullptr)) {
    throw std::invalid_argument(name + " is a property of " +
                                (property.of_two() ? "two units" : "one unit"));
  }
  Subject subject = subject_of(
      first.instruction(), second == nullptr ? std::nullopt : std::optional(second->instruction()));
  require_range("within", within, 0, 1 << 16);
  subject.within = within;
  if (bound) subject.parameter = parse_difference("bound", *bound);
  const bool has_number = !property.parameters(subject).empty();
  if (!has_number && bound) throw std::invalid_argument(name + " takes no bound");
  const Where where(conditions);
  ProveOptions options;
  options.strategies = solve.strategies();
  options.shrink = shrink;
  options.confirm = confirm;
  options.where = condition_of(where);
  const Portfolio solvers = solve.portfolio();
  return without_lock([&] {
    const AskedProperty asked{property, subject, conditions};
    const auto answer = [](const auto& about, const auto& result, auto... attempts) {
      const WithoutColour plain;
      return Answer{text_of(about, result, attempts...), json_of(about, result)};
    };
    if (has_bounds_in_k(property, subject, conditions)) {
      return answer(subject.first, bounds_in_k(subject.first));
    }
    if (has_number && !bound) {
      return answer(asked, tightest(property, subject, options, solvers), false);
    }
    return answer(asked, prove(property, subject, options, solvers), false);
  });
}

/// Compares the instructions that GEMM libraries select on each of two architectures or products,
/// for each data type.
Answer diff_machines_answer(const std::string& first, const std::string& second,
                            const Pairing& pairing, const Solve& solve) {
  const Where where(pairing.where);
  const DiffOptions options = pairing.options(where, solve);
  StatisticsOptions how;
  how.count = 1000;
  const Portfolio solvers = solve.portfolio();
  AskedDifference asked;
  asked.inputs = options.inputs;
  asked.match = options.pairing.match;
  return without_lock([&] {
    const auto products = diff_machines(first, second, options, how, solvers);
    const WithoutColour plain;
    return Answer{text_of(first, second, asked, products, how.distribution),
                  json_of(first, second, asked, products, how.distribution)};
  });
}

/// `distribution`: normal or uniform, for additional random rows; None: without them.
Answer tolerance_answer(const Unit& first, const Unit& second,
                        const std::optional<std::string>& rtol,
                        const std::optional<std::string>& atol,
                        const std::optional<std::string>& distribution, int samples,
                        std::optional<double> confidence, bool full, const Pairing& pairing,
                        const Solve& solve) {
  const Where where(pairing.where);
  ToleranceRequest request;
  request.rtol = rtol.value_or("");
  request.atol = atol.value_or("");
  request.samples = samples;
  request.distribution = distribution.value_or("");
  request.confidence = confidence;
  if (pairing.inputs == "any") {
    throw std::invalid_argument("inputs 'any': expected finite or normal");
  }
  request.diff = pairing.options(where, solve);
  const Portfolio solvers = solve.portfolio();
  const AskedTolerance asked{request.rtol,        request.atol,         pairing.where,
                             request.diff.inputs, request.distribution, full};
  return without_lock([&] {
    const FoundTolerance found =
        ask_tolerance(first.instruction(), second.instruction(), request, solvers);
    const WithoutColour plain;
    return Answer{text_of(asked, found), json_of(asked, found)};
  });
}

std::string table_json(const std::vector<const Unit*>& units, const std::vector<std::string>& names,
                       const Solve& solve) {
  std::vector<Instruction> instructions;
  for (const Unit* u : units) instructions.push_back(u->instruction());
  Table table;
  table.rows = rows_by_name(instructions);
  for (const std::string& name : names) table.properties.push_back(&find_property(name));
  if (names.empty()) table.properties = table_properties();
  for (const Property* p : table.properties) {
    if (p->of_two()) throw std::invalid_argument(p->name() + " is a property of two units");
  }
  TableOptions options;
  options.timeout = solve.timeout;
  options.solver = solve.solver;
  options.seed = solve.seed;
  options.jobs = solve.jobs;
  if (!solve.progress.is_none()) {
    options.progress = [look = nb::handle(solve.progress)](std::size_t done, std::size_t all,
                                                           const std::string& running) {
      const nb::gil_scoped_acquire lock;
      look(done, all, running);
    };
  }
  return without_lock([&] {
    TableResults results;
    fill(table.rows, table.properties, options, results);
    for (const TableRow& row : table.rows) {
      table.cells.emplace_back();
      for (const Property* p : table.properties) {
        table.cells.back().push_back(results.find(*p, row));
      }
    }
    return json_of(table);
  });
}

std::string suite_json(const std::vector<const Unit*>& units, int chain, bool pad,
                       const std::string& inputs, const std::vector<std::string>& conditions,
                       bool signed_zero, bool adaptive, const Solve& solve) {
  std::vector<Instruction> own;
  for (const Unit* u : units) own.push_back(u->instruction());
  const Where where(conditions);
  require_range("chain", chain, 0, 1 << 16);
  SuiteOptions options;
  options.panel = {input_class(inputs), condition_of(where), signed_zero};
  options.strategies = solve.strategies();
  options.adaptive = adaptive;
  const Portfolio solvers = solve.portfolio();
  return without_lock([&] {
    return json_of(make_suite(brought_together(own, chain, pad), options, solvers), conditions);
  });
}

/// A Python function that takes rows of patterns and returns patterns.
class CallableOracle : public Oracle {
 public:
  explicit CallableOracle(nb::handle function) : function_(function) {}

  std::vector<Integer> ask(const std::vector<DotValues>& all) override {
    const nb::gil_scoped_acquire lock;
    const auto list = [](const std::vector<Integer>& values) {
      nb::list l;
      for (const Integer& x : values) l.append(to_python(x));
      return l;
    };
    nb::list rows;
    for (const DotValues& v : all) {
      rows.append(
          nb::make_tuple(list(v.a), list(v.b), to_python(v.c), list(v.scale_a), list(v.scale_b)));
    }
    std::vector<Integer> answers;
    for (const nb::handle d : nb::list(nb::object(function_(rows)))) {
      answers.push_back(to_integer(d));
    }
    if (answers.size() != all.size()) {
      throw std::runtime_error("the oracle gave " + std::to_string(answers.size()) +
                               " answers to " + counted(all.size(), "input"));
    }
    return answers;
  }

 private:
  nb::handle function_;
};

/// `like`: an instruction or design with the formats and K of the unknown unit.
std::string identify_json(const Unit& like, const nb::object& oracle,
                          const std::vector<std::string>& restrictions, int batch, int confirm,
                          double pair_timeout, const Solve& solve) {
  require_range("batch", batch, 1, 1000000);
  require_range("confirm", confirm, 0, 1000000000);
  if (!(pair_timeout > 0 && pair_timeout <= 1e6)) {
    throw std::invalid_argument("pair_timeout: expected seconds above 0, 1000000 at most");
  }
  const Space space(like.instruction().formats, restrictions);
  IdentifyOptions options;
  options.batch = static_cast<std::size_t>(batch);
  options.confirm = static_cast<std::size_t>(confirm);
  options.pair_seconds = pair_timeout;
  options.strategies = solve.strategies();
  if (!solve.progress.is_none()) {
    options.progress = [look = nb::handle(solve.progress)](const std::string& line) {
      const nb::gil_scoped_acquire lock;
      look(line);
    };
  }
  const Portfolio solvers(solve.solver, Limits{solve.timeout});
  CallableOracle unit(oracle);
  return without_lock(
      [&] { return json_of(space, identify(space, unit, {}, options, solvers), {}); });
}

std::string verify_json(const std::vector<std::string>& files, const std::string& variant) {
  return without_lock([&] {
    const VerifyReport report = verify(files, variant);
    Json object;
    object["passed"] = report.passed;
    object["failed"] = report.failed;
    object["unreadable"] = report.bad_rows;
    object["instructions"] = Json::array();
    for (const auto& [name, counts] : report.by_instruction) {
      Json entry{{"instr", name}, {"passed", counts.passed}, {"failed", counts.failed}};
      entry["mismatches"] = Json::array();
      const Instruction instruction = find_with_conversions(name);
      for (const Mismatch& m : counts.first_mismatches) {
        auto row = mmaspec::to_json(m.row, instruction.formats);
        row["computed"] =
            to_hex(m.computed, static_cast<unsigned>(instruction.formats.d->hex_digits()));
        entry["mismatches"].push_back(std::move(row));
      }
      object["instructions"].push_back(std::move(entry));
    }
    return object.dump();
  });
}

/// The instructions that a GEMM library selects on a machine: product, name of the instruction,
/// source of the choice.
std::vector<std::tuple<std::string, std::string, std::string>> choices_of(
    const std::string& machine) {
  const std::string architecture = find_architecture(machine);
  std::vector<std::tuple<std::string, std::string, std::string>> all;
  for (const LibraryChoice& x : library_choices()) {
    if (x.architecture != architecture) continue;
    all.emplace_back(x.product, architecture + "/" + std::string(x.mnemonic), x.source);
  }
  return all;
}

std::string properties_json() {
  auto all = Json::array();
  for (const Property* p : properties()) {
    all.push_back({{"property", p->name()},
                   {"says", p->summary()},
                   {"source", p->source()},
                   {"names", p->of_two() ? 2 : 1}});
  }
  return all.dump();
}

}  // namespace

void bind_queries(nb::module_& m) {
  nb::class_<Solve>(m, "Solve")
      .def(
          "__init__",
          [](Solve* self, double timeout, const std::string& solver, unsigned seed, int jobs,
             nb::object progress) {
            if (!(timeout > 0 && timeout <= 1e6)) {
              throw std::invalid_argument(
                  "timeout: expected seconds above 0, 1000000 at most, got " +
                  std::to_string(timeout));
            }
            require_range("jobs", jobs, 0, 4096);
            new (self) Solve{timeout, solver, seed, jobs, std::move(progress)};
          },
          nb::arg("timeout"), nb::arg("solver"), nb::arg("seed"), nb::arg("jobs"),
          nb::arg("progress").none());
  nb::class_<Pairing>(m, "Pairing")
      .def("__init__",
           [](Pairing* self, const std::vector<std::string>& where, const std::string& inputs,
              bool pad, int chain, const std::string& match) {
             new (self) Pairing{where, inputs, pad, chain, match};
           });
  nb::class_<Answer>(m, "Answer").def_ro("text", &Answer::text).def_ro("json", &Answer::json);
  m.def("diff", &diff_answer, nb::arg("first"), nb::arg("second"), nb::arg("ulp").none(),
        nb::arg("absolute").none(), nb::arg("relative").none(), nb::arg("signed_zero"),
        nb::arg("count"), nb::arg("shrink"), nb::arg("all_k"), nb::arg("pairing"),
        nb::arg("solve"));
  m.def("diff_machines", &diff_machines_answer, nb::arg("first"), nb::arg("second"),
        nb::arg("pairing"), nb::arg("solve"));
  m.def("is_machine", [](const std::string& name) { return architecture_named(name).has_value(); });
  m.def("library_choices", &choices_of, nb::arg("machine"));
  m.def("maximize", &maximize_answer);
  m.def("tolerance", &tolerance_answer, nb::arg("first"), nb::arg("second"), nb::arg("rtol").none(),
        nb::arg("atol").none(), nb::arg("distribution").none(), nb::arg("samples"),
        nb::arg("confidence").none(), nb::arg("full"), nb::arg("pairing"), nb::arg("solve"));
  m.def(
      "export",
      [](const Unit& unit, const std::string& format, const std::string& module) {
        return without_lock([&] { return export_text(unit.instruction(), format, module); });
      },
      nb::arg("unit"), nb::arg("format"), nb::arg("module"));
  m.def("prove", &prove_answer, nb::arg("name"), nb::arg("first"), nb::arg("second").none(),
        nb::arg("bound").none(), nb::arg("within"), nb::arg("confirm"), nb::arg("shrink"),
        nb::arg("where"), nb::arg("solve"));
  m.def("table", &table_json);
  m.def("suite", &suite_json);
  m.def("identify", &identify_json);
  m.def("verify", &verify_json);
  m.def("properties", &properties_json);
}

}  // namespace mmaspec::python
