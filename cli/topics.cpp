#include "cli/topics.h"

#include <fmt/format.h>

#include "queries/numbers/where.h"
#include "spec/catalog/plan.h"

namespace mmaspec::cli {
namespace {

constexpr const char* kDesign =
    R"(design:ALGORITHM(key=value,...) is a design that need not exist. It goes wherever the name of an
instruction goes. All take the formats a, b, c, d (f16, f16, f32, f32), the length k, and block
scale factors by scale and scale_block where the algorithm has them.

  mmaspec diff 'design:fused-dot-add(k=4,fraction_bits=24)' 'design:fused-dot-add(k=4,fraction_bits=25)'

'mmaspec show NAME' of an instruction says which algorithm and values it has.
)";

constexpr const char* kPlan =
    R"(plan:SCHEME(NAME,key=value,...) is a whole dot product of a kernel around an instruction or a
design. You can use it wherever an instruction's name is allowed. Where K is not a multiple of
what the scheme takes at a time, the last products are +0 * +0. 'mmaspec show --parameters
SCHEME' lists its keys.

  mmaspec eval 'plan:split-k(hopper/mma.m16n8k16.f32.f16.f16.f32,k=64,parts=2)' --a 1,2,3 --b 1,1,1
)";

/// Words with commas between them, in lines of at most 88 columns.
std::string wrapped(const std::string& start, const std::vector<std::string>& words) {
  constexpr std::size_t kColumns = 88;
  std::string text;
  std::string line = start;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = words[i] + (i + 1 < words.size() ? "," : ".");
    if (line.size() + 1 + word.size() > kColumns) {
      text += line + "\n";
      line = word;
    } else {
      line += " " + word;
    }
  }
  return text + line + "\n";
}

}  // namespace

const std::vector<std::string>& topics() {
  static const std::vector<std::string> all{"where", "design", "plan"};
  return all;
}

std::string parameters_text(const OpenAlgorithmHelp& help, const std::string& usage) {
  std::string text = fmt::format("{}\n  {}\n  {:<20} {:<38} {:<14} {}\n",
                                 fmt::format(fmt::runtime(usage), help.name), help.reference, "key",
                                 "value", "default", "");
  for (const ParameterHelp& p : help.parameters) {
    text += fmt::format("  {:<20} {:<38} {:<14} {}\n", p.key, p.allowed,
                        p.default_value.empty() ? "(required)" : p.default_value, p.meaning);
  }
  return text;
}

std::string topic(const std::string& name) {
  if (name == "where") return where_help();
  if (name == "plan") return kPlan + ("\n" + wrapped("Schemes:", plan_schemes()));
  if (name == "design") {
    std::string text = kDesign;
    for (const std::string& algorithm : open_algorithms()) {
      text += "\n" + parameters_text(open_algorithm_help(algorithm), "design:{}(key=value,...)");
    }
    return text;
  }
  throw std::invalid_argument("help: there is no command '" + name.substr(0, 60) +
                              "', nor help on it (where, design, plan)");
}

}  // namespace mmaspec::cli
