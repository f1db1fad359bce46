// The command `mmaspec`: reads the command line, runs one command, and turns every error into one
// line and an exit status.

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <sstream>

#include "cli/command.h"
#include "queries/diff.h"
#include "spec/catalog/instruction.h"

namespace mmaspec::cli {
namespace {

int fail(int status, const std::string& message) {
  fmt::print(stderr, "mmaspec: {}\n", one_line(message));
  return status;
}

int usage_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  std::vector<std::string> commands;
  for (const CLI::App* c : app.get_subcommands(nullptr)) commands.push_back(c->get_name());
  if (argc > 1 && argv[1][0] != '-' &&
      std::find(commands.begin(), commands.end(), argv[1]) == commands.end()) {
    const std::string near = nearest(argv[1], commands);
    return fail(kBadUsage, fmt::format("unknown command '{}'{}; 'mmaspec --help' lists all",
                                       std::string_view(argv[1]).substr(0, 60),
                                       near.empty() ? "" : ", did you mean '" + near + "'?"));
  }
  if (app.get_subcommands().empty()) {
    return fail(kBadUsage,
                fmt::format("{}; 'mmaspec --help' lists all",
                            argc > 1 ? fmt::format("expected a command, got '{}'",
                                                   std::string_view(argv[1]).substr(0, 60))
                                     : "expected a command"));
  }
  return fail(kBadUsage, error.what());
}

int run(int argc, char** argv) {
  CLI::App app("What GPU matrix units really compute: evaluate, verify, compare, prove.",
               "mmaspec");
  app.set_version_flag("--version",
                       [] { return "mmaspec " MMASPEC_VERSION "\n" + solvers_line(); });
  app.set_help_flag("--help", "this text");
  app.require_subcommand(1);
  int status = kDone;
  for (const AddCommand add : {add_list, add_show, add_eval, add_verify, add_diff, add_check,
                               add_export, add_replay, add_prove, add_table}) {
    add(app, status);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    std::ostringstream text;  // --help and --version print and end
    app.exit(success, text, text);
    print(text.str());
    return kDone;
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error, argc, argv);
  }
  return status;
}

}  // namespace
}  // namespace mmaspec::cli

int main(int argc, char** argv) {
  using namespace mmaspec;
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return cli::run(argc, argv);
  } catch (const Contradiction& error) {
    fmt::print(stderr, "mmaspec: internal contradiction, please report: {}\n", error.what());
    return cli::kContradiction;
  } catch (const std::invalid_argument& error) {
    return cli::fail(cli::kBadUsage, error.what());
  } catch (const std::runtime_error& error) {
    return cli::fail(cli::kBadUsage, error.what());
  } catch (const std::bad_alloc&) {
    return cli::fail(cli::kUndecided, "out of memory");
  } catch (const std::exception& error) {
    return cli::fail(cli::kContradiction, std::string("internal error: ") + error.what());
  }
}
