// Has GHDL convert VHDL to Verilog.
#include "hardware/rtl/vhdl/ghdl.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "util/program.h"
#include "util/run_command.h"

namespace mmaspec::rtl {
namespace {

namespace fs = std::filesystem;

std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::invalid_argument(file + ": cannot be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A name or number that GHDL reads as nothing else.
void require_word(const char* what, const std::string& text) {
  const bool is_word =
      !text.empty() && text[0] != '-' && std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-';
      });
  if (!is_word) {
    throw std::invalid_argument(fmt::format("{}: '{}' is not a name or number", what, text));
  }
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// The module of a name in which VHDL does not tell upper from lower case.
std::string module_named(const std::string& name, const std::string& verilog) {
  std::istringstream lines(verilog);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("module ")) continue;
    const std::string module = line.substr(7);
    if (lower_case(module) == lower_case(name)) return module;
  }
  throw std::invalid_argument(fmt::format("ghdl: it made no module of the entity '{}'", name));
}

/// GHDL's first message that is not a warning.
std::string ghdl_complaint(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool is_message = line.find(':') != std::string::npos && !line.starts_with(' ');
    if (is_message && line.find(":warning:") == std::string::npos &&
        line.find(":note:") == std::string::npos) {
      return line;
    }
  }
  return last_line(text);
}

}  // namespace

bool is_vhdl(const std::string& file) {
  const std::string extension = lower_case(fs::path(file).extension());
  return extension == ".vhd" || extension == ".vhdl";
}

ConvertedVhdl verilog_of(const VhdlDesign& design, const std::string& folder,
                         const Deadline& deadline) {
  const std::string program = find_in_path("ghdl");
  if (program.empty()) {
    throw std::invalid_argument(
        "ghdl is not in PATH; it converts VHDL to Verilog (apt-get install ghdl)");
  }
  require_word("--top", design.top);
  std::string command = "cd " + shell_word(folder) + " && exec " + shell_word(program) +
                        " synth --std=08 -fsynopsys --out=verilog";
  for (const auto& [name, value] : design.generics) {
    require_word("--parameter", name);
    require_word("--parameter", value);
    command += fmt::format(" -g{}={}", name, value);
  }
  for (const std::string& file : design.files) {
    const std::string text = text_of(file);
    if (!design.is_trusted) require_harmless_vhdl(text, file);
    command += " " + shell_word(fs::absolute(file).string());
  }
  command += " -e " + design.top;
  Finished finished;
  try {
    const double left = deadline.left();
    finished =
        run_command(command, "", {}, std::isfinite(left) ? std::optional(left) : std::nullopt);
  } catch (const CommandTimeout&) {
    throw OutOfTime();
  }
  if (finished.status != 0 || finished.out.empty()) {
    throw std::invalid_argument("ghdl: " + ghdl_complaint(finished.err));
  }
  return {finished.out, module_named(design.top, finished.out)};
}

}  // namespace mmaspec::rtl
