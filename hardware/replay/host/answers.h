#pragma once
/// Lines that a device program wrote, read.

#include <string_view>

#include "hardware/replay/host/device.h"

namespace mmaspec {

class DrawnAnswers;

/// Takes the lines of a record one by one: a header, then each row as it was asked, with an answer.
class AnswerReader {
 public:
  /// `rows`: what was asked, with the formats of their results. `drawn`: takes the answers to drawn
  /// rows, which may stand anywhere; nullptr: none were asked.
  AnswerReader(const std::vector<VectorRow>& rows, const std::vector<const Format*>& results,
               DrawnAnswers* drawn = nullptr)
      : rows_(rows), results_(results), drawn_(drawn) {}

  /// Throws std::invalid_argument with what is wrong with the line.
  void take(std::string_view line);
  /// What computed; empty if nothing said so.
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
