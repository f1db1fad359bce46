// list, show, eval and check: their output and exit statuses.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "spec/catalog/instruction.h"
#include "tests/support/case_selection.h"
#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::cli_test::eval_test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kVolta = "volta/mma.m8n8k4.f32.f16.f16.f32";

/// The JSON output of `eval`.
Json evaluated(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "eval");
  return json_of(std::move(arguments));
}

TEST(List, HasALineForEachInstruction) {
  const Outcome outcome = mmaspec({"list"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  const std::vector<std::string> lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), catalogue().size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_THAT(lines[i], StartsWith(catalogue()[i].name() + " "));
  }
}

TEST(List, OfAnArchitectureIsThatOfItsProducts) {
  for (const auto& [product, architecture] : products()) {
    const Outcome by_product = mmaspec({"list", "--arch", product});
    const Outcome by_architecture = mmaspec({"list", "--arch", architecture});
    EXPECT_EQ(by_product.status, 0);
    EXPECT_EQ(by_product.out, by_architecture.out);
    EXPECT_NE(by_product.out, "");
    for (const std::string& line : lines_of(by_product.out)) {
      EXPECT_THAT(line, StartsWith(architecture + "/"));
    }
  }
}

TEST(List, NamesProductsAndWhatIsNotCovered) {
  const std::vector<std::string> lines = lines_of(mmaspec({"list", "--products"}).out);
  EXPECT_THAT(lines, testing::Contains("h100             hopper"));
  EXPECT_THAT(lines,
              testing::Contains(testing::StartsWith("b300             not in the catalogue: ")));
  EXPECT_THAT(lines_of(mmaspec({"list", "--products", "--arch", "mi100"}).out),
              testing::ElementsAre("mi100            cdna1", "gfx908           cdna1"));
}

TEST(List, TakesProductsInAnyCase) {
  const std::vector<std::pair<std::string, std::string>> pairs{
      {"H100", "hopper"},  {"SM_90", "hopper"},  {"sm_90a", "hopper"},        {"GH200", "hopper"},
      {"gfx942", "cdna3"}, {"MI300A", "cdna3"},  {"gfx90a", "cdna2"},         {"gfx908", "cdna1"},
      {"sm_86", "ampere"}, {"Hopper", "hopper"}, {"RTX5090", "rtx-blackwell"}};
  for (const auto& [name, architecture] : pairs) {
    const Outcome outcome = mmaspec({"list", "--arch", name});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, mmaspec({"list", "--arch", architecture}).out);
  }
  EXPECT_EQ(find_instruction("V100/mma.m8n8k4.f32.f16.f16.f32").name(), kVolta);
}

TEST(List, IsJsonLinesIfAsked) {
  const Outcome outcome = mmaspec({"list", "--json"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  const std::vector<std::string> lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), catalogue().size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Json entry = Json::parse(lines[i]);
    EXPECT_EQ(entry.at("instr"), catalogue()[i].name());
    EXPECT_EQ(entry.at("k"), catalogue()[i].formats.k);
    EXPECT_EQ(entry.at("d"), std::string(catalogue()[i].formats.d->name));
    EXPECT_EQ(entry.contains("scale"), catalogue()[i].formats.scale != nullptr);
  }
}

TEST(Show, NamesAlgorithmFormatsParametersAndEvidence) {
  const Outcome outcome = mmaspec({"show", kVolta});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, AllOf(StartsWith(kVolta + "\n"), HasSubstr("fused-dot-add"),
                                 HasSubstr("fraction_bits"), HasSubstr("K = 4"),
                                 HasSubstr("a f16, b f16, c f32, d f32"), HasSubstr("hardware:")));
}

TEST(Show, IsOneJsonDocumentForEachInstructionAndVariant) {
  for (std::size_t n = 0; n < catalogue().size(); ++n) {
    if (!is_selected(n, 4)) continue;
    const Instruction& i = catalogue()[n];
    const Outcome outcome = mmaspec({"show", i.name(), "--json"});
    ASSERT_EQ(outcome.status, 0) << i.name() << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const Json object = Json::parse(outcome.out);
    EXPECT_EQ(object.at("instr"), i.name());
    EXPECT_EQ(object.at("parameters").size(), i.algorithm.parameters().size());
    for (const auto& variant : object.at("variants")) {
      const std::string name = i.name() + "@" + variant.get<std::string>();
      EXPECT_NO_THROW(find_instruction(name)) << name;
    }
  }
}

TEST(Eval, ComputesTheResultsMeasuredByFasiEtAl) {
  // Section III-D5 of "Numerical behavior of NVIDIA tensor cores", 2021: a V100 keeps 2^-23 next to
  // 1 and cuts 2^-24.
  EXPECT_EQ(evaluated({kVolta, "--a", "1", "--b", "1", "--c", "0x1p-23"}).at("d"), "3f800001");
  EXPECT_EQ(evaluated({kVolta, "--a", "1", "--b", "1", "--c", "0x1p-24"}).at("d"), "3f800000");
  EXPECT_EQ(evaluated({kVolta, "--a", "1,0x1p-23", "--b", "1,1"}).at("d"), "3f800001");
  EXPECT_EQ(evaluated({kVolta, "--a", "1,0x1p-24", "--b", "1,1"}).at("d"), "3f800000");
}

