#include "tests/support/recorded.h"

#include <algorithm>
#include <cstdlib>

namespace mmaspec {

namespace fs = std::filesystem;

fs::path recorded_vectors() {
  const char* given = std::getenv("MMASPEC_VECTORS");
  return given != nullptr ? fs::path(given)
                          : fs::path(MMASPEC_SOURCE_DIR).parent_path() / "shared" / "vectors";
}

std::vector<fs::path> recorded_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename();
    if (name.ends_with(".jsonl") || name.ends_with(".jsonl.gz")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string describe(const VerifyReport& report) {
  std::string text;
  for (const auto& [instruction, counts] : report.by_instruction) {
    for (const Mismatch& m : counts.first_mismatches) {
      text += m.file + ":" + std::to_string(m.line) + ": " + instruction + " is " +
              to_hex(*m.row.d) + ", computed " + to_hex(m.computed) + "\n";
    }
  }
  for (const std::string& row : report.bad_rows) text += row + "\n";
  return text;
}

}  // namespace mmaspec
