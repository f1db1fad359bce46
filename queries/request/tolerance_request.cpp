#include "queries/request/tolerance_request.h"

#include <stdexcept>

#include "queries/request/diff_request.h"
#include "queries/studies/machines/data.h"

namespace mmaspec {
namespace {

constexpr double kTypicalShare = 0.5;  // share of the time for random rows

TypicalData data_of(const ToleranceRequest& request, const DotFormats& formats) {
  const std::string& from = request.distribution;
  const unsigned seed = request.diff.strategies.seed;
  if (from.empty() || from == "normal") return {formats, Distribution::normal, seed};
  if (from == "uniform") return {formats, Distribution::uniform, seed};
  if (from.ends_with(".npy")) return {formats, read_numbers(from), seed};
  throw std::invalid_argument("--distribution: expected normal, uniform or a .npy file, got " +
                              from);
}

}  // namespace

double tolerance_number(const std::string& option, const std::string& text) {
  if (text.empty()) return 0;
  const Rational x = parse_difference(option, text);
  if (x < 0) throw std::invalid_argument(option + ": expected a number of at least 0, got " + text);
  return x.convert_to<double>();
}

FoundTolerance ask_tolerance(const Instruction& first, const Instruction& second,
                             ToleranceRequest request, const Portfolio& solvers) {
  DiffOptions& diff = request.diff;
  // Tolerances are double-precision numbers in tests.
  if (!request.rtol.empty()) {
    diff.difference.relative = Rational(tolerance_number("--rtol", request.rtol));
  }
  if (!request.atol.empty()) {
    diff.difference.absolute = Rational(tolerance_number("--atol", request.atol));
  }
  if (diff.difference.relative && diff.difference.absolute) {
    throw std::invalid_argument(
        "--rtol and --atol exclude each other: tolerance finds the least value of the other one");
  }
  if (request.samples < 1 || request.samples > 100'000'000) {
    throw std::invalid_argument("--samples: expected an integer from 1 to 100000000, got " +
                                std::to_string(request.samples));
  }
  if (request.confidence && !(*request.confidence > 0.5 && *request.confidence < 1)) {
    throw std::invalid_argument(
        "--confidence: expected a probability above 0.5 and below 1, such as 0.999");
  }
  const Measure measure = request.atol.empty() ? Measure::absolute : Measure::relative;
  std::optional<LargestDifference> typical;
  std::optional<SampledTolerance> sampled;
  std::vector<DotValues> known;
  if (request.confidence || !request.distribution.empty()) {
    const Pair pair = pair_up(first, second, diff.pairing);
    TypicalData data = data_of(request, pair.first.formats);
    const auto count = static_cast<std::size_t>(request.samples);
    const Deadline deadline =
        earlier(diff.strategies.deadline, Deadline::in(solvers.limits().seconds))
            .part(kTypicalShare);
    if (request.confidence) {
      const Needed needed{tolerance_number("--rtol", request.rtol),
                          tolerance_number("--atol", request.atol), measure == Measure::relative};
      sampled = sampled_tolerance(pair, diff.where, std::move(data), count, *request.confidence,
                                  needed, deadline);
      typical = sampled->largest;
    } else {
      typical = largest_difference(pair, diff.where, std::move(data), count, deadline);
    }
    if (typical->worst) known.push_back(*typical->worst);
  }
  return {maximize(first, second, diff, measure, solvers, known), typical, sampled};
}

}  // namespace mmaspec