TEST(Eval, TakesBitsHexFloatsAndDecimalsAlike) {
  const Json expected = evaluated({kVolta, "--a", "1.5,-2", "--b", "0.25,4", "--c", "-0.125"});
  EXPECT_EQ(expected.at("value"), "-0x1.fp+2");  // 0.375 - 8 - 0.125
  for (const auto& [a, b, c] :
       std::vector<std::array<std::string, 3>>{{"0x3e00,0xc000", "0x3400,0x4400", "0xbe000000"},
                                               {"0x1.8p+0,-0x1p1", "0x1p-2,0X1P+2", "-0x1p-3"},
                                               {"15e-1,-0.2e1", "+.25,4.", "-125e-3"},
                                               {"1.5,0xC000", "0x1.0p-2,4", "-0x.2p0"}}) {
    EXPECT_EQ(evaluated({kVolta, "--a", a, "--b", b, "--c", c}), expected) << a;
  }
}

TEST(Eval, TakesANegativeFirstValue) {
  EXPECT_EQ(evaluated({kVolta, "--a", "-1,2", "--b", "1,1"}).at("value"), "0x1p+0");
  EXPECT_EQ(evaluated({kVolta, "--a=-1,2", "--b", "1,1"}).at("value"), "0x1p+0");
  EXPECT_EQ(evaluated({kVolta, "--a", "-.5", "--b", "-1"}).at("value"), "0x1p-1");
  EXPECT_EQ(evaluated({kVolta, "--c", "-inf"}).at("value"), "-inf");
  EXPECT_EQ(evaluated({kVolta, "--c", "nan"}).at("value"), "nan");
}

TEST(Eval, PadsWithZerosAndScalesWithOnes) {
  const Json row = evaluated({kVolta, "--a", "2", "--b", "3"});
  EXPECT_EQ(row.at("a"), "4000 0000 0000 0000");
  EXPECT_EQ(row.at("b"), "4200 0000 0000 0000");
  EXPECT_EQ(row.at("c"), "00000000");
  EXPECT_EQ(row.at("value"), "0x1.8p+2");
  const auto scaled = std::ranges::find_if(
      catalogue(), [](const Instruction& i) { return i.formats.scale != nullptr; });
  ASSERT_NE(scaled, catalogue().end());
  SCOPED_TRACE(scaled->name());
  const Json plain = evaluated({scaled->name(), "--a", "1", "--b", "1"});
  EXPECT_EQ(plain.at("value"), "0x1p+0");
  EXPECT_EQ(
      evaluated({scaled->name(), "--a", "1", "--b", "1", "--sa", "2", "--sb", "4"}).at("value"),
      "0x1p+3");
}

