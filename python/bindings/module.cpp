#include <nanobind/nanobind.h>

#include "python/bindings/unit.h"
#include "queries/ask/question.h"
#include "util/deadline.h"

namespace nb = nanobind;

NB_MODULE(_core, m) {
  using namespace mmaspec;
  m.attr("__version__") = MMASPEC_VERSION;
  // What is thrown becomes ValueError, RuntimeError and so on by nanobind's own rules, but for
  // these.
  nb::exception<Contradiction>(m, "Contradiction", PyExc_AssertionError);
  nb::exception<OutOfTime>(m, "OutOfTime", PyExc_TimeoutError);
  nb::module_ language = m.def_submodule("language");
  python::bind_unit(m);
  python::bind_compare(m);
  python::bind_queries(m);
  python::bind_language(language);
}
