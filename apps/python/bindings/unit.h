#pragma once
/// Instructions as Python objects.

#include <nanobind/nanobind.h>

#include <map>
#include <memory>
#include <string>

#include "concrete/device/runner.h"
#include "queries/compare/prepared_unit.h"

namespace mmaspec::python {

/// An instruction with cached runners for matrices. Thread-safe.
class Unit : public PreparedUnit {
 public:
  using PreparedUnit::PreparedUnit;

  /// Computes tasks with this K on the device of this name, one call at a time.
  void run_on(const std::string& device, std::size_t k, const std::vector<MatrixTask>& tasks) const;
  /// The same for tasks in the memory of a CUDA device (DeviceRunner::run_in_place), on the first
  /// stream, when all work on the others has ended.
  void run_in_place(const std::string& device, std::size_t k, const std::vector<MatrixTask>& tasks,
                    const std::vector<device::Device::Stream>& streams) const;

 private:
  /// Only under device_mutex().
  device::DeviceRunner& device_runner(const std::string& device, std::size_t k) const;

  mutable std::map<std::string, std::unique_ptr<device::DeviceRunner>>
      device_runners_;  ///< by name
};

/// An exact integer as Python's.
nanobind::object to_python(const Integer& x);
Integer to_integer(const nanobind::handle& x);

void bind_unit(nanobind::module_& m);
void bind_device(nanobind::module_& m);
void bind_compare(nanobind::module_& m);
void bind_explore(nanobind::module_& m);
void bind_explain(nanobind::module_& m);
void bind_queries(nanobind::module_& m);
void bind_language(nanobind::module_& m);

}  // namespace mmaspec::python
