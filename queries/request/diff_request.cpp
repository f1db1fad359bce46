#include "queries/request/diff_request.h"

#include <stdexcept>

#include "queries/prove/any_order.h"
#include "spec/formats/text.h"

namespace mmaspec {

Integer parse_ulp(const std::string& option, const std::string& text) {
  if (text.empty() || text.size() > 30 ||
      text.find_first_not_of("0123456789") != std::string::npos) {
    throw std::invalid_argument(
        option + ": expected an integer of at least 0 with at most 30 digits, got '" +
        text.substr(0, 60) + "'");
  }
  return numerator(parse_rational(text));  // Integer(text) reads 010 as octal
}

Rational parse_difference(const std::string& option, const std::string& text) {
  try {
    return parse_rational(text);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(option + ": " + error.what());
  }
}

AllK ask_diff(const Instruction& first, const Instruction& second, const DiffOptions& options,
              bool all_k, const Portfolio& solvers) {
  if (!all_k) {
    if (is_of_any_order(first) || is_of_any_order(second)) {
      return {diff_in_any_order(first, second, options, solvers), 0};
    }
    return {diff(first, second, options, solvers), 0};
  }
  const auto& [ulp, absolute, relative, signed_zero] = options.difference;
  const auto& [pad, chain, match] = options.pairing;
  if (ulp || absolute || relative || options.where || options.count > 1 || pad || chain > 0 ||
      match != Match::values) {
    throw std::invalid_argument(
        "--all-k cannot be combined with --ulp, --abs, --rel, --where, --count, --pad, --chain or "
        "--match");
  }
  return diff_for_all_k(first, second, options, solvers);
}

}  // namespace mmaspec
