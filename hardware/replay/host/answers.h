#pragma once
/// Reads lines that a device program wrote.

#include <string_view>

#include "hardware/replay/host/device.h"

namespace mmaspec {

class DrawnAnswers;

/// Takes the lines of a record one by one: a header, then each requested row with an answer.
class AnswerReader {
 public:
  /// `rows`: the requested rows; `results`: the formats of their results. `drawn`: takes the
  /// answers to drawn rows, which may be on any line; nullptr: none were requested.
  AnswerReader(const std::vector<VectorRow>& rows, const std::vector<const Format*>& results,
               DrawnAnswers* drawn = nullptr)
      : rows_(rows), results_(results), drawn_(drawn) {}

  /// Throws std::invalid_argument with the reason if the line is invalid.
  void take(std::string_view line);
  /// The description of the device; empty if there was none.
  const std::string& header() const { return run_.header; }
  /// The answers; throws std::invalid_argument if rows are missing.
  DeviceRun finish();

 private:
  const std::vector<VectorRow>& rows_;
  const std::vector<const Format*>& results_;
  DrawnAnswers* drawn_;
  DeviceRun run_;
  bool begun_ = false;
};

}  // namespace mmaspec
