#include "api/plugin/plugin.h"

#include <exception>

#include "spec/own/recorded_text.h"

namespace mmaspec {
namespace {

std::string text_of_all() {
  std::string text(kPluginVersion);
  text += '\n';
  for (const OwnAlgorithm& own : own_algorithms()) {
    Recorded recorded{own.name, own.formats};
    {
      const Graph::Building building(recorded.graph);
      recorded.result = own.build(dot_inputs(own.formats)).id();
    }
    text += to_text(recorded);
  }
  return text;
}

}  // namespace
}  // namespace mmaspec

/// The function that `--plugin` calls. Exceptions must not cross it: it returns "error: " and a
/// message.
extern "C" const char* mmaspec_plugin() {
  static std::string text;
  try {
    text = mmaspec::text_of_all();
  } catch (const std::exception& error) {
    text = std::string("error: ") + error.what();
  } catch (...) {
    text = "error: an exception that is not a std::exception was thrown";
  }
  return text.c_str();
}
