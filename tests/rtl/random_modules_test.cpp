// Random expressions of Verilog, signed and unsigned, with shifts by any amount: what is read is
// what a simulator computes.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/cli/process.h"
#include "util/json.h"
#include "util/split_mix.h"

namespace mmaspec::rtl::random_modules_test {
namespace {

class Module {
 public:
  explicit Module(unsigned seed) : random_(seed) {}

  std::string text() {
    std::string body;
    const int count = 4 + below(4);
    std::string all;
    for (int i = 0; i < count; ++i) {
      const std::string name = fmt::format("w{}", i);
      const char* sign = below(2) == 0 ? " signed" : "";
      const unsigned width = pick<unsigned>({1, 3, 8, 16, 24, 32, 33, 48, 64, 70});
      if (below(4) == 0) {
        body += fmt::format(
            "  reg{} [{}:0] {}; always @* case ({}[1:0]) 0: {} = {}; 1: {} = {}; default: {} = {}; "
            "endcase\n",
            sign, width - 1, name, pick<const char*>({"a", "b", "c"}), name, expression(2), name,
            expression(2), name, expression(2));
      } else if (below(4) == 0) {
        body += fmt::format(
            "  reg{0} [{1}:0] {2}; integer i{2};\n  always @* begin {2} = {3};\n"
            "    for (i{2} = 0; i{2} < 5; i{2} = i{2} + 1)\n"
            "      {2} = ({2} ^ ({4} >> (i{2} - 2))) + ({4} <<< (2 - i{2}));\n  end\n",
            sign, width - 1, name, expression(1), signal());
      } else {
        body += fmt::format("  wire{} [{}:0] {} = {};\n", sign, width - 1, name, expression(3));
      }
      signals_.emplace_back(name, width);
      all += (all.empty() ? "" : " ^ ") + name;
    }
    return "module top(input [15:0] a, b, input [31:0] c, output [31:0] d);\n"
           "  wire signed [15:0] sa = a;\n  wire signed [31:0] sc = c;\n" +
           body + "  assign d = " + all + ";\nendmodule\n";
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  template <typename T>
  T pick(std::initializer_list<T> list) {
    return *(list.begin() + below(static_cast<int>(list.size())));
  }
  std::string signal() {
    return signals_[static_cast<std::size_t>(below(static_cast<int>(signals_.size())))].first;
  }
  std::string atom() {
    const auto& [name, width] =
        signals_[static_cast<std::size_t>(below(static_cast<int>(signals_.size())))];
    switch (below(6)) {
      case 0: {
        const unsigned bits = pick<unsigned>({1, 3, 8, 32, 40});
        const std::uint64_t ones = (std::uint64_t{1} << bits) - 1;
        const std::uint64_t value = below(3) == 0 ? ones : random_() & ones;
        return fmt::format("{}'{}h{:x}", bits, below(2) == 0 ? "s" : "", value);
      }
      case 1: {
        const int high = below(static_cast<int>(width));
        return width == 1 ? name : fmt::format("{}[{}:{}]", name, high, below(high + 1));
      }
      case 2:
        return "$signed(" + name + ")";
      case 3:
        return "$unsigned(" + name + ")";
      default:
        return name;
    }
  }
  std::string expression(int depth) {
    if (depth == 0 || below(6) == 0) return atom();
    const auto inner = [&] { return expression(depth - 1); };
    switch (below(11)) {
      case 0:
        return fmt::format("({} {} {})", inner(), pick<const char*>({"+", "-", "*"}), inner());
      case 1:
      case 2:
      case 3:
      case 4:
        return fmt::format("({} {} {})", inner(), pick<const char*>({"<<", ">>", ">>>", "<<<"}),
                           inner());
      case 5:
        return fmt::format("({} {} {})", inner(), pick<const char*>({"&", "|", "^", "~^"}),
                           inner());
      case 6:
        return fmt::format("({} {} {})", inner(),
                           pick<const char*>({"<", "<=", ">", ">=", "==", "!=", "&&", "||"}),
                           inner());
      case 7:
        return fmt::format("({} ? {} : {})", inner(), inner(), inner());
      case 8:
        return fmt::format("{{{}, {}}}", signal(), signal());
      case 9:
        return fmt::format(
            "{}({})", pick<const char*>({"~", "-", "!", "&", "|", "^", "~&", "~|", "~^"}), inner());
      default:
        return fmt::format("({} {} {})", inner(), pick<const char*>({"/", "%"}),
                           pick<const char*>({"3", "8'd10", "-7", "16", "5'sd5"}));
    }
  }

  SplitMix random_;
  std::vector<std::pair<std::string, unsigned>> signals_{
      {"a", 16}, {"b", 16}, {"c", 32}, {"sa", 16}, {"sc", 32}};
};

TEST(RandomModules, AreReadAsASimulatorReadsThem) {
  if (!cli_test::has_program("yosys") || !cli_test::has_program("iverilog")) {
    GTEST_SKIP() << "there is no yosys or no iverilog";
  }
  const cli_test::Folder folder;
  for (unsigned seed = 0; seed < 30; ++seed) {
    const std::string text = Module(seed).text();
    const cli_test::Outcome o =
        cli_test::mmaspec({"rtl", folder.write("top.v", text), "--top", "top", "--against",
                           "design:exact-dot-add(a=f16,b=f16,c=f32,d=f32,k=1)", "--json",
                           "--no-shrink", "--timeout", "60"});
    ASSERT_EQ(o.status, 1) << seed << o.err << text;
    const Json simulation = Json::parse(o.out)["simulation"];
    EXPECT_EQ(simulation["rows"], 257) << simulation.dump() << text;
    EXPECT_TRUE(simulation["fails"].get<bool>()) << text;
  }
}

}  // namespace
}  // namespace mmaspec::rtl::random_modules_test
