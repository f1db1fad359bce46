#pragma once
/// Compares the specification with a device, and rival hypotheses about the hardware with each
/// other.

#include <map>
#include <string>
#include <vector>

#include "hardware/replay/host/device.h"
#include "solver/solver.h"
#include "util/deadline.h"

namespace mmaspec {

struct Disagreement {
  std::size_t row;
  Integer computed;  ///< by the spec
  Integer device;
};

struct ReplayCounts {
  std::size_t passed = 0;
  std::size_t failed = 0;  ///< the device's d differs from the specification's, or is uneven
  std::size_t lacking = 0;
  std::size_t uneven = 0;
  std::vector<Disagreement> first;           ///< at most three
  std::map<std::string, std::size_t> lacks;  ///< number of rows for each reason
};

/// Rows with the same question, and how often each rival predicted the device's answer.
struct RivalGroup {
  std::string question;
  std::string why;  ///< the part of `why` before a colon
  std::string instruction;
  std::size_t rows = 0;
  std::size_t answered = 0;
  struct Score {
    std::string rival;
    std::size_t asked = 0;  ///< answered rows for which it has a prediction
    std::size_t right = 0;
    bool survives() const { return asked > 0 && right == asked; }
  };
  std::vector<Score> rivals;
};

struct ReplayReport {
  std::map<std::string, ReplayCounts> by_instruction;
  std::vector<RivalGroup> groups;  ///< of rows with answers
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t lacking = 0;
};

ReplayReport compare(const std::vector<ReplayRow>& rows, const DeviceRun& run, RowModels& models);

/// Two rivals that no row found distinguishes.
struct Unseparated {
  std::string first;
  std::string second;
  bool proved;  ///< it is proved that they never differ
  std::string how;
};

struct Decision {
  std::vector<ReplayRow> rows;  ///< each with every rival's answer
  std::vector<Unseparated> unseparated;
};

/// Rows that distinguish rival models of one instruction, pair by pair: `count` rows for each pair
/// that the earlier pairs' rows do not distinguish. The rows name the first catalogued instruction
/// in `names`, in its default variant. Throws std::invalid_argument unless all have its formats and
/// K.
Decision discriminate(const std::vector<std::string>& names, int count, unsigned seed,
                      const Portfolio& solvers, const Deadline& deadline);

}  // namespace mmaspec
