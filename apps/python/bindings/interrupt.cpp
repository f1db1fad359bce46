#include "apps/python/bindings/interrupt.h"

#include "util/deadline.h"

namespace mmaspec::python {
namespace {

volatile std::sig_atomic_t interrupted = 0;

/// The interpreter delivers signals only to its main thread.
bool in_main_thread() {
  const nanobind::gil_scoped_acquire lock;
  const nanobind::object threading = nanobind::module_::import_("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

}  // namespace

StopOnInterrupt::StopOnInterrupt() : is_main_thread_(in_main_thread()) {
  if (!is_main_thread_) return;
  interrupted = 0;
  struct sigaction action = {};
  action.sa_handler = [](int) {
    interrupted = 1;
    stop_work();
  };
  sigaction(SIGINT, nullptr, &before_);
  if (before_.sa_handler != SIG_IGN) sigaction(SIGINT, &action, nullptr);
}

StopOnInterrupt::~StopOnInterrupt() {
  if (!is_main_thread_) return;
  sigaction(SIGINT, &before_, nullptr);
  if (was_interrupted()) resume_work();
}

bool StopOnInterrupt::was_interrupted() const { return is_main_thread_ && interrupted != 0; }

void raise_interrupt() {
  PyErr_SetNone(PyExc_KeyboardInterrupt);
  throw nanobind::python_error();
}

}  // namespace mmaspec::python
