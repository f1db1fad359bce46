#pragma once
/// Options of the SystemVerilog checker that `export --format sva` writes.

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/command.h"
#include "encoder/export/checker.h"

namespace mmaspec::cli {

struct CheckerOptions {
  std::string latency;  ///< a number or `any`
  bool any_nan = false;
  std::string bind;  ///< the unit's module
  std::string bind_out;
  std::vector<std::string> map;
  std::string valid_in;
  std::string valid_out;
  std::string reset;  ///< PORT=VALUE
  std::string clock;

  void add_to(Command& command);
  /// The name of an option that was given; empty: none was.
  std::string given() const;

  /// These throw std::invalid_argument with a one-line message.
  CheckerDefaults defaults() const;
  std::optional<CheckerBinding> binding() const;
};

}  // namespace mmaspec::cli
