#include "queries/request/plugins.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "queries/audit/patterns.h"
#include "spec/catalog/own.h"
#include "spec/own/recorded_text.h"
#include "spec/own/registry.h"

namespace mmaspec {
namespace {

[[noreturn]] void refuse_plugin(const std::string& file, std::string what) {
  std::replace(what.begin(), what.end(), '\n', ' ');
  throw std::invalid_argument("plugin " + file + ": " + what);
}

/// The text that the plugin returns. The plugin stays loaded, because its code may have started
/// threads.
std::string text_of_plugin(const std::string& file) {
  // The path has a slash, so that the system's folders are not searched. RTLD_LOCAL: the plugin's
  // copy of the language stays separate, whatever its version is.
  const std::string path = std::filesystem::absolute(file);
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    std::string why = dlerror();
    if (why.starts_with(path + ": ")) why.erase(0, path.size() + 2);
    refuse_plugin(file, why);
  }
  void* symbol = dlsym(handle, kPluginFunction);
  if (symbol == nullptr) {
    refuse_plugin(file, std::string("not a plugin: it does not define the function ") +
                            kPluginFunction + "; link it with mmaspec::plugin");
  }
  const char* text = reinterpret_cast<const char* (*)()>(symbol)();
  return text == nullptr ? "" : text;
}

}  // namespace

std::vector<std::string> load_plugin(const std::string& file) {
  if (file.empty()) throw std::invalid_argument("--plugin: expected a file");
  const std::string text = text_of_plugin(file);
  constexpr std::string_view kError = "error: ";
  if (text.starts_with(kError)) refuse_plugin(file, text.substr(kError.size()));
  const std::size_t end = std::min(text.find('\n'), text.size());
  if (text.substr(0, end) != kPluginVersion) {
    refuse_plugin(file, "it was built for '" + text.substr(0, std::min<std::size_t>(end, 60)) +
                            "', but this mmaspec needs '" + std::string(kPluginVersion) +
                            "': build it against this version's package");
  }
  std::string_view rest = std::string_view(text).substr(std::min(end + 1, text.size()));
  if (rest.empty()) refuse_plugin(file, "it does not define an algorithm");
  std::vector<std::string> names;
  try {
    while (!rest.empty()) {
      auto recorded = take_recorded(rest);
      require_patterns(*recorded);
      names.push_back(own_instruction(recorded).name());
      add_own(std::move(recorded));
    }
  } catch (const std::invalid_argument& error) {
    refuse_plugin(file, error.what());
  }
  return names;
}

}  // namespace mmaspec
