#pragma once
/// Instructions as Python sees them.

#include <nanobind/nanobind.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "concrete/device/runner.h"
#include "concrete/matrix/matrix.h"
#include "spec/catalog/instruction.h"

namespace mmaspec::python {

/// An instruction, and what was built of it for matrices. Serves many threads.
class Unit {
 public:
  explicit Unit(Instruction instruction) : instruction_(std::move(instruction)) {}

  const Instruction& instruction() const { return instruction_; }
  /// For matrices of this K.
  std::shared_ptr<const MatrixRunner> runner(std::size_t k) const;
  /// Runs tasks of this K on the device that the user calls so, one call at a time.
  void run_on(const std::string& device, std::size_t k, const std::vector<MatrixTask>& tasks) const;

 private:
  Instruction instruction_;
  mutable std::mutex lock_;
  mutable std::map<int, std::shared_ptr<const MatrixRunner>> runners_;  ///< by the chained K
  mutable std::map<std::string, std::unique_ptr<device::DeviceRunner>>
      device_runners_;  ///< by name
};

/// An exact integer as Python's.
nanobind::object to_python(const Integer& x);
Integer to_integer(const nanobind::handle& x);

void bind_unit(nanobind::module_& m);
void bind_compare(nanobind::module_& m);
void bind_explain(nanobind::module_& m);
void bind_queries(nanobind::module_& m);
void bind_language(nanobind::module_& m);

}  // namespace mmaspec::python
