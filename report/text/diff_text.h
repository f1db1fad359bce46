#pragma once
/// The output of `diff` as text and as JSON.

#include <optional>
#include <string>
#include <vector>

#include "queries/ask/scope.h"
#include "queries/draw/typical.h"
#include "queries/prove/diff.h"
#include "queries/prove/maximize.h"
#include "queries/studies/machines/statistics.h"
#include "util/json.h"

namespace mmaspec {

/// The comparison as given on the command line; empty: not given.
struct AskedDifference {
  std::string ulp = {};
  std::string absolute = {};
  std::string relative = {};
  std::vector<std::string> where = {};
  InputClass inputs = InputClass::finite;
  Match match = Match::values;
  int step_k = 0;       ///< for all K: their common factor; 0: for one K
  bool full = false;    ///< witnesses show all products
  std::string measure;  ///< to maximize, `ulp` or `abs`; empty: none
};

/// Statistics in addition to the answer.
struct ShownStatistics {
  std::optional<Distribution> distribution;  ///< none: the user's data
  Statistics statistics;
};

/// " by more than 4 ulp and ..."; empty if every difference counts.
std::string condition_text(const AskedDifference& asked);
/// The set of inputs that an answer about the pair covers, and the evidence for both units.
Scope scope_of(const AskedDifference& asked, const Pair& pair);
/// The K and the inputs of the question.
std::string inputs_text(const AskedDifference& asked, const Pair& pair);
/// The inputs of a witness and both results, one per line.
std::string witness_text(const Pair& pair, const Witness& witness, bool full);

std::string text_of(const AskedDifference& asked, const DiffResult& result);
std::string text_of(const AskedDifference& asked, const Maximum& maximum);

/// One line: the share of results that differ, and by how much.
std::string text_of(const ShownStatistics& shown);
Json json_of(const ShownStatistics& shown);

/// The witnesses as lines of JSON, in order.
std::vector<std::string> rows_of(const DiffResult& result);
/// `certificate`: the new folder, or empty if none could be written; nullopt: not requested.
std::string json_of(const AskedDifference& asked, const DiffResult& result,
                    const std::optional<ShownStatistics>& data,
                    const std::optional<std::string>& certificate);
std::string json_of(const AskedDifference& asked, const Maximum& maximum);

}  // namespace mmaspec
