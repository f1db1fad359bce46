#include "apps/cli/options/checker_options.h"

#include <fmt/format.h>

#include <cctype>
#include <stdexcept>

#include "apps/cli/parser.h"

namespace mmaspec::cli {
namespace {

/// Throws std::invalid_argument unless the brackets are balanced and nothing ends the expression.
void require_port_expression(const std::string& option, const std::string& text) {
  std::string closing;
  bool is_sound = text.find_first_not_of(" \t") != std::string::npos;
  for (const char c : text) {
    if (c == '(') closing += ')';
    if (c == '[') closing += ']';
    if (c == '{') closing += '}';
    if (c == ')' || c == ']' || c == '}') {
      is_sound = is_sound && !closing.empty() && closing.back() == c;
      if (!closing.empty()) closing.pop_back();
    }
    const bool ends = c == ';' || c == '"' || c == '`' || (c == ',' && closing.empty());
    is_sound = is_sound && !ends && std::isprint(static_cast<unsigned char>(c)) != 0;
  }
  if (!is_sound || !closing.empty() || text.find("//") != std::string::npos ||
      text.find("/*") != std::string::npos) {
    throw std::invalid_argument(option + ": '" + text + "' is not an expression over ports");
  }
}

/// `rst_n=0` as an expression that is 1 in a reset.
std::string reset_expression(const std::string& text) {
  if (text.empty()) return "1'b0";
  const std::size_t equals = text.rfind('=');
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (equals == 0 || (value != "0" && value != "1")) {
    throw std::invalid_argument("--reset: '" + text + "' is not of the form PORT=0 or PORT=1");
  }
  const std::string port = text.substr(0, equals);
  require_port_expression("--reset", port);
  return value == "0" ? "!" + port : port;
}

bool is_module_name(const std::string& text) {
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '$') return false;
  }
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0;
}

}  // namespace

void CheckerOptions::add_to(Command& command) {
  command
      .add_option("--latency", latency,
                  "with sva: the number of clock edges from the operands to the result, or 'any' "
                  "for results in order at --valid-out (default: 0)")
      .not_empty();
  command.add_flag("--any-nan", any_nan, "with sva: accept any NaN pattern in place of a NaN");
  command
      .add_option("--bind", bind,
                  "with sva: the module of your unit, to whose instances a bind directive connects "
                  "the checker")
      .not_empty();
  command
      .add_option("--bind-out", bind_out,
                  "write the bind directive to this file, instead of after the checker")
      .not_empty()
      .ending({"sv", "svh", "v"});
  command
      .add_option("--map", map,
                  "with --bind: the signals of an operand, such as a='{a1,a0}'; element 0 has the "
                  "lowest bits (default: the operand's name)")
      .expected(1, 1)
      .repeatable();
  command
      .add_option("--valid-in", valid_in,
                  "with --bind: the signal that is 1 with operands (default: always)")
      .not_empty();
  command.add_option("--valid-out", valid_out, "with --bind: the signal that is 1 with the result")
      .not_empty();
  command
      .add_option("--reset", reset,
                  "with --bind: the signal that resets the unit and its active value, such as "
                  "rst_n=0")
      .not_empty();
  command.add_option("--clock", clock, "with --bind: the clock (default: clk)").not_empty();
}

std::string CheckerOptions::given() const {
  if (!latency.empty()) return "--latency";
  if (any_nan) return "--any-nan";
  if (!bind.empty()) return "--bind";
  if (!bind_out.empty()) return "--bind-out";
  if (!map.empty()) return "--map";
  if (!valid_in.empty()) return "--valid-in";
  if (!valid_out.empty()) return "--valid-out";
  if (!reset.empty()) return "--reset";
  return clock.empty() ? "" : "--clock";
}

CheckerDefaults CheckerOptions::defaults() const {
  CheckerDefaults checker;
  checker.any_nan = any_nan;
  checker.has_valid_out = bind.empty() || !valid_out.empty();
  if (latency == "any") {
    if (!bind.empty() && valid_out.empty()) {
      throw std::invalid_argument("--latency any needs --valid-out");
    }
    checker.latency = -1;
  } else if (!latency.empty()) {
    const bool is_number =
        latency.size() <= 4 && latency.find_first_not_of("0123456789") == std::string::npos;
    if (!is_number || std::stoi(latency) > 1000) {
      throw std::invalid_argument("--latency: '" + latency +
                                  "' is not 'any' or a number from 0 to 1000");
    }
    checker.latency = std::stoi(latency);
  }
  return checker;
}

std::optional<CheckerBinding> CheckerOptions::binding() const {
  if (bind.empty()) {
    for (const auto& [option, is_given] :
         {std::pair("--bind-out", !bind_out.empty()), std::pair("--map", !map.empty()),
          std::pair("--valid-in", !valid_in.empty()), std::pair("--valid-out", !valid_out.empty()),
          std::pair("--reset", !reset.empty()), std::pair("--clock", !clock.empty())}) {
      if (is_given) throw std::invalid_argument(fmt::format("{} needs --bind", option));
    }
    return std::nullopt;
  }
  if (!is_module_name(bind)) {
    throw std::invalid_argument("--bind: '" + bind + "' is not the name of a module");
  }
  CheckerBinding b;
  b.top = bind;
  b.clock = clock.empty() ? "clk" : clock;
  b.reset = reset_expression(reset);
  b.valid_in = valid_in.empty() ? "1'b1" : valid_in;
  b.valid_out = valid_out.empty() ? "1'b0" : valid_out;
  require_port_expression("--clock", b.clock);
  require_port_expression("--valid-in", b.valid_in);
  require_port_expression("--valid-out", b.valid_out);
  for (const std::string& text : map) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw std::invalid_argument("--map: '" + text + "' is not of the form NAME=VALUE");
    }
    const std::string expression = text.substr(equals + 1);
    require_port_expression("--map", expression);
    if (!b.map.emplace(text.substr(0, equals), expression).second) {
      throw std::invalid_argument("--map: an operand is given twice: '" + text + "'");
    }
  }
  return b;
}

}  // namespace mmaspec::cli
