#include "apps/cli/program/program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <sstream>

#include "apps/cli/command.h"
#include "apps/cli/command_line.h"
#include "apps/cli/help.h"
#include "apps/cli/parser.h"
#include "apps/cli/stop.h"
#include "queries/prove/diff.h"
#include "spec/catalog/instruction.h"
#include "util/deadline.h"

namespace mmaspec::cli {
namespace {

/// After a stop, messages about incomplete work are not printed.
int fail(int status, const std::string& message) {
  if (status == kContradiction || !work_is_stopped()) complain(message);
  return status;
}

int fail_internally(const std::exception& error) {
  return fail(kContradiction, std::string("internal error: ") + error.what());
}

int end_as_by_sigpipe() {
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
  return 128 + SIGPIPE;  // if the signal is blocked
}

/// The arguments that no option accepts, in their order.
std::string extras_error(const CLI::App& app, int argc, char** argv) {
  const std::vector<std::string> extras = app.get_subcommands()[0]->remaining();
  std::string text = fmt::format("unexpected: '{}'", fmt::join(extras, "', '"));
  const bool is_torn = std::any_of(
      argv, argv + argc, [](std::string_view a) { return a.size() > 1 && a.ends_with(','); });
  if (is_torn) text += "; separate values by commas, without spaces";
  return text;
}

int usage_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  std::vector<std::string> commands;
  for (const CLI::App* c : app.get_subcommands(nullptr)) commands.push_back(c->get_name());
  if (argc > 1 && argv[1][0] != '-' &&
      std::find(commands.begin(), commands.end(), argv[1]) == commands.end()) {
    const std::string near = nearest(argv[1], commands);
    return fail(kBadUsage,
                fmt::format("unknown command '{}'{}; 'mmaspec --help' lists all commands",
                            std::string_view(argv[1]).substr(0, 60),
                            near.empty() ? "" : ", did you mean '" + near + "'?"));
  }
  if (app.get_subcommands().empty()) {
    return fail(kBadUsage,
                fmt::format("{}; 'mmaspec --help' lists all commands",
                            argc > 1 ? fmt::format("expected a command, got '{}'",
                                                   std::string_view(argv[1]).substr(0, 60))
                                     : "expected a command"));
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    return fail(kBadUsage, extras_error(app, argc, argv));
  }
  return fail(kBadUsage, error.what());
}

constexpr const char* kFooter =
    R"(NAME is <arch>/<mnemonic>[@variant]: 'mmaspec list' shows all. A product may stand for its
architecture (h100/..., mi300x/..., sm_90/...). 'design:<algorithm>(key=value,...)' is a design
that nobody has built: 'mmaspec show' of an instruction shows the algorithm and its keys.
'plan:<scheme>(NAME,key=value,...)' is a whole dot product of a kernel: 'mmaspec help plan' lists
the schemes.

Exit status: 0 done, proved, all agree; 1 a witness or a mismatch; 2 bad usage or bad input;
3 undecided within the limits; 70 an internal contradiction.

mmaspec help COMMAND explains a command; mmaspec help where, design and plan what several take.)";

int parse_and_run(int argc, char** argv, const std::string& version) {
  CLI::App app("Evaluate, verify, compare and prove what GPU matrix units compute.", "mmaspec");
  app.set_version_flag("--version", [&] { return version + "\n" + solvers_line(); });
  app.set_help_flag("-h,--help", "print this help");
  app.require_subcommand(1);
  wrap_help(app);
  int status = kDone;
  Command commands(app);
  for (const AddCommand add :
       {add_list,      add_show,    add_eval,  add_verify,  add_diff,    add_check,  add_export,
        add_replay,    add_prove,   add_table, add_matrix,  add_merge,   add_suite,  add_identify,
        add_tolerance, add_certify, add_rtl,   add_explore, add_compare, add_explain}) {
    add(commands, status);
  }
  add_help_commands(app, status);
  app.footer(kFooter);  // only for the main help: commands added later would inherit it
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    std::ostringstream text;  // --help and --version print and exit
    app.exit(success, text, text);
    print(text.str());
    return kDone;
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error, argc, argv);
  }
  return status;
}

}  // namespace

namespace {

int status_of(int argc, char** argv, const std::string& version) {
  try {
    return parse_and_run(argc, argv, version);
  } catch (const ReaderHasGone&) {
    return end_as_by_sigpipe();
  } catch (const Contradiction& error) {
    return fail(kContradiction,
                std::string("internal contradiction, please report: ") + error.what());
  } catch (const std::invalid_argument& error) {
    return fail(kBadUsage, error.what());
  } catch (const OutOfTime& error) {
    return fail(kUndecided, error.what());
  } catch (const std::range_error& error) {
    return fail_internally(error);  // from Boost's integers; it is a runtime_error
  } catch (const std::overflow_error& error) {
    return fail_internally(error);  // the same
  } catch (const std::runtime_error& error) {
    return fail(kBadUsage, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kUndecided, "out of memory");
  } catch (const std::exception& error) {
    return fail_internally(error);
  }
}

}  // namespace

int run_program(int argc, char** argv, const std::string& version) {
  occupy_standard_descriptors();
  remember_command_line(argc, argv);
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding the file size limit is reported like a full disk
  std::signal(SIGPIPE, SIG_IGN);  // for device programs; print() handles standard output
  const StopSignals signals;
  const int status = status_of(argc, argv, version);
  if (status != kContradiction) end_if_stopped();
  return status;
}

}  // namespace mmaspec::cli
