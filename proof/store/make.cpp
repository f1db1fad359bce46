#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <memory>
#include <set>
#include <thread>

#include "proof/certify/folder.h"
#include "proof/recorded/backends.h"
#include "proof/recorded/cadical.h"
#include "proof/store/certificate.h"
#include "proof/store/prove_goals.h"
#include "proof/store/replay.h"
#include "util/deadline.h"
#include "util/file.h"
#include "util/process.h"
#include "util/sha256.h"

namespace mmaspec {
namespace {

namespace fs = std::filesystem;

/// Share of the time for proof objects; queries get the rest for what is not proved by then.
constexpr double kGoalsShare = 0.5;

/// How often removing a folder is repeated, and the pause between.
constexpr int kRemovals = 100;
constexpr std::chrono::milliseconds kPause(20);

/// A folder that is removed with this object unless it was moved.
struct ScratchFolder {
  explicit ScratchFolder(std::string p) : path(std::move(p)) { fs::create_directories(path); }
  ~ScratchFolder() {
    // A solver that is ending may still create a file.
    std::error_code none;
    for (int i = 0; i < kRemovals && fs::exists(path, none); ++i) {
      if (i > 0) std::this_thread::sleep_for(kPause);
      fs::remove_all(path, none);
    }
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string path;
};

/// A name that describes the theorem and is unique to it.
std::string folder_name(const Theorem& s) {
  std::string name = s.property.empty() ? "diff" : s.property;
  for (const std::string& of : s.names) name += "." + of;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '-') c = '_';
  }
  return name.substr(0, 100) + "-" + sha256(to_text(s)).substr(0, 8);
}

/// How each strategy changes a question, for readers of a derivation.
constexpr auto kStrategies = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"cut", "cut N: results of stages are variables within their ranges or with facts from lemmas"},
    {"weaken", "weaken: without conditions that need numbers of hundreds of bits"},
    {"relax", "relax: each product of two variables is a variable within its range"},
    {"split",
     "split i/n: the piece in which the largest exponent is that of member i; all n of "
     "them prove"},
    {"enumeration", "enumeration: all inputs were tried, and are tried again by certify"},
    {"derive: ",
     "derive: facts about nodes of both runs, or about a sum and its unit; the statement follows "
     "by "
     "linear arithmetic and induction (docs/proving.md, Derivations)"},
    {"lemma", "lemma: a relation between the same stage of two runs, used by later steps"},
});

std::string derivation_of(const Theorem& s, const AnsweredQuery& asked) {
  std::string text = to_text(s) + "\n\n";
  switch (asked.justification.kind) {
    case Justification::Kind::argument:
    case Justification::Kind::analysis:
      return text +
             "No formal proof: an argument over the design's parameters, which certify "
             "makes again.\n  " +
             asked.justification.how() + "\n";
    case Justification::Kind::one_expression:
      text +=
          "Both sides are one expression in the language's normal form, or a condition folds "
          "to false: there is no query.\n";
      break;
    default:
      break;
  }
  if (asked.cases > 1) {
    text += "Made of " + std::to_string(asked.cases) +
            " cases, in their order; those that are not listed are one expression.\n";
  }
  std::set<std::string_view> used;
  for (const AttemptReport& a : asked.attempts) {
    if (a.verdict != Verdict::unsatisfiable || (a.proof.empty() && !a.counts)) continue;
    text += "  " + a.name + ": no model" + (a.proof.empty() ? "" : ", " + a.proof) + "\n";
    for (const auto& [word, meaning] : kStrategies) {
      if (a.name.find(word) != std::string::npos) used.insert(meaning);
    }
  }
  if (!used.empty()) text += "\nHow to read this:\n";
  for (const std::string_view meaning : used) text += "  " + std::string(meaning) + "\n";
  return text +
         "\nEach query is the negation of what it proves, so that it is to have no model. "
         "That these queries suffice is what\n'mmaspec certify' finds again from the "
         "specification; this text is for people.\n";
}

