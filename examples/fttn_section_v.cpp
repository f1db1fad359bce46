// Evaluates FTTN section V (Li et al., CCGrid 2024) on the models: one matrix product on five GPUs
// with three different results.
//
//   fttn-section-v            the table for the order that fits best
//   fttn-section-v --search   every order, both signs of the small products, every instruction

#include <array>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "examples/fttn_gemm.h"

namespace mmaspec::fttn {
namespace {

void table() {
  const Problem given = section_v(1);
  const Problem printed = section_v(-1);
  std::cout
      << "D = C - A*B, 8192 products, A*B accumulated from zero with k upwards, C - A*B after.\n"
         "as written: b[k] = +2^-3, exact D = -191.984375\n"
         "as printed: b[k] = -2^-3, exact D = +191.984375, the sign of the paper's equation\n\n";
  std::printf("%-55s %12s %12s %10s\n", "", "as written", "as printed", "published");
  const auto line = [&](const std::string& name, const Instruction& instruction, double published) {
    Step step(instruction);
    std::printf("%-55s %12g %12g %10g\n", name.c_str(), run(step, given, {}),
                run(step, printed, {}), published);
  };
  for (const Gpu& gpu : gpus()) {
    for (const std::string& name : gpu.instructions)
      line(name, find_instruction(name), gpu.published);
  }
  for (int group : {2, 1}) {
    line("mi250x, if products were summed in groups of " + std::to_string(group),
         mi250x_with_group(group), 0);
  }
}

void search() {
  for (double sign : {1.0, -1.0}) {
    std::printf("b[k] = %+g\n", sign * 0x1p-3);
    const Problem problem = section_v(sign);
    std::map<std::pair<std::string, std::string>, Step> steps;
    for (const Order& order : plausible_orders()) {
      std::string line;
      int fits = 0;
      for (const Gpu& gpu : gpus()) {
        std::string values;
        bool fit = false;
        for (const std::string& name : gpu.instructions) {
          const auto [entry, fresh] = steps.try_emplace({gpu.name, name}, find_instruction(name));
          const double d = std::abs(run(entry->second, problem, order));
          fit = fit || d == gpu.published;
          std::array<char, 32> text{};
          std::snprintf(text.data(), text.size(), "%s%g", values.empty() ? "" : ",", d);
          values += text.data();
        }
        line += "  " + gpu.name + " " + values + (fit ? "*" : "");
        fits += fit ? 1 : 0;
      }
      std::cout << fits << " of 5:" << line << "  | " << to_string(order) << std::endl;
    }
  }
}

}  // namespace
}  // namespace mmaspec::fttn

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--search") == 0) {
    mmaspec::fttn::search();
  } else if (argc == 1) {
    mmaspec::fttn::table();
  } else {
    std::cerr << "usage: fttn-section-v [--search]\n";
    return 2;
  }
  return 0;
}
