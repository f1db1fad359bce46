#pragma once
/// An unknown unit that answers questions.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "concrete/dot/model.h"
#include "util/deadline.h"

namespace mmaspec {

/// The instruction name in rows for an oracle.
inline constexpr const char* kOracle = "oracle";

class Oracle {
 public:
  Oracle() = default;
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;
  virtual ~Oracle() = default;

  /// The patterns of d for these inputs, in order. Throws std::runtime_error with a one-line
  /// message if the unit does not answer properly.
  virtual std::vector<Integer> ask(const std::vector<DotValues>& all) = 0;
};

/// A shell command that is executed once for each batch. It gets rows with `"instr":"oracle"` on
/// its standard input and prints the same rows with d, in order. `seconds`: time limit of a batch.
/// After `deadline` it throws OutOfTime.
std::unique_ptr<Oracle> command_oracle(const std::string& command, const DotFormats& formats,
                                       double seconds, const Deadline& deadline);

/// The same with one process for all batches, which prints one line for each line it reads.
/// `seconds`: time limit of a line.
std::unique_ptr<Oracle> stream_oracle(const std::string& command, const DotFormats& formats,
                                      double seconds, const Deadline& deadline);

/// The row of an input as an oracle reads it; with `d`: as it answers.
std::string oracle_row(const DotFormats& formats, const DotValues& values,
                       const std::optional<Integer>& d = {});

}  // namespace mmaspec
