#include "queries/studies/matrix/row.h"

#include <array>
#include <stdexcept>

#include "concrete/dot/runner.h"
#include "queries/values/distance.h"
#include "util/json.h"

namespace mmaspec {
namespace {

constexpr std::array kVerdicts{PairVerdict::equal, PairVerdict::differ, PairVerdict::undecided};
constexpr std::array kTakes{Takes::ordinary,     Takes::both_signs, Takes::unlike_sizes,
                            Takes::cancellation, Takes::subnormal,  Takes::overflow};

template <typename Words>
auto named(const Words& words, std::string_view text) {
  for (const auto word : words) {
    if (to_string(word) == text) return word;
  }
  throw std::invalid_argument("unknown value '" + std::string(text) + "'");
}

Json to_json(const VectorRow& row, const Pair& pair) {
  return mmaspec::to_json(row, pair.first.formats, pair.second.formats.d);
}

VectorRow row_of(const Json& object, const Pair& pair) {
  VectorRow row = mmaspec::row_of(object);
  check_row(row, pair.first.formats, pair.second.formats.d);
  if (!row.d || !row.d_other) throw std::invalid_argument("a witness without results");
  return row;
}

bool is_confirmed(const VectorRow& row, const Pair& pair) {
  DotValues other;
  try {
    other = counterpart(pair, Match::values, row.values);
  } catch (const NoCounterpart&) {
    return false;
  }
  const auto gives = [](const Instruction& i, const DotValues& values, const Integer& d) {
    return DotRunner(i.algorithm, i.formats).run(values) == d;
  };
  return gives(pair.first, row.values, *row.d) && gives(pair.second, other, *row.d_other) &&
         differ({}, *pair.first.formats.d, *row.d, *pair.second.formats.d, *row.d_other);
}

}  // namespace

std::string_view to_string(PairVerdict verdict) {
  switch (verdict) {
    case PairVerdict::equal:
      return "equal";
    case PairVerdict::differ:
      return "differ";
    case PairVerdict::undecided:
      break;
  }
  return "undecided";
}

std::string_view to_string(Takes takes) {
  switch (takes) {
    case Takes::ordinary:
      return "ordinary data in [0, 1)";
    case Takes::both_signs:
      return "ordinary data of both signs";
    case Takes::unlike_sizes:
      return "terms of unlike sizes";
    case Takes::cancellation:
      return "cancellation";
    case Takes::subnormal:
      return "a subnormal";
    case Takes::overflow:
      break;
  }
  return "overflow";
}

Takes takes_named(std::string_view text) { return named(kTakes, text); }

bool rests_on_argument(const PairRow& row) {
  return row.verdict == PairVerdict::equal && row.by == by(Justification::Kind::argument);
}

bool rests_on_argument(const PairRow& row, double before_arguments) {
  return rests_on_argument(row) && row.before_arguments < before_arguments;
}

Json to_json(const PairRow& row, const Pair& pair) {
  Json object;
  object["verdict"] = to_string(row.verdict);
  if (!row.by.empty()) object["by"] = row.by;
  if (!row.through.empty()) object["through"] = row.through;
  if (row.before_arguments > 0) object["before_arguments"] = row.before_arguments;
  if (row.verdict == PairVerdict::undecided) {
    object["how"] = row.how;
    object["timeout"] = row.timeout;
    object["solver"] = row.solver;
    if (row.contradiction) object["contradiction"] = true;
  }
  if (row.verdict != PairVerdict::differ) return object;
  object["takes"] = to_string(row.takes);
  object["ulp"] = row.ulp;
  object["relative"] = row.relative;
  if (row.unbounded) object["unbounded"] = true;
  object["witness"] = to_json(row.witness.value(), pair);
  if (row.worst) object["worst"] = to_json(*row.worst, pair);
  return object;
}

PairRow pair_row_of(const Json& object, const Pair& pair) {
  PairRow row;
  row.verdict = named(kVerdicts, object.at("verdict").get<std::string>());
  row.by = object.value("by", "");
  row.through = object.value("through", "");
  row.before_arguments = object.value("before_arguments", 0.0);
  if (row.verdict == PairVerdict::undecided) {
    row.how = object.at("how");
    row.timeout = object.at("timeout");
    row.solver = object.at("solver");
    row.contradiction = object.value("contradiction", false);
  }
  if (row.verdict != PairVerdict::differ) return row;
  row.takes = takes_named(object.at("takes").get<std::string>());
  row.ulp = object.at("ulp");
  row.relative = object.at("relative");
  row.unbounded = object.value("unbounded", false);
  row.witness = row_of(object.at("witness"), pair);
  if (object.contains("worst")) row.worst = row_of(object.at("worst"), pair);
  return row;
}

bool is_confirmed(const PairRow& row, const Pair& pair) {
  return row.witness && is_confirmed(*row.witness, pair) &&
         (!row.worst || is_confirmed(*row.worst, pair));
}

}  // namespace mmaspec
