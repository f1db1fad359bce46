#include "queries/request/tolerance_request.h"

#include <stdexcept>

#include "queries/request/diff_request.h"

namespace mmaspec {
namespace {

constexpr double kTypicalShare = 0.5;  // of the time, for random rows

}  // namespace

double tolerance_number(const std::string& option, const std::string& text) {
  if (text.empty()) return 0;
  const Rational x = parse_difference(option, text);
  if (x < 0) throw std::invalid_argument(option + ": expected a number from 0 on, got " + text);
  return x.convert_to<double>();
}

FoundTolerance ask_tolerance(const Instruction& first, const Instruction& second,
                             ToleranceRequest request, const Portfolio& solvers) {
  DiffOptions& diff = request.diff;
  // The numbers that a test has, which are double precision's.
  if (!request.rtol.empty()) {
    diff.difference.relative = Rational(tolerance_number("--rtol", request.rtol));
  }
  if (!request.atol.empty()) {
    diff.difference.absolute = Rational(tolerance_number("--atol", request.atol));
  }
  if (diff.difference.relative && diff.difference.absolute) {
    throw std::invalid_argument("--rtol or --atol: the least of the other is looked for");
  }
  if (request.samples < 1 || request.samples > 100'000'000) {
    throw std::invalid_argument("--samples: expected an integer from 1 to 100000000, got " +
                                std::to_string(request.samples));
  }
  std::optional<LargestDifference> typical;
  std::vector<DotValues> known;
  if (request.distribution) {
    typical =
        largest_difference(pair_up(first, second, diff.pairing), diff.where, *request.distribution,
                           static_cast<std::size_t>(request.samples), diff.strategies.seed,
                           diff.strategies.deadline.part(kTypicalShare));
    if (typical->worst) known.push_back(*typical->worst);
  }
  const Measure measure = request.atol.empty() ? Measure::absolute : Measure::relative;
  return {maximize(first, second, diff, measure, solvers, known), typical};
}

}  // namespace mmaspec
