// mmaspec identify: identifies the design of an unknown unit.

#include "queries/studies/identify/identify.h"

#include <fmt/format.h>
#include <unistd.h>

#include <optional>

#include "apps/cli/command.h"
#include "apps/cli/options/formats_option.h"
#include "apps/cli/parser.h"
#include "apps/cli/stop.h"
#include "concrete/rows/row.h"
#include "queries/studies/identify/journal.h"
#include "report/text/identify_text.h"

namespace mmaspec::cli {
namespace {

struct IdentifyCommandLine {
  std::string oracle;
  bool stream = false;
  double oracle_timeout = 300;
  FormatsOptions formats;
  std::vector<std::string> space;
  bool no_c = false;
  bool print_space = false;
  std::string recorded;
  std::string rounds;
  std::string resume;
  int batch = 0;
  int confirm = 10'000;
  double pair_timeout = 10;
  SolveOptions solve;
  bool json = false;
  bool full = false;
};

/// The formats of the instruction that the recorded rows name.
DotFormats recorded_formats(const std::string& file) {
  std::string name;
  for_each_line(file, [&](std::string_view line, std::size_t number) {
    if (!name.empty() || (number == 1 && is_record_header(line))) return;
    try {
      name = parse_row(line).instruction;
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("{}:{}: {}", file, number, error.what()));
    }
  });
  if (name.empty()) throw std::invalid_argument(file + " does not contain a row");
  try {
    return find_instruction(name).formats;
  } catch (const std::invalid_argument&) {
    throw std::invalid_argument(
        fmt::format("{}: its rows name the unit '{}', which is not in the catalogue: --formats and "
                    "--k are required",
                    file, name));
  }
}

int print_space(const Space& space) {
  std::string text;
  for (const std::string& line : space.lines()) text += line + "\n";
  print(text + fmt::format("about {:.2g} designs\n", space.size()));
  return kDone;
}

int identify_status(const Identification& found) {
  if (found.verdict == Identified::none_fits) return kWitness;
  const bool done = found.verdict == Identified::identified && found.equality.proved;
  return done ? kDone : kUndecided;
}

int tell(const IdentifyCommandLine& options, const Space& space, const Identification& found,
         const std::vector<Open>& open) {
  print(options.json ? json_of(space, found, open) : text_of(space, found, open, options.full));
  end_if_stopped("--resume continues from here");
  return identify_status(found);
}

/// Identification from recorded rows only, without an oracle.
int run_offline(const IdentifyCommandLine& options, const Space& space,
                const std::vector<Answered>& known, const IdentifyOptions& identify_options,
                const Portfolio& solvers) {
  const Left left = identify_offline(space, known, identify_options, solvers);
  return tell(options, space, left.so_far, left.open);
}

int run_identify(IdentifyCommandLine& options) {
  const int ways = (options.oracle.empty() ? 0 : 1) + (options.rounds.empty() ? 0 : 1);
  if (ways > 1) throw std::invalid_argument("--oracle and --rounds exclude each other");
  if (ways == 0 && options.recorded.empty() && !options.print_space) {
    throw std::invalid_argument("--oracle, --rounds or --recorded is required");
  }
  if (options.stream && options.oracle.empty()) {
    throw std::invalid_argument("--oracle-stream needs --oracle");
  }
  if (!options.resume.empty() && options.oracle.empty()) {
    throw std::invalid_argument("--resume needs --oracle");
  }
  const DotFormats formats = options.formats.names.empty() && !options.recorded.empty()
                                 ? recorded_formats(options.recorded)
                                 : formats_of(options.formats);
  const Space space(formats, options.space, !options.no_c);
  if (options.print_space) return print_space(space);
  const Portfolio solvers = options.solve.portfolio();
  std::vector<Answered> known;
  if (!options.recorded.empty()) known = read_answers(options.recorded, formats);

  const StopSignals signals(options.solve.timeout, options.json);
  IdentifyOptions how;
  how.batch = static_cast<std::size_t>(options.batch > 0        ? options.batch
                                       : options.rounds.empty() ? 1
                                                                : 16);
  how.confirm = static_cast<std::size_t>(options.confirm);
  how.pair_seconds = options.pair_timeout;
  how.strategies.seed = options.solve.seed;
  how.strategies.jobs = options.solve.jobs;
  how.strategies.deadline = options.solve.deadline();
  const bool shows = isatty(STDERR_FILENO) == 1;
  if (shows) how.progress = [](const std::string& line) { show_status(line); };

  int status = kUndecided;
  if (ways == 0) {
    status = run_offline(options, space, known, how, solvers);
  } else if (!options.rounds.empty()) {
    RoundsOracle oracle(options.rounds, formats);
    known.insert(known.end(), oracle.answers().begin(), oracle.answers().end());
    try {
      const Identification found = identify(space, oracle, known, how, solvers);
      if (shows) show_status("");
      status = tell(options, space, found, {});
    } catch (const AnswersAwaited& awaited) {
      if (shows) show_status("");
      complain(awaited.what());
    }
  } else {
    const auto unit = options.stream
                          ? stream_oracle(options.oracle, formats, options.oracle_timeout,
                                          how.strategies.deadline)
                          : command_oracle(options.oracle, formats, options.oracle_timeout,
                                           how.strategies.deadline);
    std::optional<Journal> journal;
    std::vector<Answered> remembered;
    if (!options.resume.empty()) {
      journal.emplace(options.resume, formats);
      known.insert(known.end(), journal->answers().begin(), journal->answers().end());
      remembered = journal->confirming();
      how.asking = [&](const auto& inputs, bool confirming) {
        journal->asking(inputs, confirming);
      };
      how.answered = [&](const auto& answers, bool confirming) {
        journal->answered(answers, confirming);
      };
    }
    RememberingOracle oracle(*unit, formats, remembered);
    const Identification found = identify(space, oracle, known, how, solvers);
    if (shows) show_status("");
    status = tell(options, space, found, {});
  }
  return status;
}

}  // namespace

