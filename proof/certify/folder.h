#pragma once
/// Files in a certificate's folder.

#include <string>
#include <vector>

namespace mmaspec {

inline constexpr const char* kStatementFile = "statement.json";
inline constexpr const char* kDerivationFile = "derivation.txt";
inline constexpr const char* kSumsFile = "SHA256SUMS";

/// An empty file with an unpredictable name, which is deleted with the object. Throws
/// std::runtime_error if it cannot be created.
class TemporaryFile {
 public:
  TemporaryFile();
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Names of the regular files in a folder, sorted. Throws std::invalid_argument if it contains
/// anything else.
std::vector<std::string> files_of(const std::string& folder);

/// The contents of SHA256SUMS for all other files of the folder.
std::string sums_of(const std::string& folder);

/// Numbers of the queries whose clauses are in the folder.
std::vector<std::string> queries_in(const std::string& folder);

/// The certificates of a folder: the folder itself if it contains a statement, otherwise each
/// subfolder, sorted. Throws std::invalid_argument if it is not a folder.
std::vector<std::string> certificates_in(const std::string& folder);

}  // namespace mmaspec
