// mmaspec certify: checks certificates against the current specifications.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "apps/cli/command.h"
#include "apps/cli/parser.h"
#include "apps/cli/stop.h"
#include "proof/store/certificate.h"
#include "queries/ask/scope.h"
#include "report/attempts.h"
#include "report/values.h"
#include "util/json.h"

namespace mmaspec::cli {
namespace {

struct CertifyCommandLine {
  std::string folder;
  double timeout = 600;
  int jobs = 0;
  bool only_own = false;
  bool json = false;
};

/// The parts that were checked: proofs by the kernel, or queries.
std::string checked_parts(const Checked& c) {
  if (c.goals && *c.goals > 0) {
    const std::string claims =
        c.claims == 0
            ? ""
            : fmt::format(" for inputs on which {} claims of the specification hold", c.claims);
    return fmt::format(", checked by the proof kernel: {} goals in {} steps{}", *c.goals, c.queries,
                       claims);
  }
  return c.queries == 0 ? "" : fmt::format(", {} queries", c.queries);
}

std::string certify_text(const Checked& c) {
  if (!c.is_accepted()) return fmt::format("rejected: {}: {}\n", c.folder, c.fault);
  const std::string none = reason(c.vacuity);
  return fmt::format("accepted{}: {} ({}{}{}{}{}, {:.2f} s)\n", vacuously(c.vacuity), c.statement,
                     none, none.empty() ? "" : "; ", c.by, checked_parts(c),
                     vacuity_note(c.vacuity), c.seconds) +
         evidence_line(c.evidence);
}

std::string certify_json(const Checked& c) {
  Json object{{"certificate", c.folder}, {"verdict", c.is_accepted() ? "accepted" : "rejected"}};
  if (!c.is_accepted()) object["fault"] = c.fault;
  if (!c.statement.empty()) object["statement"] = c.statement;
  if (!c.by.empty()) object["by"] = c.by;
  if (c.is_accepted()) {
    add_vacuity(object, c.vacuity, c.where);
    object["evidence"] = evidence_json(c.evidence);
  }
  if (c.goals) {
    object["goals"] = *c.goals;
    object["claims"] = c.claims;
  }
  object["queries"] = c.queries;
  object["bytes"] = c.bytes;
  object["seconds"] = c.seconds;
  return to_text(object);
}

int run_certify(const CertifyCommandLine& o) {
  const std::vector<std::string> folders = certificates_in(o.folder);
  if (folders.empty()) throw std::invalid_argument(o.folder + " does not contain a certificate");
  const FoundChecker other = o.only_own ? FoundChecker{} : other_checker();
  CertificateOptions options;
  options.seconds = o.timeout;
  options.jobs = o.jobs;
  std::map<std::string, std::size_t> accepted;  // number accepted, by justification
  std::size_t rejected = 0;
  const StopSignals signals;
  for (const std::string& folder : folders) {
    if (work_is_stopped()) break;
    const Checked c = check_certificate(folder, options, other.check);
    if (work_is_stopped()) break;  // it was not checked completely
    print(o.json ? certify_json(c) : certify_text(c));
    if (c.is_accepted()) {
      ++accepted[c.by];
    } else {
      ++rejected;
    }
  }
  std::string summary;
  std::size_t all = 0;
  for (const auto& [by, count] : accepted) {
    all += count;
    summary += fmt::format("{}{} by {}", summary.empty() ? " (" : ", ", count, by);
  }
  if (!summary.empty()) summary += ")";
  if (accepted.contains(std::string(by(Justification::Kind::argument)))) {
    summary += "; arguments were made again, and have no formal proof";
  }
  if (!o.json) {
    print(fmt::format("{} accepted{}, {} rejected{}\n", all, summary, rejected,
                      other.name.empty() ? "" : "; proofs checked by " + other.name + " too"));
  }
  end_if_stopped();
  return rejected == 0 ? kDone : kWitness;
}

}  // namespace

void add_certify(Command& app, int& status) {
  auto options = std::make_shared<CertifyCommandLine>();
  Command command = app.add_command(
      "certify",
      "check certificates that prove, diff and table made against the specifications of today: "
      "status 0 if all are accepted, 1 if one is rejected");
  command.add_option("DIR", options->folder, "a certificate, or a folder of certificates")
      .required();
  command.add_option("--timeout", options->timeout, "seconds for putting each together again")
      .seconds()
      .shows_default();
  command.add_option("--jobs", options->jobs, "processes at once (default: one a core)")
      .range(1, 4096);
  command.add_flag("--no-other-checker", options->only_own,
                   "do not ask cake_lpr, lrat-check or drat-trim, even if one is in PATH");
  add_json(command, options->json);
  command.run([options, &status] { status = run_certify(*options); });
}

}  // namespace mmaspec::cli
