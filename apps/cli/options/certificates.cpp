#include "apps/cli/options/certificates.h"

#include <filesystem>

#include "apps/cli/output.h"
#include "apps/cli/parser.h"
#include "util/file.h"

namespace mmaspec::cli {

void CertificatesOption::add_to(Command& command) {
  command
      .add_option(
          "--certificates", folder,
          "write a certificate of each proof to a subfolder of this folder; 'mmaspec certify' "
          "checks it without solvers. Needs the program cadical, and takes up to --timeout again")
      .not_empty();
}

void CertificatesOption::require_writable() const {
  if (!is_given()) return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw std::runtime_error("cannot write " + folder + ": " + error.message());
  mmaspec::require_writable(folder + "/certificate");
}

std::string CertificatesOption::make(const Theorem& theorem, const Justification& justification,
                                     double seconds, int jobs) const {
  CertificateOptions options;
  options.seconds = seconds;
  options.jobs = jobs;
  const Made made = make_certificate(theorem, is_argued(justification), folder, options);
  if (made.folder.empty()) complain("no certificate: " + made.why);
  return made.folder;
}

bool is_argued(const Justification& justification) {
  return by(justification.kind) == by(Justification::Kind::argument);
}

}  // namespace mmaspec::cli
