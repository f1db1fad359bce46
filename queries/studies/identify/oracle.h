#pragma once
/// An unknown unit that can be asked.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "concrete/dot/model.h"
#include "util/deadline.h"

namespace mmaspec {

/// The name that rows have which an oracle is asked.
inline constexpr const char* kOracle = "oracle";

class Oracle {
 public:
  Oracle() = default;
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;
  virtual ~Oracle() = default;

  /// The patterns of d for these inputs, in order. Throws std::runtime_error with one line that
  /// says what the unit did instead of answering.
  virtual std::vector<Integer> ask(const std::vector<DotValues>& all) = 0;
};

/// A shell command that is run once for each batch: rows with `"instr":"oracle"` on its standard
/// input to the end, the same rows with d back, in order. `seconds`: how long a batch may take.
/// Beyond `deadline` it throws OutOfTime.
std::unique_ptr<Oracle> command_oracle(const std::string& command, const DotFormats& formats,
                                       double seconds, const Deadline& deadline);

/// The same, kept running: a line back for each line. `seconds`: how long a line may take.
std::unique_ptr<Oracle> stream_oracle(const std::string& command, const DotFormats& formats,
                                      double seconds, const Deadline& deadline);

/// The row of an input as an oracle reads it; with `d`: as it answers.
std::string oracle_row(const DotFormats& formats, const DotValues& values,
                       const std::optional<Integer>& d = {});

}  // namespace mmaspec
