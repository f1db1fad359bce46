#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "cli/command.h"
#include "cli/tables/suite_text.h"
#include "cli/tables/table_text.h"
#include "cli/text/identify_text.h"
#include "cli/text/prove_text.h"
#include "identify/identify.h"
#include "python/bindings/interrupt.h"
#include "python/bindings/unit.h"
#include "queries/audit/verify.h"
#include "queries/numbers/where.h"
#include "queries/prove/diff.h"
#include "queries/prove/maximize.h"
#include "queries/prove/prove.h"
#include "queries/table/results.h"
#include "suite/suite.h"
#include "util/json.h"
#include "vectors/row.h"

namespace mmaspec::python {

namespace nb = nanobind;

namespace {

/// What every question is asked with.
struct Solve {
  double timeout = 60;
  std::string solver = "auto";
  unsigned seed = 0;
  int jobs = 0;
  /// Called a few times a second with the seconds passed and what is running; None: nobody looks.
  nb::object progress = nb::none();

  Portfolio portfolio() const {
    Limits limits;
    limits.seconds = timeout;
    Portfolio solvers(solver, limits);
    if (!progress.is_none()) {
      solvers.on_wait([look = nb::handle(progress)](double seconds, const std::string& running) {
        const nb::gil_scoped_acquire lock;
        look(seconds, running);
      });
    }
    return solvers;
  }
  Strategies strategies() const {
    Strategies s;
    s.seed = seed;
    s.jobs = jobs;
    s.deadline = Deadline::in(timeout);
    return s;
  }
};

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

std::optional<Rational> bound(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  return parse_rational(*text);
}

/// Which inputs two units are compared on.
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

Json row_of(const Pair& pair, const Witness& w) {
  return mmaspec::to_json(w.row, pair.first.formats, pair.second.formats.d);
}

std::string to_json(const DiffResult& result, const std::vector<std::string>& where) {
  Json object;
  object["first"] = result.pair.first.name();
  object["second"] = result.pair.second.name();
  object["verdict"] = result.verdict == Verdict::satisfiable     ? "witness"
                      : result.verdict == Verdict::unsatisfiable ? "proved"
                                                                 : "undecided";
  if (!where.empty()) object["where"] = where;
  object["note"] = result.pair.note;
  if (result.verdict == Verdict::unsatisfiable) object["by"] = by(result.grounds.kind);
  object["how"] = result.grounds.how();
  if (result.verdict == Verdict::unsatisfiable) cli::add_vacuity(object, result.vacuity, where);
  object["seconds"] = result.seconds;
  object["witnesses"] = Json::array();
  for (const Witness& w : result.witnesses) object["witnesses"].push_back(row_of(result.pair, w));
  if (result.exhausted) object["exhausted"] = true;
  object["attempts"] = cli::explain_json(result.attempts);
  return object.dump();
}

std::string diff_json(const Unit& first, const Unit& second, const std::optional<std::string>& ulp,
                      const std::optional<std::string>& absolute,
                      const std::optional<std::string>& relative, bool signed_zero, int count,
                      bool shrink, const Pairing& pairing, const Solve& solve) {
  const Where where(pairing.where);
  DiffOptions options = pairing.options(where, solve);
  if (ulp) options.difference.ulp = Integer(*ulp);
  options.difference.absolute = bound(absolute);
  options.difference.relative = bound(relative);
  options.difference.signed_zero = signed_zero;
  options.count = count;
  options.shrink = shrink;
  const Portfolio solvers = solve.portfolio();
  return without_lock([&] {
    return to_json(diff(first.instruction(), second.instruction(), options, solvers),
                   pairing.where);
  });
}

std::string maximize_json(const Unit& first, const Unit& second, const std::string& measure,
                          const Pairing& pairing, const Solve& solve) {
  const Where where(pairing.where);
  const DiffOptions options = pairing.options(where, solve);
  const Portfolio solvers = solve.portfolio();
  if (measure != "ulp" && measure != "abs") {
    throw std::invalid_argument("measure '" + measure + "': expected ulp or abs");
  }
  return without_lock([&] {
    const Maximum m = maximize(first.instruction(), second.instruction(), options,
                               measure == "ulp" ? Measure::ulp : Measure::absolute, solvers);
    Json object;
    object["first"] = m.pair.first.name();
    object["second"] = m.pair.second.name();
    object["measure"] = measure;
    object["largest"] = m.unbounded ? "inf" : shortest_text(m.found);
    object["bound"] = m.unbounded ? Json("inf") : m.bound ? Json(shortest_text(*m.bound)) : Json();
    object["proved"] = m.unbounded || (m.bound && *m.bound <= m.found);
    object["note"] = m.pair.note;
    object["how"] = m.grounds.how();
    object["seconds"] = m.seconds;
    if (m.witness) object["witness"] = row_of(m.pair, *m.witness);
    return object.dump();
  });
}

std::string prove_json(const std::string& name, const Unit& first, const Unit* second,
                       const std::optional<std::string>& bound_text, int within, bool confirm,
                       bool shrink, const std::vector<std::string>& conditions,
                       const Solve& solve) {
  const Property& property = find_property(name);
  if (property.of_two() != (second != nullptr)) {
    throw std::invalid_argument(name + " is a property of " +
                                (property.of_two() ? "two units" : "one unit"));
  }
  Subject subject = subject_of(
      first.instruction(), second == nullptr ? std::nullopt : std::optional(second->instruction()));
  subject.within = within;
  subject.parameter = bound(bound_text);
  const bool has_number = !property.parameters(subject).empty();
  if (!has_number && bound_text) throw std::invalid_argument(name + " takes no bound");
  const Where where(conditions);
  ProveOptions options;
  options.strategies = solve.strategies();
  options.shrink = shrink;
  options.confirm = confirm;
  options.where = condition_of(where);
  const Portfolio solvers = solve.portfolio();
  return without_lock([&] {
    const cli::Asked asked{property, subject, conditions};
    return has_number && !bound_text
               ? cli::json_of(asked, tightest(property, subject, options, solvers))
               : cli::json_of(asked, prove(property, subject, options, solvers));
  });
}

std::string table_json(const std::vector<const Unit*>& units, const std::vector<std::string>& names,
                       const Solve& solve) {
  std::vector<Instruction> instructions;
  for (const Unit* u : units) instructions.push_back(u->instruction());
  cli::Table table;
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
    return cli::json_of(table);
  });
}

