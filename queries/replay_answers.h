#pragma once
/// Lines that a device program wrote, read.

#include <string_view>

#include "queries/replay_device.h"

namespace mmaspec {

/// Takes the lines of a record one by one: a header, then each row as it was asked, with an answer.
class AnswerReader {
 public:
  /// `rows`: what was asked, with the formats of their results.
  AnswerReader(const std::vector<VectorRow>& rows, const std::vector<const Format*>& results)
      : rows_(rows), results_(results) {}

  /// Throws std::invalid_argument with what is wrong with the line.
  void take(std::string_view line);
  /// The answers; throws std::invalid_argument if rows are missing.
  DeviceRun finish();

 private:
  const std::vector<VectorRow>& rows_;
  const std::vector<const Format*>& results_;
  DeviceRun run_;
  bool begun_ = false;
};

}  // namespace mmaspec
