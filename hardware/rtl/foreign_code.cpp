// Finds operations of a simulation of given files beyond computing and printing.
#include "hardware/rtl/foreign_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

namespace mmaspec::rtl {
namespace {

/// System tasks and functions that compute, print, or end the simulation. All others are refused,
/// because a simulator may have more than the language defines.
bool is_harmless(const std::string& name) {
  static const std::set<std::string> all{"$display",
                                         "$displayb",
                                         "$displayh",
                                         "$displayo",
                                         "$write",
                                         "$writeb",
                                         "$writeh",
                                         "$writeo",
                                         "$strobe",
                                         "$strobeb",
                                         "$strobeh",
                                         "$strobeo",
                                         "$monitor",
                                         "$monitorb",
                                         "$monitorh",
                                         "$monitoro",
                                         "$monitoron",
                                         "$monitoroff",
                                         "$info",
                                         "$warning",
                                         "$error",
                                         "$fatal",
                                         "$finish",
                                         "$finish_and_return",
                                         "$stop",
                                         "$exit",
                                         "$time",
                                         "$stime",
                                         "$realtime",
                                         "$timeformat",
                                         "$printtimescale",
                                         "$random",
                                         "$urandom",
                                         "$urandom_range",
                                         "$dist_uniform",
                                         "$dist_normal",
                                         "$dist_exponential",
                                         "$dist_poisson",
                                         "$dist_chi_square",
                                         "$dist_t",
                                         "$dist_erlang",
                                         "$signed",
                                         "$unsigned",
                                         "$itor",
                                         "$rtoi",
                                         "$realtobits",
                                         "$bitstoreal",
                                         "$shortrealtobits",
                                         "$bitstoshortreal",
                                         "$cast",
                                         "$clog2",
                                         "$ln",
                                         "$log10",
                                         "$exp",
                                         "$sqrt",
                                         "$pow",
                                         "$floor",
                                         "$ceil",
                                         "$abs",
                                         "$min",
                                         "$max",
                                         "$sin",
                                         "$cos",
                                         "$tan",
                                         "$asin",
                                         "$acos",
                                         "$atan",
                                         "$atan2",
                                         "$hypot",
                                         "$sinh",
                                         "$cosh",
                                         "$tanh",
                                         "$asinh",
                                         "$acosh",
                                         "$atanh",
                                         "$bits",
                                         "$size",
                                         "$left",
                                         "$right",
                                         "$low",
                                         "$high",
                                         "$increment",
                                         "$dimensions",
                                         "$unpacked_dimensions",
                                         "$typename",
                                         "$isunbounded",
                                         "$countones",
                                         "$countbits",
                                         "$onehot",
                                         "$onehot0",
                                         "$isunknown",
                                         "$sformat",
                                         "$sformatf",
                                         "$swrite",
                                         "$swriteb",
                                         "$swriteh",
                                         "$swriteo",
                                         "$sscanf",
                                         "$past",
                                         "$rose",
                                         "$fell",
                                         "$stable",
                                         "$changed",
                                         "$sampled",
                                         "$global_clock",
                                         "$asserton",
                                         "$assertoff",
                                         "$assertkill",
                                         "$assertcontrol",
                                         "$setup",
                                         "$hold",
                                         "$setuphold",
                                         "$recovery",
                                         "$removal",
                                         "$recrem",
                                         "$skew",
                                         "$timeskew",
                                         "$fullskew",
                                         "$width",
                                         "$period",
                                         "$nochange",
                                         "$test$plusargs",
                                         "$value$plusargs",
                                         "$root",
                                         "$unit",
                                         "$anyconst",
                                         "$anyseq",
                                         "$allconst",
                                         "$allseq",
                                         "$initstate"};
  return all.contains(name);
}

[[noreturn]] void refuse(const std::string& place, const std::string& what) {
  throw ForeignCode(fmt::format(
      "{}: {} in a simulator, which may access files or start programs; --no-simulation continues "
      "without a simulator, --trust-rtl allows it",
      place, what));
}

std::string string_in(const std::string& line, std::size_t from = 0) {
  const std::size_t begin = line.find('"', from);
  if (begin == std::string::npos) return "";
  return line.substr(begin + 1, line.find('"', begin + 1) - begin - 1);
}

}  // namespace

void require_harmless_assembly(const std::string& assembly, const std::string& testbench) {
  // `%vpi_call 3 5 "$display", ...`, `.sfunc 3 5 "$random", ...`: a file's number, a line, a name.
  // Each statement is a line, and strings have no line breaks.
  static const std::regex place("(?:%vpi_[a-z/0-9]+|\\.sfunc[a-z/0-9]*) +([0-9]+) +([0-9]+) ");
  struct Call {
    std::size_t file;
    std::string line;
    std::string name;
  };
  std::vector<Call> calls;
  std::vector<std::string> files;
  bool is_table = false;
  std::istringstream lines(assembly);
  for (std::string line; std::getline(lines, line);) {
    if (is_table) files.push_back(string_in(line));
    is_table = is_table || line.starts_with(":file_names");
    const std::size_t at = std::min(line.find("%vpi_"), line.find(".sfunc"));
    if (at == std::string::npos) continue;
    const std::string name = string_in(line, at);
    if (is_harmless(name)) continue;
    std::smatch found;
    const bool has_place = std::regex_search(line, found, place);
    calls.push_back({has_place ? std::stoul(found[1]) : files.max_size(),
                     has_place ? found[2].str() : "?", name});
  }
  for (const Call& call : calls) {
    const std::string file = call.file < files.size() ? files[call.file] : "?";
    if (file != testbench) refuse(file + ":" + call.line, "calls " + call.name);
  }
}

void require_included_from(const std::vector<std::string>& folders,
                           const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const bool is_inside = std::any_of(folders.begin(), folders.end(), [&](const std::string& f) {
      return file.starts_with(f + "/");
    });
    if (file.starts_with("/") && !is_inside) {
      throw ForeignCode(fmt::format(
          "{}: is included by its absolute path; --no-simulation continues without a simulator, "
          "--trust-rtl allows it",
          file));
    }
  }
}

void require_harmless_source(const std::string& preprocessed,
                             const std::vector<std::string>& folders) {
  static const std::regex line_directive("^`line +([0-9]+) +\"([^\"]*)\"");
  static const std::regex call("(?:^|[^A-Za-z0-9_$])(\\$[A-Za-z_][A-Za-z0-9_$]*)");
  std::string file = "?";
  std::size_t number = 0;
  std::istringstream lines(preprocessed);
  for (std::string line; std::getline(lines, line); ++number) {
    std::smatch found;
    if (std::regex_search(line, found, line_directive)) {
      number = std::stoul(found[1]) - 1;
      file = found[2];
      require_included_from(folders, {file});
      continue;
    }
    const std::string place = fmt::format("{}:{}", file, number);
    if (line.find("`systemc_") != std::string::npos) refuse(place, "runs C++");
    for (std::sregex_iterator it(line.begin(), line.end(), call), end; it != end; ++it) {
      if (!is_harmless((*it)[1])) refuse(place, "calls " + (*it)[1].str());
    }
  }
  // `import "DPI-C"` with any white space between. Packages are imported by a name.
  static const std::regex foreign_import("\\b(import|export)\\s*(//[^\\n]*\\n\\s*)*\"");
  if (std::regex_search(preprocessed, foreign_import)) refuse(file, "calls C functions (DPI)");
}

}  // namespace mmaspec::rtl
