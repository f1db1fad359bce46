#include "solver/ticker.h"

#include <utility>

namespace mmaspec {
namespace {

constexpr double kInterval = 0.25;  // seconds

}  // namespace

Ticker::Ticker(const Progress& progress, std::string what)
    : progress_(progress), what_(std::move(what)) {}

Ticker::~Ticker() {
  if (told_ > 0) progress_(seconds(), "");
}

double Ticker::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void Ticker::tick() {
  if (!progress_ || seconds() - told_ < kInterval) return;
  tell();
}

void Ticker::tell() {
  if (!progress_) return;
  told_ = seconds();
  progress_(told_, what_);
}

}  // namespace mmaspec
