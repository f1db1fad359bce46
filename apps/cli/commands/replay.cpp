// mmaspec replay: compares the specification with a GPU, another model, or recorded results.

#include "hardware/replay/host/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "apps/cli/command.h"
#include "apps/cli/parser.h"
#include "apps/cli/stop.h"
#include "hardware/replay/host/bundle.h"
#include "hardware/replay/host/cpu.h"
#include "hardware/replay/host/drawn.h"
#include "hardware/replay/host/open_questions.h"
#include "hardware/replay/host/rows.h"
#include "report/text/replay_text.h"
#include "report/values.h"
#include "util/counted.h"
#include "util/file.h"
#include "util/json.h"

namespace mmaspec::cli {
namespace {

struct ReplayCommandLine {
  std::vector<std::string> arguments;
  int random = 0;
  bool decide = false;
  bool questions = false;
  std::string device;
  std::string via;
  std::string recorded;
  std::string out;
  std::string bundle;
  bool dry_run = false;
  int count = 1;
  SolveOptions solve;
  bool json = false;
  bool full = false;

  bool reads_files() const { return random == 0 && !decide && !questions; }
};

constexpr int kBundledRows = 1'000'000;  // default number of rows for each instruction

struct Asked {
  std::vector<ReplayRow> rows;
  std::vector<DrawnRequest> drawn;
  std::vector<Unseparated> unseparated;
};

Asked read(const std::vector<std::string>& files, RowModels& models) {
  Asked asked;
  asked.rows = read_replay_rows(files, models, [&](const Json& line) {
    DrawnRequest request;
    if (parse_drawn(line, request)) asked.drawn.push_back(std::move(request));
  });
  return asked;
}

/// Random rows, as requests for drawn rows where possible: they are fast, and their number is not
/// limited.
Asked drawn(const ReplayCommandLine& o) {
  Asked asked;
  for (const std::string& name : o.arguments) {
    const Instruction instruction = find_instruction(name);
    if (is_drawable(instruction)) {
      asked.drawn.push_back(
          {instruction.name(), static_cast<std::uint64_t>(o.random), o.solve.seed});
    } else {
      for (ReplayRow& row : random_rows({name}, o.random, o.solve.seed)) {
        asked.rows.push_back(std::move(row));
      }
    }
  }
  return asked;
}

Asked ask_replay(const ReplayCommandLine& o, RowModels& models) {
  if (o.questions) return {open_questions(o.arguments), {}, {}};
  if (o.arguments.empty()) {
    throw std::invalid_argument(o.reads_files() ? "FILE is required" : "NAME is required");
  }
  if (o.random > 0 && !o.dry_run && find_cpu_device(o.device)) return drawn(o);
  if (o.random > 0) return {random_rows(o.arguments, o.random, o.solve.seed), {}, {}};
  if (o.decide) {
    const StopSignals signals;
    Decision decision =
        discriminate(o.arguments, o.count, o.solve.seed, o.solve.portfolio(), o.solve.deadline());
    return {std::move(decision.rows), {}, std::move(decision.unseparated)};
  }
  return read(o.arguments, models);
}

std::string lines_of(const Asked& asked) {
  std::string text;
  for (const ReplayRow& row : asked.rows) text += row.text + "\n";
  for (const DrawnRequest& request : asked.drawn) text += to_json_line(request) + "\n";
  return text;
}

std::size_t count_of(const Asked& asked) {
  std::size_t count = asked.rows.size();
  for (const DrawnRequest& request : asked.drawn) count += request.count;
  return count;
}

/// Writes the vectors without computing anything.
int write_vectors(const ReplayCommandLine& o, const Asked& asked) {
  for (const Unseparated& u : asked.unseparated) {
    complain(fmt::format("no input found on which {} and {} differ{} ({})", u.first, u.second,
                         u.proved ? ": they never do" : "", u.how));
  }
  if (o.out.empty()) {
    print(lines_of(asked));
    return kDone;
  }
  write_file(o.out, lines_of(asked));
  print(o.json ? to_text({{"out", o.out}, {"rows", count_of(asked)}}, 2)
               : fmt::format("{} written to {}\n", counted(count_of(asked), "row"), o.out));
  return kDone;
}

/// The name of a file in a bundle: letters, digits, dots and dashes of the given name.
std::string bundle_name(const std::string& file) {
  std::string name = std::filesystem::path(file).stem().string();
  if (name.ends_with(".jsonl")) name.resize(name.size() - 6);
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '_') c = '-';
  }
  return name.empty() || name == "-" ? "vectors" : name.substr(0, 80);
}

