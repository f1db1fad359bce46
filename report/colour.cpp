#include "report/colour.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>

namespace mmaspec {
namespace {

std::atomic<int>& without_colour() {
  static std::atomic<int> count = 0;
  return count;
}

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool wanted() {
  if (is_set("NO_COLOR")) return false;
  if (is_set("CLICOLOR_FORCE") && std::string_view(std::getenv("CLICOLOR_FORCE")) != "0") {
    return true;
  }
  const bool dumb = is_set("TERM") && std::string_view(std::getenv("TERM")) == "dumb";
  return isatty(STDOUT_FILENO) != 0 && !dumb;
}

}  // namespace

std::string in_colour(Colour colour, std::string_view text) {
  static const bool coloured = wanted();
  if (!coloured || without_colour() > 0) return std::string(text);
  const char* code = colour == Colour::good ? "32" : colour == Colour::bad ? "31" : "33";
  return "\033[1;" + std::string(code) + "m" + std::string(text) + "\033[0m";
}

WithoutColour::WithoutColour() { ++without_colour(); }
WithoutColour::~WithoutColour() { --without_colour(); }

}  // namespace mmaspec
