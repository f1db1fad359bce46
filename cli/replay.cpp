// mmaspec replay: the spec against a GPU, another model, or what was recorded elsewhere.

#include "queries/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/replay_text.h"
#include "queries/replay_bundle.h"
#include "queries/replay_questions.h"

namespace mmaspec::cli {
namespace {

struct Options {
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

  bool reads_files() const { return random == 0 && !decide && !questions; }
};

struct Asked {
  std::vector<ReplayRow> rows;
  std::vector<Unseparated> unseparated;
};

Asked ask(const Options& o, RowModels& models) {
  if ((o.random > 0 ? 1 : 0) + (o.decide ? 1 : 0) + (o.questions ? 1 : 0) > 1) {
    throw std::invalid_argument("--random, --decide and --questions exclude each other");
  }
  if (o.questions) return {open_questions(o.arguments), {}};
  if (o.arguments.empty() && o.bundle.empty()) {
    throw std::invalid_argument(o.reads_files() ? "FILE is required" : "NAME is required");
  }
  if (o.random > 0) return {random_rows(o.arguments, o.random, o.solve.seed), {}};
  if (o.decide) {
    Decision decision = discriminate(o.arguments, o.count, o.solve.seed, o.solve.portfolio());
    return {std::move(decision.rows), std::move(decision.unseparated)};
  }
  return {read_replay_rows(o.arguments, models), {}};
}

std::string lines_of(const std::vector<ReplayRow>& rows) {
  std::string text;
  for (const ReplayRow& row : rows) text += row.text + "\n";
  return text;
}

/// Writes the vectors and runs nothing.
int write_vectors(const Options& o, const Asked& asked) {
  for (const Unseparated& u : asked.unseparated) {
    fmt::print(stderr, "mmaspec: no input found on which {} and {} differ{} ({})\n", u.first,
               u.second, u.proved ? ": they never do" : "", one_line(u.how));
  }
  if (o.out.empty()) {
    print(lines_of(asked.rows));
    return kDone;
  }
  write_file(o.out, lines_of(asked.rows));
  print(o.json ? to_text({{"out", o.out}, {"rows", asked.rows.size()}}, 2)
               : fmt::format("{} rows written to {}\n", asked.rows.size(), o.out));
  return kDone;
}

/// The name of a file in a bundle: letters, digits, dots and dashes of the given one.
std::string bundle_name(const std::string& file) {
  std::string name = std::filesystem::path(file).stem().string();
  if (name.ends_with(".jsonl")) name.resize(name.size() - 6);
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '_') c = '-';
  }
  return name.empty() || name == "-" ? "vectors" : name.substr(0, 80);
}

int bundle(const Options& o, RowModels& models) {
  require_no_bundle(o.bundle);
  const std::string sources = find_replay_sources(MMASPEC_REPLAY_SOURCES);
  std::vector<BundleFile> files;
  std::size_t rows = 0;
  std::size_t left_out = 0;
  const auto add = [&](const std::string& name, const std::vector<ReplayRow>& all) {
    std::vector<ReplayRow> kept;
    for (const ReplayRow& row : all) {
      if (runs_as_it_is(row, models)) kept.push_back(row);
    }
    left_out += all.size() - kept.size();
    rows += kept.size();
    if (!kept.empty()) files.push_back({name, lines_of(kept)});
  };
  if (o.reads_files()) {
    for (const std::string& file : o.arguments) {
      add(bundle_name(file), read_replay_rows({file}, models));
    }
  } else if (!o.questions) {
    add(o.decide ? "decide" : "random", ask(o, models).rows);
  }
  add("open-questions", open_questions(o.questions ? o.arguments : std::vector<std::string>()));
  write_bundle(o.bundle, sources, files);
  if (left_out > 0) {
    fmt::print(stderr,
               "mmaspec: {} rows left out: designs, and chains of instructions, which the bundle's "
               "script does not run\n",
               left_out);
  }
  print(o.json ? to_text({{"bundle", o.bundle},
                          {"files", files.size()},
                          {"rows", rows},
                          {"left_out", left_out}},
                         2)
               : fmt::format("{} rows in {} files: {}/run.sh runs them\n", rows, files.size(),
                             o.bundle));
  return kDone;
}

/// Where nothing is said: HIP if all rows are AMD's.
std::string default_device(const std::vector<ReplayRow>& rows, RowModels& models) {
  for (const ReplayRow& row : rows) {
    if (!models.of(row.row).native.architecture.starts_with("cdna")) return "cuda";
  }
  return rows.empty() ? "cuda" : "hip";
}