/// Random rows are not written to the bundle if its program can draw them.
Asked random_in_bundle(const ReplayCommandLine& o) {
  ReplayCommandLine every = o;
  for (const Instruction& i : catalogue()) {
    if (o.arguments.empty() && i.architecture == "hopper") every.arguments.push_back(i.name());
  }
  if (o.random == 0) every.random = kBundledRows;
  return drawn(every);
}
int bundle(const ReplayCommandLine& o, RowModels& models) {
  require_no_bundle(o.bundle);
  const std::string sources = find_replay_sources(MMASPEC_REPLAY_SOURCES);
  std::vector<BundleFile> files;
  std::size_t rows = 0;
  std::size_t left_out = 0;
  const auto add = [&](const std::string& name, Asked asked) {
    left_out += std::erase_if(asked.rows,
                              [&](const ReplayRow& row) { return !runs_as_it_is(row, models); });
    rows += count_of(asked);
    if (count_of(asked) > 0) files.push_back({name, lines_of(asked)});
  };
  if (o.random > 0 || (o.reads_files() && o.arguments.empty())) {
    add("random", random_in_bundle(o));
  } else if (o.reads_files()) {
    for (const std::string& file : o.arguments) add(bundle_name(file), read({file}, models));
  } else if (o.decide) {
    add("decide", ask_replay(o, models));
  }
  add("open-questions",
      {open_questions(o.questions ? o.arguments : std::vector<std::string>()), {}, {}});
  write_bundle(o.bundle, sources, files);
  if (left_out > 0) {
    complain(fmt::format(
        "left out {}: the bundle's script runs neither designs nor chains of instructions",
        counted(left_out, "row")));
  }
  print(o.json ? to_text({{"bundle", o.bundle},
                          {"files", files.size()},
                          {"rows", rows},
                          {"left_out", left_out}},
                         2)
               : fmt::format("{} in {}: {}/run.sh runs {}\n", counted(rows, "row"),
                             counted(files.size(), "file"), o.bundle, rows == 1 ? "it" : "them"));
  return kDone;
}

/// The default: HIP if all rows are AMD's.
std::string default_device(const std::vector<ReplayRow>& rows,
                           const std::vector<DrawnRequest>& drawn, RowModels& models) {
  const auto is_amd = [](const Instruction& i) { return i.architecture.starts_with("cdna"); };
  for (const ReplayRow& row : rows) {
    if (!is_amd(models.of(row.row).native)) return "cuda";
  }
  for (const DrawnRequest& request : drawn) {
    if (!is_amd(find_instruction(request.instruction))) return "cuda";
  }
  return rows.empty() && drawn.empty() ? "cuda" : "hip";
}

std::string command_of(const ReplayCommandLine& o, const std::string& device) {
  std::string text = "mmaspec replay";
  if (o.random > 0) text += fmt::format(" --random {} --seed {}", o.random, o.solve.seed);
  if (o.decide) text += " --decide";
  if (o.questions) text += " --questions";
  for (const std::string& argument : o.arguments) text += " " + argument;
  return text + " --device " + device + (o.via.empty() ? "" : " --via '" + o.via + "'");
}

