#include "solver/known.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <sstream>
#include <utility>

#include "util/sha256.h"

namespace mmaspec {

KnownVerdicts::~KnownVerdicts() {
  if (file_ >= 0) close(file_);
}

std::shared_ptr<KnownVerdicts> KnownVerdicts::of_children() {
  auto all = std::make_shared<KnownVerdicts>();
  if (std::FILE* file = std::tmpfile()) {
    all->file_ = fcntl(fileno(file), F_DUPFD_CLOEXEC, 0);
    std::fclose(file);
  }
  if (all->file_ >= 0) fcntl(all->file_, F_SETFL, O_APPEND);
  return all;
}

void KnownVerdicts::learn() {
  const std::lock_guard lock(mutex_);
  if (file_ < 0) return;
  std::string text;
  std::array<char, 65536> block;
  for (;;) {
    const ssize_t n =
        pread(file_, block.data(), block.size(), static_cast<off_t>(learned_ + text.size()));
    if (n <= 0) break;
    text.append(block.data(), static_cast<std::size_t>(n));
  }
  text.resize(text.rfind('\n') + 1);  // a line may be incomplete; npos + 1 is 0
  learned_ += text.size();
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string digest;
    int verdict = 0;
    Verdicts known{};
    if (!(words >> digest >> verdict >> known.seconds)) continue;
    known.verdict = static_cast<Verdict>(verdict);
    std::getline(words >> std::ws, known.reason);
    known_.insert_or_assign(digest, known);
  }
}

std::optional<KnownVerdicts::Verdicts> KnownVerdicts::of(const std::string& formula) const {
  const std::string digest = sha256(formula);
  const std::lock_guard lock(mutex_);
  const auto it = known_.find(digest);
  return it == known_.end() ? std::nullopt : std::optional(it->second);
}

void KnownVerdicts::add(const std::string& formula, const Verdicts& known) {
  const std::string digest = sha256(formula);
  const std::lock_guard lock(mutex_);
  known_.insert_or_assign(digest, known);
  if (file_ < 0) return;
  std::ostringstream line;
  line << digest << ' ' << static_cast<int>(known.verdict) << ' ' << known.seconds << ' '
       << known.reason << '\n';
  // One write, which other processes' writes do not interleave. A verdict that is not written is
  // asked again.
  const std::string text = line.str();
  if (write(file_, text.data(), text.size()) < 0) return;
}

}  // namespace mmaspec