std::string command_of(const Options& o, const std::string& device) {
  std::string text = "mmaspec replay";
  if (o.random > 0) text += fmt::format(" --random {} --seed {}", o.random, o.solve.seed);
  if (o.decide) text += " --decide";
  if (o.questions) text += " --questions";
  for (const std::string& argument : o.arguments) text += " " + argument;
  return text + " --device " + device + (o.via.empty() ? "" : " --via '" + o.via + "'");
}

DeviceRun run_rows(const Options& o, const std::vector<ReplayRow>& rows, RowModels& models) {
  if (!o.recorded.empty()) {
    DeviceRun run = read_recorded(o.recorded, rows, models);
    if (run.header.empty()) {
      fmt::print(stderr, "mmaspec: {} has no header: what computed it is not known\n",
                 one_line(o.recorded));
    }
    return run;
  }
  const std::string device = o.device.empty() ? default_device(rows, models) : o.device;
  const auto program = find_device_program(device, o.via);
  if (!program && !o.via.empty()) {
    throw std::invalid_argument("--via is for --device cuda and hip");
  }
  DeviceRun run =
      program ? run_on_program(*program, rows, models) : run_on_model(device, rows, models);
  run.header = with_provenance(run.header, command_of(o, device));
  return run;
}

int status_of(const Replayed& replayed) {
  const ReplayReport& report = replayed.report;
  if (report.lacking > 0 && report.passed + report.failed == 0) {
    fmt::print(stderr, "mmaspec: the device ran none of the rows\n");
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

int run(Options& o) {
  if (!o.recorded.empty() && (!o.device.empty() || !o.via.empty())) {
    throw std::invalid_argument("--recorded takes the place of --device and --via");
  }
  RowModels models;
  if (!o.bundle.empty()) {
    if (!o.device.empty() || !o.recorded.empty() || !o.out.empty() || o.dry_run) {
      throw std::invalid_argument(
          "--bundle runs nothing: no --device, --recorded, --out, --dry-run");
    }
    return bundle(o, models);
  }
  if (!o.out.empty()) require_writable(o.out);
  const bool has_device = !o.device.empty() || !o.recorded.empty() || !o.via.empty();
  const bool made = !o.reads_files();
  if (made && !has_device && !o.dry_run && o.out.empty()) {
    throw std::invalid_argument(
        "--device, --recorded, --dry-run, --out or --bundle is required with --random, --decide "
        "and --questions");
  }
  // A device that is not there is known before long work.
  if (has_device && o.recorded.empty() && !o.device.empty() && !o.dry_run) {
    find_device_program(o.device, o.via);
  }
  Asked asked = ask(o, models);
  if (o.dry_run || (made && !has_device)) return write_vectors(o, asked);

  Replayed replayed;
  replayed.rows = std::move(asked.rows);
  replayed.unseparated = std::move(asked.unseparated);
  replayed.deciding = o.decide;
  replayed.run = run_rows(o, replayed.rows, models);
  replayed.report = compare(replayed.rows, replayed.run, models);
  if (!o.out.empty()) write_file(o.out, record(replayed.run, replayed.rows, models));
  print(o.json ? json_of(replayed, models) : text_of(replayed, models));
  return status_of(replayed);
}

}  // namespace

void add_replay(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("replay", "run vectors on a GPU, or another model, and compare");
  command->add_option("FILE", options->arguments,
                      "JSON Lines vectors; with --random and --decide instructions or designs; "
                      "with --questions architectures");
  command->add_option("--device", options->device,
                      "cuda, hip, cuda:N; an instruction or a design; @variant of each row's own");
  command->add_option("--via", options->via, "run the device program by this, such as 'ssh host'");
  command->add_option("--recorded", options->recorded, "answers recorded elsewhere");
  command->add_option("--random", options->random, "this many inputs of every kind for each NAME")
      ->check(CLI::Range(1, 100000000));
  command->add_flag("--decide", options->decide,
                    "inputs that tell rival models of one instruction apart");
  command->add_option("--count", options->count, "--decide: inputs for each two rivals")
      ->check(CLI::Range(1, 1000000));
  command->add_flag("--questions", options->questions, "the open questions (default: hopper's)");
  command->add_flag("--dry-run", options->dry_run, "write the vectors, run nothing");
  command->add_option("--bundle", options->bundle,
                      "a folder with vectors, device programs and a script that runs them");
  command->add_option("--out", options->out,
                      "write the rows with the device's answers, or without a device the vectors");
  options->solve.add_to(*command);
  add_json(*command, options->json);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace mmaspec::cli
