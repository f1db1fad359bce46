#pragma once
/// --certificates: certificates of proofs by prove, diff and table.

#include <string>
#include <vector>

#include "proof/store/certificate.h"
#include "queries/ask/grounds.h"

namespace mmaspec::cli {

class Command;

struct CertificatesOption {
  std::string folder;  ///< empty: none are made

  void add_to(Command& command);
  bool is_given() const { return !folder.empty(); }
  /// Throws std::runtime_error if certificates cannot be written to the folder. Call it before long
  /// work.
  void require_writable() const;

  /// The new certificate's folder; empty, and a complaint made, if there is none. `seconds`: for
  /// making it.
  std::string make(const Theorem& theorem, const Grounds& grounds, double seconds, int jobs) const;
};

/// True if the proof is an analytical proof.
bool is_argued(const Grounds& grounds);

}  // namespace mmaspec::cli