TEST(Eval, PrintsBitsAndValueForPeople) {
  const Outcome outcome = mmaspec({"eval", kVolta, "--a", "1", "--b", "1", "--c", "0x1p-23"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out, "d = 0x3f800001  0x1.000002p+0  1.0000001\n");
}

TEST(Eval, TracesEachStage) {
  const std::vector<std::string> command{"eval", kVolta, "--a",     "1",      "--b",
                                         "1",    "--c",  "0x1p-23", "--trace"};
  const Outcome outcome = mmaspec(command);
  EXPECT_EQ(outcome.status, 0);
  std::size_t after = 0;
  for (const std::string stage :
       {"product\n", "align\n", "sum\n", "normalize\n", "d = 0x3f800001"}) {
    const std::size_t at = outcome.out.find(stage, after);
    ASSERT_NE(at, std::string::npos) << stage << outcome.out;
    after = at;
  }
  std::vector<std::string> with_json = command;
  with_json.emplace_back("--json");
  const Json row = Json::parse(mmaspec(with_json).out);
  ASSERT_FALSE(row.at("trace").empty());
  for (const Json& line : row.at("trace")) {
    EXPECT_TRUE(line.at("stage").is_string());
    EXPECT_TRUE(line.at("integer").is_string());
  }
  EXPECT_EQ(row.at("trace").back().at("value"), "0x1.000002p+0");
}

TEST(Eval, AcceptsProductsVariantsAndAnyAllowedN) {
  const std::vector<std::string> values{"--a", "1.5", "--b", "2", "--c", "1"};
  const auto with = [&](std::string name) {
    std::vector<std::string> arguments{std::move(name)};
    arguments.insert(arguments.end(), values.begin(), values.end());
    return evaluated(arguments);
  };
  EXPECT_EQ(with("v100/mma.m8n8k4.f32.f16.f16.f32"), with(kVolta));
  bool tried_other_n = false;
  for (const Instruction& i : catalogue()) {
    const bool any_n = i.mnemonic.starts_with("wgmma") || i.mnemonic.starts_with("tcgen05");
    if (!any_n) continue;
    const std::size_t n = i.mnemonic.find('n', i.mnemonic.find(".m") + 2);
    const std::size_t k = i.mnemonic.find('k', n);
    for (const int columns : {8, 16, 24, 128, 248, 256}) {
      const std::string name = i.architecture + "/" + i.mnemonic.substr(0, n + 1) +
                               std::to_string(columns) + i.mnemonic.substr(k);
      EXPECT_EQ(with(name), with(i.name())) << name;
    }
    for (const int columns : {0, 4, 12, 264}) {
      const std::string name = i.architecture + "/" + i.mnemonic.substr(0, n + 1) +
                               std::to_string(columns) + i.mnemonic.substr(k);
      EXPECT_EQ(mmaspec({"eval", name}).status, 2) << name;
    }
    tried_other_n = true;
    break;
  }
  EXPECT_TRUE(tried_other_n);
  for (const Instruction& i : catalogue()) {
    for (const std::string& variant : variants()) {
      try {
        EXPECT_EQ(find_instruction(i.name() + "@" + variant).variant, variant);
      } catch (const std::invalid_argument&) {
        continue;
      }
      EXPECT_EQ(with(i.name() + "@" + variant).at("instr"), i.name() + "@" + variant);
      return;
    }
  }
  FAIL() << "the catalogue has no variant";
}

TEST(Eval, ChainsAsAKernelDoes) {
  const Json chained = evaluated({kVolta, "--chain", "8", "--a", "1,2,3,4,5", "--b", "1,1,1,1,1"});
  EXPECT_EQ(chained.at("value"), "0x1.ep+3");
}

TEST(Check, SaysThatASpecIsSound) {
  const Outcome text = mmaspec({"check", kVolta, "--samples", "16"});
  EXPECT_EQ(text.status, 0);
  EXPECT_THAT(text.out, AllOf(StartsWith(kVolta), HasSubstr("1 of 1 sound\nsolvers: cvc5 ")));
  const Outcome lines =
      mmaspec({"check", kVolta, "t4/mma.m8n8k4.f32.f16.f16.f32", "--samples", "16", "--json"});
  EXPECT_EQ(lines.status, 0);
  ASSERT_EQ(lines_of(lines.out).size(), 2U);
  for (const std::string& line : lines_of(lines.out)) {
    EXPECT_EQ(Json::parse(line).at("problem"), "");
    EXPECT_EQ(Json::parse(line).at("samples"), 16);
  }
}

TEST(Check, IsUndecidedIfTheSolverIs) {
  const Outcome outcome =
      mmaspec({"check", kVolta, "--samples", "1", "--solver", "smtlib:echo unknown", "--json"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(Json::parse(outcome.out).at("problem").get<std::string>(), HasSubstr("unknown"));
}

TEST(Help, IsOnStandardOutputForEachCommand) {
  for (const std::string command :
       {"list", "show", "eval", "verify", "diff", "check", "export", "replay", "prove", "table"}) {
    const Outcome outcome = mmaspec({command, "--help"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, HasSubstr("mmaspec " + command));
    EXPECT_THAT(mmaspec({"--help"}).out, HasSubstr("  " + command + " "));
  }
  EXPECT_THAT(mmaspec({"--version"}).out, StartsWith("mmaspec "));
}

// Each term in units of the sum that contains it.
TEST(Trace, ShowsTheTermsOfRoundedSums) {
  const Outcome outcome = mmaspec({"eval", "design:group-pairwise-sum(a=f16,c=f32,k=2,group=2)",
                                   "--a", "1,1", "--b", "1,1.5", "--c", "3", "--trace"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, testing::ContainsRegex("term 0 +0x1p\\+0 .*\n +term 1 +0x1.8p\\+0 "));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("term 0 +0x1.8p\\+1 .*\n +term 1 +0x1.4p\\+1 "));
}

TEST(Eval, RoundsEachProductOfUnfusedPairs) {
  // 2 * 17 = 34 is a tie of four digits, 32 and 36, and so is 32 + 2; 34 + 2 is not.
  const auto d_of = [](const std::string& design) {
    return json_of({"eval", design, "--a", "2,2", "--b", "17,1", "--c", "0"}).at("value");
  };
  EXPECT_EQ(d_of("design:pair-dot-add(a=f16,c=f32,k=2,kept_bits=3,fused=no)"), "0x1p+5");
  EXPECT_EQ(d_of("design:pair-dot-add(a=f16,c=f32,k=2,kept_bits=3,fused=yes)"), "0x1.2p+5");
}

}  // namespace
}  // namespace mmaspec::cli_test::eval_test