/// The derivation text for goals with proof objects.
std::string derivation_of(const Theorem& s, const std::vector<std::string>& goals) {
  std::string text = to_text(s) + "\n\n";
  if (goals.empty()) {
    return text +
           "Both sides of each case are one expression in the language's normal form: there is no "
           "goal.\n";
  }
  text += "It follows from these goals, each with a proof for the kernel (proof/kernel/):\n";
  for (const std::string& goal : goals) text += "  " + short_digest(goal) + "\n";
  return text +
         "\nA goal is a graph and conditions that no input makes all true. Each step of its proof "
         "is "
         "a formula that the kernel\nbuilds from the graph, and an LRAT proof that it has no "
         "model. "
         "proof/check.py checks them without mmaspec.\n";
}

/// Removes the files of queries or goals that the proof does not use.
void keep_only(const std::set<std::string>& used, const std::string& folder) {
  for (const std::string& name : files_of(folder)) {
    if (!used.contains(name.substr(0, name.find('.')))) fs::remove(folder + "/" + name);
  }
}

/// Removes queries that the proof does not need, one after another, for a limited time: if several
/// attempts at one question end at the same time, all of them leave their queries. Lemmas of a
/// derivation are asked in sequence, so unneeded ones are never asked.
void leave_out(const Theorem& theorem, bool argued, const CertificateOptions& options,
               ProvedQueries& proved, Replay& replayed) {
  if (replayed.asked.justification.kind == Justification::Kind::derivation) return;
  const Deadline soon = Deadline::in(options.seconds / 4);
  const ProvedQueries all = proved;
  for (const auto& query : all) {
    if (soon.passed()) return;
    if (!proved.contains(query.first)) continue;
    ProvedQueries fewer = proved;
    fewer.erase(query.first);
    Replay without = replay(theorem, argued, fewer, options);
    if (!without.is_proved) continue;
    std::erase_if(fewer,
                  [&](const auto& q) { return !without.used.contains(short_digest(q.first)); });
    proved = std::move(fewer);
    replayed = std::move(without);
  }
}

}  // namespace

namespace {

/// Replaces the certificate by the complete files of the work folder.
void put_in_place(const std::string& work, const std::string& target,
                  const CertifiedStatement& statement, const std::string& derivation) {
  write_file(work + "/" + kStatementFile, to_json(statement));
  write_file(work + "/" + kDerivationFile, derivation);
  write_file(work + "/" + kSumsFile, sums_of(work));
  fs::remove_all(target);
  fs::rename(work, target);
}

/// A certificate with proof objects. If there is none, the folder is unchanged.
std::optional<Made> made_of_goals(const Theorem& theorem, const std::string& target,
                                  const Deadline& deadline) {
  const ScratchFolder work(target + ".goals" + std::to_string(getpid()));
  Limits limits;
  limits.seconds = deadline.left();
  const auto goals = prove_goals(theorem, work.path, Portfolio("auto", limits), deadline);
  if (!goals) return std::nullopt;
  std::set<std::string> used;
  for (const std::string& goal : *goals) used.insert(short_digest(goal));
  keep_only(used, work.path);
  const std::string by(mmaspec::by(goals->empty() ? Justification::Kind::one_expression
                                                  : Justification::Kind::solver));
  put_in_place(work.path, target, {theorem, by, *goals}, derivation_of(theorem, *goals));
  return Made{target, "", by};
}

}  // namespace

