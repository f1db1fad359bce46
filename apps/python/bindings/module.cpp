#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "apps/cli/program/program.h"
#include "apps/python/bindings/unit.h"
#include "queries/ask/question.h"
#include "util/deadline.h"

namespace nb = nanobind;

namespace {

/// The command line. The first argument is the program's name. Returns the exit status.
int run_command_line(const std::vector<nb::bytes>& given) {
  std::vector<std::string> arguments;
  for (const nb::bytes& g : given) arguments.emplace_back(g.c_str());
  std::vector<char*> pointers;
  for (std::string& a : arguments) pointers.push_back(a.data());
  pointers.push_back(nullptr);
  const nb::gil_scoped_release released;
  return mmaspec::cli::run_program(static_cast<int>(arguments.size()), pointers.data(),
                                   "mmaspec " MMASPEC_VERSION);
}

}  // namespace

NB_MODULE(_core, m) {
  using namespace mmaspec;
  m.attr("__version__") = MMASPEC_VERSION;
  // Exceptions become ValueError, RuntimeError and so on by nanobind's rules, except these.
  // NOLINTBEGIN(bugprone-unused-raii,bugprone-throw-keyword-missing): the constructors register
  // types
  nb::exception<Contradiction>(m, "Contradiction", PyExc_AssertionError);
  nb::exception<OutOfTime>(m, "OutOfTime", PyExc_TimeoutError);
  // NOLINTEND(bugprone-unused-raii,bugprone-throw-keyword-missing)
  m.def("run_command_line", &run_command_line, nb::arg("arguments"));
  nb::module_ language = m.def_submodule("language");
  python::bind_unit(m);
  python::bind_device(m);
  python::bind_compare(m);
  python::bind_explain(m);
  python::bind_queries(m);
  python::bind_explore(m);
  python::bind_language(language);
}