std::string suite_json(const std::vector<const Unit*>& units, int chain, bool pad,
                       const std::string& inputs, const std::vector<std::string>& conditions,
                       bool signed_zero, bool adaptive, const Solve& solve) {
  std::vector<Instruction> own;
  for (const Unit* u : units) own.push_back(u->instruction());
  const Where where(conditions);
  SuiteOptions options;
  options.panel = {input_class(inputs), condition_of(where), signed_zero};
  options.strategies = solve.strategies();
  options.adaptive = adaptive;
  const Portfolio solvers = solve.portfolio();
  return without_lock([&] {
    return cli::json_of(make_suite(brought_together(own, chain, pad), options, solvers),
                        conditions);
  });
}

/// A Python function that is given rows of patterns and answers with patterns.
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
                               " answers to " + std::to_string(all.size()) + " inputs");
    }
    return answers;
  }

 private:
  nb::handle function_;
};

/// `like`: an instruction or design whose formats and K the unknown unit has.
std::string identify_json(const Unit& like, const nb::object& oracle,
                          const std::vector<std::string>& restrictions, int batch, int confirm,
                          double pair_timeout, const Solve& solve) {
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
      [&] { return cli::json_of(space, identify(space, unit, {}, options, solvers), {}); });
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
      const Instruction instruction = find_instruction(name);
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
            if (!(timeout > 0)) throw std::invalid_argument("timeout must be above 0 seconds");
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
  m.def("diff", &diff_json, nb::arg("first"), nb::arg("second"), nb::arg("ulp").none(),
        nb::arg("absolute").none(), nb::arg("relative").none(), nb::arg("signed_zero"),
        nb::arg("count"), nb::arg("shrink"), nb::arg("pairing"), nb::arg("solve"));
  m.def("maximize", &maximize_json);
  m.def("prove", &prove_json, nb::arg("name"), nb::arg("first"), nb::arg("second").none(),
        nb::arg("bound").none(), nb::arg("within"), nb::arg("confirm"), nb::arg("shrink"),
        nb::arg("where"), nb::arg("solve"));
  m.def("table", &table_json);
  m.def("suite", &suite_json);
  m.def("identify", &identify_json);
  m.def("verify", &verify_json);
  m.def("properties", &properties_json);
}

}  // namespace mmaspec::python
