#include <mmaspec/designs.h>

#include "api/core.h"
#include "queries/request/plugins.h"
#include "spec/catalog/open_design.h"
#include "spec/catalog/plan.h"
#include "spec/parts/spelling.h"

namespace mmaspec::v0 {
namespace {

DesignHelp help_of(const OpenAlgorithmHelp& given) {
  DesignHelp help{given.name, given.reference, {}};
  for (const ParameterHelp& p : given.parameters) {
    help.parameters.push_back({p.key, p.allowed, p.default_value, p.meaning});
  }
  return help;
}

std::string pairs_of(const KeyValues& values) {
  std::string text;
  for (const auto& [key, value] : values) text += (text.empty() ? "" : ",") + key + "=" + value;
  return text;
}

}  // namespace

std::vector<std::string> design_algorithms() { return open_algorithms(); }

DesignHelp design_help(std::string_view algorithm) {
  return translated([&] { return help_of(open_algorithm_help(std::string(algorithm))); });
}

std::vector<std::string> plan_schemes() { return core::plan_schemes(); }

DesignHelp plan_help(std::string_view scheme) {
  return translated([&] {
    const auto help = scheme_help(std::string(scheme));
    if (!help) {
      const std::string near = nearest(scheme, core::plan_schemes());
      throw BadInput("unknown scheme '" + std::string(scheme.substr(0, 60)) + "'" +
                     (near.empty() ? "" : ", did you mean '" + near + "'?"));
    }
    return help_of(*help);
  });
}

std::string design_name(std::string_view algorithm, const KeyValues& values) {
  return "design:" + std::string(algorithm) + "(" + pairs_of(values) + ")";
}

std::string plan_name(std::string_view scheme, std::string_view inner, const KeyValues& values) {
  return "plan:" + std::string(scheme) + "(" + std::string(inner) + (values.empty() ? "" : ",") +
         pairs_of(values) + ")";
}

std::vector<std::string> load_plugin(const std::string& file) {
  return translated([&] { return core::load_plugin(file); });
}

}  // namespace mmaspec::v0
