#include "spec/own/registry.h"

#include <stdexcept>

namespace mmaspec {
namespace {

std::vector<std::shared_ptr<const Recorded>>& known() {
  static std::vector<std::shared_ptr<const Recorded>> all;
  return all;
}

}  // namespace

void add_own(std::shared_ptr<const Recorded> recorded) {
  const std::string& name = recorded->name;
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  if (name.empty() || name.size() > 100 || name.find_first_not_of(kAllowed) != std::string::npos) {
    throw std::invalid_argument(
        "'" + name.substr(0, 100) +
        "' is not a valid name of an algorithm: expected letters, digits, '.', '_' and '-'");
  }
  for (const auto& other : known()) {
    if (other->name == name) {
      throw std::invalid_argument("two algorithms have the name '" + name + "'");
    }
  }
  known().push_back(std::move(recorded));
}

const std::vector<std::shared_ptr<const Recorded>>& all_own() { return known(); }

}  // namespace mmaspec
