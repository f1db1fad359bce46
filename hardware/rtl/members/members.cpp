// Finds the bits of members of struct ports.
#include "hardware/rtl/members/members.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "hardware/rtl/scratch.h"
#include "util/json.h"

namespace mmaspec::rtl {
namespace {

constexpr const char* kModule = "mmaspec_members";
/// More bits than a member has, so that a bit above the member marks its end.
constexpr unsigned kProbeBits = 65536;
constexpr int kMostElements = 4096;

/// The text without comments.
std::string without_comments(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
      result += '\n';
    } else if (text.compare(i, 2, "/*") == 0) {
      i = std::min(text.find("*/", i), text.size() - 2) + 1;
      result += ' ';
    } else {
      result += text[i];
    }
  }
  return result;
}

/// The position behind the bracket that closes the one at `at`; npos: there is none.
std::size_t behind_bracket(const std::string& text, std::size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '(' || text[at] == '[' || text[at] == '{') ++depth;
    if ((text[at] == ')' || text[at] == ']' || text[at] == '}') && --depth == 0) return at + 1;
  }
  return std::string::npos;
}

/// The beginning of a module's declaration.
struct Header {
  std::string before_ports;        ///< imports and parameters
  std::vector<std::string> ports;  ///< their declarations
};

std::optional<Header> header_of(const std::string& source, const std::string& top) {
  const std::string text = without_comments(source);
  const std::regex start("\\bmodule\\s+(?:automatic\\s+|static\\s+)?" + top + "(?![\\w$])");
  std::smatch found;
  if (!std::regex_search(text, found, start)) return std::nullopt;
  const auto begin = static_cast<std::size_t>(found.position() + found.length());
  std::size_t at = begin;
  while (at < text.size() && text[at] != '(') {
    if (text[at] == '#') at = behind_bracket(text, std::min(text.find('(', at), text.size())) - 1;
    if (at >= text.size()) return std::nullopt;
    ++at;
  }
  const std::size_t end = behind_bracket(text, at);
  if (end == std::string::npos) return std::nullopt;
  Header header{text.substr(begin, at - begin), {""}};
  int depth = 0;
  for (std::size_t i = at + 1; i + 1 < end; ++i) {
    const char c = text[i];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c == ',' && depth == 0) {
      header.ports.emplace_back();
    } else {
      header.ports.back() += c;
    }
  }
  return header;
}

/// The port's type and packed dimensions: `dot_pkg::in_t`, `pair_t [3:0]`; empty: not found.
std::string type_of(const Header& header, const std::string& port) {
  static const std::regex declaration(
      R"(\s*(?:(input|output|inout)\b)?\s*(?:(?:wire|var)\b)?([^=]*?)([A-Za-z_][\w$]*)\s*(=[^]*)?)");
  std::string type;
  for (const std::string& text : header.ports) {
    std::smatch parts;
    if (!std::regex_match(text, parts, declaration)) continue;
    // A name alone has the type of the port before it.
    if (parts[1].matched || parts[2].str().find_first_not_of(" \t\r\n") != std::string::npos) {
      type = parts[2];
    }
    if (parts[3] == port) return type;
  }
  return "";
}

/// A member: names with indices. The first name is the port's.
struct Member {
  std::string port;
  /// With one index in place of each range of elements, the highest element first.
  std::vector<std::string> paths;
};

Member member_of(const std::string& text) {
  Member member{text.substr(0, text.find_first_of(".[")), {""}};
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('[', at), text.size());
    for (std::string& path : member.paths) path += text.substr(at, end - at);
    if (end == text.size()) break;
    at = text.find(']', end) + 1;
    const std::string index = text.substr(end, at - end);
    const std::size_t colon = index.find(':');
    // The range at the end is one of bits or elements; it needs no expansion.
    if (colon == std::string::npos || at == text.size()) {
      for (std::string& path : member.paths) path += index;
      continue;
    }
    const int high = std::stoi(index.substr(1, colon - 1));
    const int low = std::stoi(index.substr(colon + 1));
    const auto count = static_cast<std::size_t>(std::abs(high - low)) + 1;
    if (count * member.paths.size() > kMostElements) {
      throw std::invalid_argument(fmt::format("--map: {} has too many elements", text));
    }
    std::vector<std::string> all;
    for (const std::string& path : member.paths) {
      for (std::size_t i = 0; i < count; ++i) {
        const int element = high + (high < low ? 1 : -1) * static_cast<int>(i);
        all.push_back(fmt::format("{}[{}]", path, element));
      }
    }
    member.paths = std::move(all);
  }
  return member;
}

/// `in[15:0]`, `{in[63:48],in[31:16]}`; bits from the lowest.
std::string slices(const std::string& port, const std::vector<unsigned>& bits) {
  std::string text;
  for (std::size_t i = 0; i < bits.size();) {
    std::size_t end = i + 1;
    while (end < bits.size() && bits[end] == bits[end - 1] + 1) ++end;
    text = fmt::format("{}[{}:{}]{}", port, bits[end - 1], bits[i], text.empty() ? "" : "," + text);
    i = end;
  }
  return "{" + text + "}";
}