DeviceRun run_rows_of_replay(const ReplayCommandLine& o, const std::vector<ReplayRow>& rows,
                             DrawnAnswers& drawn, RowModels& models) {
  if (!o.recorded.empty()) {
    DeviceRun run = read_recorded(o.recorded, rows, models, &drawn);
    if (run.header.empty()) {
      complain(o.recorded + " has no header, so it is unknown which device computed it");
    }
    return run;
  }
  const std::string device =
      o.device.empty() ? default_device(rows, drawn.asked(), models) : o.device;
  const auto cpu = find_cpu_device(device);
  const auto program = cpu ? std::nullopt : find_device_program(device, o.via);
  if (!program && !o.via.empty()) {
    throw std::invalid_argument("--via needs --device cuda or hip");
  }
  DeviceRun run = cpu       ? run_on_cpu(*cpu, rows, models)
                  : program ? run_on_program(*program, rows, models)
                            : run_on_model(device, rows, models);
  if (!drawn.asked().empty()) {
    const std::string header = cpu       ? draw_on_cpu(*cpu, drawn)
                               : program ? draw_on_program(*program, drawn)
                                         : draw_on_model(device, drawn);
    if (run.header.empty()) run.header = header;
  }
  run.header = with_provenance(run.header, command_of(o, device));
  return run;
}

