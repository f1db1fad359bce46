#pragma once
/// --certificates: certificates of proofs by prove, diff and table.

#include <string>
#include <vector>

#include "proof/store/certificate.h"
#include "queries/statement/justification.h"

namespace mmaspec::cli {

class Command;

struct CertificatesOption {
  std::string folder;  ///< empty: certificates are not written

  void add_to(Command& command);
  bool is_given() const { return !folder.empty(); }
  /// Throws std::runtime_error if certificates cannot be written to the folder. Call it before long
  /// work.
  void require_writable() const;

  /// Writes a certificate and returns its folder. Returns an empty text after a message if there is
  /// no certificate. `seconds`: time limit.
  std::string make(const Theorem& theorem, const Justification& justification, double seconds,
                   int jobs) const;
};

/// True if the proof is an analytical proof.
bool is_argued(const Justification& justification);

}  // namespace mmaspec::cli