std::string read_file(const std::string& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::optional<Header> top_header(const Sources& sources) {
  std::optional<Header> header;
  for (const std::string& file : sources.files) {
    if (!header) header = header_of(read_file(file), sources.top);
  }
  return header;
}

/// The bits of a port that the member's parts have, as expressions.
std::string bits_of(const Member& member, const std::string& text, const Sources& sources,
                    const Deadline& deadline) {
  const std::optional<Header> header = top_header(sources);
  const std::string type = header ? type_of(*header, member.port) : "";
  if (type.empty()) {
    throw std::invalid_argument(fmt::format(
        "--map: {}: the declaration of port {} was not found in the header of module {}; name its "
        "bits, such as {}[15:0]",
        text, member.port, sources.top, member.port));
  }
  std::string outputs;
  std::string assignments;
  for (std::size_t i = 0; i < member.paths.size(); ++i) {
    outputs += fmt::format(", output wire [{}:0] m{}", kProbeBits - 1, i);
    assignments += fmt::format("  assign m{} = {{1'b1, {}}};\n", i, member.paths[i]);
  }
  const Scratch scratch;
  scratch.write("members.sv",
                fmt::format("module {}{}(input {} {}{});\n{}endmodule\n", kModule,
                            header->before_ports, type, member.port, outputs, assignments));
  Sources probe = sources;
  probe.files.push_back(scratch.path() + "/members.sv");
  probe.top = kModule;
  Json ports;
  try {
    ports = Json::parse(netlist_json(probe, deadline))["modules"][kModule]["ports"];
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(
        fmt::format("--map: the bits of {} were not found: {}", text, error.what()));
  }
  std::map<int, unsigned> position;
  const Json port = ports[member.port]["bits"];
  for (std::size_t i = 0; i < port.size(); ++i) {
    position[port[i].get<int>()] = static_cast<unsigned>(i);
  }
  std::string all;
  for (std::size_t m = 0; m < member.paths.size(); ++m) {
    std::vector<unsigned> bits;
    for (const Json& bit : ports["m" + std::to_string(m)]["bits"]) {
      if (bit.is_string()) break;  // the constant above the member
      const auto found = position.find(bit.get<int>());
      if (found == position.end()) break;
      bits.push_back(found->second);
    }
    if (bits.empty()) {
      throw std::invalid_argument(fmt::format("--map: port {} of {} has no member {}", member.port,
                                              sources.top, member.paths[m]));
    }
    all += (all.empty() ? "" : ",") + slices(member.port, bits);
  }
  return "{" + all + "}";
}

bool is_port(const Circuit& circuit, const std::string& name) {
  const auto is_output = std::any_of(circuit.outputs.begin(), circuit.outputs.end(),
                                     [&](const Circuit::Output& o) { return o.name == name; });
  return is_output ||
         std::any_of(circuit.nodes.begin(), circuit.nodes.end(),
                     [&](const CircuitNode& n) { return n.op == "input" && n.symbol == name; });
}

bool is_signal(const Circuit& circuit, const std::string& name) {
  return std::any_of(circuit.nodes.begin(), circuit.nodes.end(),
                     [&](const CircuitNode& n) { return n.symbol == name; });
}

}  // namespace

void require_no_interfaces(const Circuit& circuit, const Sources& sources) {
  static const std::regex declaration(
      R"(\s*([A-Za-z_][\w$]*)(\s*\.\s*[A-Za-z_][\w$]*)?\s+([A-Za-z_][\w$]*)\s*(\[[^=]*)?)");
  const std::optional<Header> header = top_header(sources);
  if (!header) return;
  for (const std::string& text : header->ports) {
    std::smatch parts;
    if (!std::regex_match(text, parts, declaration)) continue;
    const std::string type = parts[1];
    if (type == "input" || type == "output" || type == "inout") continue;
    if (is_port(circuit, parts[3])) continue;
    throw std::invalid_argument(fmt::format(
        "--top {0}: port {1} is an interface ({2}), which is not supported; instantiate {0} in a "
        "module with plain ports, connected to the signals of the interface",
        sources.top, parts[3].str(), type));
  }
}

std::map<std::string, std::string> with_members(std::map<std::string, std::string> map,
                                                const Circuit& circuit, const Sources& sources,
                                                const Deadline& deadline) {
  static const std::regex path(
      R"([A-Za-z_][\w$]*(\[\d{1,6}(:\d{1,6})?\])*(\.[A-Za-z_][\w$]*(\[\d{1,6}(:\d{1,6})?\])*)+)");
  for (auto& [operand, expression] : map) {
    std::string replaced;
    auto from = expression.cbegin();
    for (std::sregex_iterator i(expression.begin(), expression.end(), path), end; i != end; ++i) {
      const std::string text = i->str();
      const std::string name = text.substr(0, text.find('['));
      if (is_signal(circuit, name)) continue;
      const Member member = member_of(text);
      if (!is_port(circuit, member.port)) continue;
      replaced.append(from, i->prefix().second);
      replaced += bits_of(member, text, sources, deadline);
      from = i->suffix().first;
    }
    replaced.append(from, expression.cend());
    expression = replaced;
  }
  return map;
}

}  // namespace mmaspec::rtl