void add_identify(Command& app, int& status) {
  auto options = std::make_shared<IdentifyCommandLine>();
  options->solve.timeout = 600;
  Command command = app.add_command("identify",
                                    "find which design an unknown unit computes: ask it until one "
                                    "design is left, and prove that");
  command
      .add_option("--oracle", options->oracle,
                  "a shell command that reads rows and writes them with d (docs/identify.md)")
      .not_empty();
  command.add_flag("--oracle-stream", options->stream,
                   "keep the command running: it answers each line with a line");
  command
      .add_option("--oracle-timeout", options->oracle_timeout,
                  "limit in seconds for a batch; with --oracle-stream for a line")
      .range(0.001, 1e9)
      .shows_default();
  options->formats.add_to(command);
  const Option space =
      command
          .add_option("--space", options->space,
                      "the designs to consider, such as "
                      "'fused-dot-add(fraction_bits=20..30,floor=none|-133)'; may be given several "
                      "times. Without a value, print the default space")
          .expected(0, 1)
          .repeatable();
  command.add_flag(
      "--no-c", options->no_c,
      "the unit has no accumulator input: ask only inputs with c = +0, and answer about them only");
  command.add_flag("--print-space", options->print_space, "print the designs to consider");
  command
      .add_option("--recorded", options->recorded,
                  "start from the rows of this file, which have results d")
      .not_empty();
  command
      .add_option("--rounds", options->rounds,
                  "a folder for offline rounds: inputs are written to ask-N.jsonl, answers are "
                  "read from answer-N.jsonl")
      .not_empty();
  command
      .add_option("--resume", options->resume,
                  "keep questions and answers in this file, and continue from them")
      .not_empty();
  command
      .add_option("--batch", options->batch,
                  "the number of inputs in one batch (default: 1; with --rounds 16)")
      .range(1, 100000);
  command
      .add_option("--confirm", options->confirm,
                  "the number of further rows that must confirm the design; 0: none")
      .range(0, 10'000'000)
      .shows_default();
  command
      .add_option("--pair-timeout", options->pair_timeout,
                  "limit in seconds for the proof that two designs are equal")
      .range(0.001, 1e9)
      .shows_default();
  options->solve.add_to(command);
  command.add_flag("--full", options->full, "show all products of an input");
  add_json(command, options->json);
  command.examples({{"mmaspec identify --oracle ./ask-the-unit --formats f16,f16,f32,f32 --k 16",
                     "the design that a black box computes"}});
  command.run([options, space, &status] {
    // `--space` without a value prints the space.
    std::erase(options->space, "");
    if (space.is_given() && options->space.empty()) options->print_space = true;
    status = run_identify(*options);
  });
}

}  // namespace mmaspec::cli