/// Lines stored in an unnamed temporary file.
class Kept {
 public:
  Kept() : file_(std::tmpfile(), std::fclose) {
    if (!file_) throw std::runtime_error("cannot make a temporary file");
  }
  void add(const std::string& line) {
    if (std::fputs((line + "\n").c_str(), file_.get()) < 0) {
      throw std::runtime_error("cannot write a temporary file");
    }
  }
  /// `head`, then the lines.
  NextPiece pieces_after(std::string head) {
    if (std::fflush(file_.get()) != 0) throw std::runtime_error("cannot write a temporary file");
    std::rewind(file_.get());
    return [this, head = std::move(head)]() mutable {
      if (!head.empty()) return std::exchange(head, "");
      std::string piece(std::size_t{1} << 20, '\0');
      piece.resize(std::fread(piece.data(), 1, piece.size(), file_.get()));
      if (std::ferror(file_.get()) != 0) {
        throw std::runtime_error("cannot read a temporary file");
      }
      return piece;
    };
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

int replay_status(const Replayed& replayed) {
  const ReplayReport& report = replayed.report;
  if (report.lacking > 0 && report.passed + report.failed == 0) {
    complain("the device ran none of the rows");
    return kBadUsage;
  }
  if (!replayed.deciding) return report.failed > 0 ? kWitness : kDone;
  std::vector<std::string> survivors;
  for (const RivalGroup& g : report.groups) {
    for (const RivalGroup::Score& s : g.rivals) {
      if (s.survives()) survivors.push_back(s.rival);
    }
  }
  if (survivors.empty() && !report.groups.empty()) return kWitness;
  const auto survives = [&](const std::string& name) {
    return report.groups.empty() ||
           std::find(survivors.begin(), survivors.end(), name) != survivors.end();
  };
  for (const Unseparated& u : replayed.unseparated) {
    if (!u.proved && survives(u.first) && survives(u.second)) return kUndecided;
  }
  return kDone;
}

int run_replay(ReplayCommandLine& o) {
  if ((o.random > 0 ? 1 : 0) + (o.decide ? 1 : 0) + (o.questions ? 1 : 0) > 1) {
    throw std::invalid_argument("--random, --decide and --questions exclude each other");
  }
  if (!o.recorded.empty() && (!o.device.empty() || !o.via.empty())) {
    throw std::invalid_argument("--recorded excludes --device and --via");
  }
  RowModels models;
  if (!o.bundle.empty()) {
    if (!o.device.empty() || !o.recorded.empty() || !o.out.empty() || o.dry_run) {
      throw std::invalid_argument(
          "--bundle runs nothing, so it excludes --device, --recorded, --out and --dry-run");
    }
    const int status = bundle(o, models);
    end_if_stopped();
    return status;
  }
  if (!o.out.empty()) require_writable(o.out);
  const bool has_device = !o.device.empty() || !o.recorded.empty() || !o.via.empty();
  const bool made = !o.reads_files();
  if (made && !has_device && !o.dry_run && o.out.empty()) {
    throw std::invalid_argument(
        "--random, --decide and --questions need --device, --recorded, --dry-run, --out or "
        "--bundle");
  }
  // A missing device is reported before long work.
  if (has_device && o.recorded.empty() && !o.device.empty() && !o.dry_run) {
    if (const auto cpu = find_cpu_device(o.device)) {
      if (o.random > 0 || o.decide) require_cpu_runs(*cpu, o.arguments);
    } else {
      find_device_program(o.device, o.via);
    }
  }
  Asked asked = ask_replay(o, models);
  if (o.dry_run || (made && !has_device) || work_is_stopped()) {
    const int status = write_vectors(o, asked);
    end_if_stopped();
    return status;
  }

  DrawnAnswers drawn(asked.drawn, models, o.solve.jobs);
  std::optional<Kept> kept;
  if (!o.out.empty()) {
    kept.emplace();
    drawn.keep_with([&](const std::string& line) { kept->add(line); });
  }
  Replayed replayed;
  replayed.rows = std::move(asked.rows);
  replayed.unseparated = std::move(asked.unseparated);
  replayed.deciding = o.decide;
  replayed.run = run_rows_of_replay(o, replayed.rows, drawn, models);
  replayed.report = compare(replayed.rows, replayed.run, models);
  if (kept) {
    write_file(o.out, kept->pieces_after(record(replayed.run, replayed.rows, models)));
  }
  drawn.report(replayed.report, replayed.rows, replayed.run);
  print(o.json ? json_of(replayed, models) : text_of(replayed, models, o.full));
  return replay_status(replayed);
}

}  // namespace

void add_replay(Command& app, int& status) {
  auto options = std::make_shared<ReplayCommandLine>();
  Command command = app.add_command(
      "replay", "run vectors on a GPU or on another model, and compare the results");
  command.add_option("FILE", options->arguments,
                     "JSON Lines vectors; with --random or --decide: instructions or designs; with "
                     "--questions: architectures");
  command.add_option(
      "--device", options->device,
      "what computes the rows: cuda, cuda:N or hip; cpu (all instructions of this machine's "
      "processor) or cpu:INSTRUCTION; exec:COMMAND, which reads rows and writes them with d; an "
      "instruction or a design; @VARIANT of each row's instruction");
  command.add_option("--via", options->via,
                     "run the device program by this command, such as 'ssh host'");
  command.add_option("--recorded", options->recorded,
                     "a file of answers that were recorded on another machine");
  command
      .add_option("--random", options->random, "draw this many inputs of every kind for each NAME")
      .range(1, 100000000);
  command.add_flag("--decide", options->decide,
                   "find inputs that distinguish the competing models of one instruction");
  command
      .add_option("--count", options->count,
                  "--decide: the number of inputs for each pair of models")
      .range(1, 1000000);
  command.add_flag("--questions", options->questions,
                   "write inputs for the open questions (default: hopper's)");
  command.add_flag("--dry-run", options->dry_run, "write the vectors and run nothing");
  command.add_option(
      "--bundle", options->bundle,
      "write a folder with vectors, device programs and a script that runs them; without further "
      "options: a million random inputs for each instruction of Hopper");
  command
      .add_option(
          "--out", options->out,
          "write the rows with the device's answers to this file; without a device the vectors")
      .rows_file();
  options->solve.add_to(command, "all questions of --decide together");
  command.add_flag("--full", options->full, "show all products of a row");
  add_json(command, options->json);
  command.examples(
      {{"mmaspec replay witnesses.jsonl --device cuda", "run the rows on this machine's GPU"},
       {"mmaspec replay h100/mma.m16n8k16.f32.f16.f16.f32 --random 1000 --device @mma-sim",
        "random rows against another model"}});
  command.run([options, &status] { status = run_replay(*options); });
}

}  // namespace mmaspec::cli