Made make_certificate(const Theorem& theorem, bool argued, const std::string& folder,
                      const CertificateOptions& options) {
  const std::string target = folder + "/" + folder_name(theorem);
  const Deadline deadline = Deadline::in(options.seconds);
  if (options.goals && !argued && !cadical_program().empty()) {
    if (auto made = made_of_goals(theorem, target, deadline.part(kGoalsShare))) return *made;
  }
  const ScratchFolder work(target + ".making" + std::to_string(getpid()));
  Limits limits;
  limits.seconds = deadline.left();
  std::vector<std::unique_ptr<Backend>> makers;
  if (!cadical_program().empty()) makers.push_back(proof_maker(work.path));
  const AnsweredQuery made =
      ask(theorem, argued, options.jobs, Portfolio(std::move(makers), limits));
  if (!made.is_proved) {
    return {"",
            cadical_program().empty() ? "CaDiCaL, which makes proofs, is not in PATH"
                                      : "CaDiCaL did not prove it: " + made.justification.how(),
            ""};
  }
  // Files that stopped attempts have left.
  for (const std::string& name : files_of(work.path)) {
    if (std::count(name.begin(), name.end(), '.') > 1) fs::remove(work.path + "/" + name);
  }
  // Replays the proof from the files alone, so that no unneeded query is kept and the result is
  // accepted.
  CheckedQueries queries = check_queries(work.path, {});
  Replay replayed = replay(theorem, argued, queries.proved, options);
  if (!queries.fault.empty() || !replayed.is_proved) {
    return {"", "it is not accepted: " + queries.fault, ""};
  }
  leave_out(theorem, argued, options, queries.proved, replayed);
  keep_only(replayed.used, work.path);
  const std::string by(mmaspec::by(replayed.asked.justification.kind));
  put_in_place(work.path, target, {theorem, by}, derivation_of(theorem, replayed.asked));
  return {target, "", by};
}

namespace {

/// Whether a certificate of this statement with current texts exists.
bool is_there(const Theorem& theorem, const std::string& folder) {
  const std::string target = folder + "/" + folder_name(theorem);
  try {
    if (!fs::exists(target + "/" + kSumsFile)) return false;
    const CertifiedStatement known =
        certified_statement_of(content_of(target + "/" + kStatementFile));
    return to_json(known) == to_json({theorem, known.by, known.goals}) &&
           content_of(target + "/" + kSumsFile) == sums_of(target);
  } catch (const std::exception&) {
    return false;
  }
}

/// Creates a certificate; returns the reason if it fails, otherwise an empty text.
std::string problem_of(const Theorem& theorem, bool argued, const std::string& folder,
                       const CertificateOptions& options) {
  if (is_there(theorem, folder)) return "";
  try {
    const Made made = make_certificate(theorem, argued, folder, options);
    return made.folder.empty() ? to_text(theorem) + ": " + made.why : "";
  } catch (const std::exception& error) {
    return to_text(theorem) + ": " + error.what();
  }
}

}  // namespace

std::vector<std::string> make_certificates(
    const std::vector<std::pair<Theorem, bool>>& theorems, const std::string& folder,
    const CertificateOptions& options, int jobs,
    const std::function<void(std::size_t, std::size_t)>& progress) {
  const std::size_t slots =
      jobs > 0 ? static_cast<std::size_t>(jobs) : std::max(std::thread::hardware_concurrency(), 1U);
  std::vector<std::string> problems;
  std::vector<std::pair<std::unique_ptr<Child>, const Theorem*>> running;
  std::size_t next = 0;
  for (std::size_t done = 0; done < theorems.size() && !work_is_stopped();) {
    while (next < theorems.size() && running.size() < slots) {
      const auto& [theorem, argued] = theorems[next++];
      running.emplace_back(
          std::make_unique<Child>([&theorem = theorem, argued = argued, &folder, &options] {
            return problem_of(theorem, argued, folder, options) + "\n";
          }),
          &theorem);
    }
    std::vector<pollfd> ends;
    for (const auto& [child, theorem] : running) ends.push_back({child->pipe(), POLLIN, 0});
    poll(ends.data(), ends.size(), 250);
    for (std::size_t i = running.size(); i-- > 0;) {
      Child& child = *running[i].first;
      if (ends[i].revents == 0 || !child.read_more()) continue;
      std::string problem = child.has_text() ? child.text()
                                             : to_text(*running[i].second) + ": its process " +
                                                   child.end().how + "\n";
      problem.pop_back();
      if (!problem.empty()) problems.push_back(std::move(problem));
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
      ++done;
      if (progress) progress(done, theorems.size());
    }
  }
  if (progress) progress(theorems.size(), theorems.size());
  return problems;
}

}  // namespace mmaspec
