// The whole program except the machine instruction: names, packing, fragments, batches and output.
// The device computes on the CPU the results of a warp, from fragments filled by the layouts that
// the kernels use.
#include "hardware/replay/device/common/replay.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "concrete/rows/drawn_rows.h"
#include "hardware/replay/device/common/rows.h"
#include "hardware/replay/device/cuda/fragments.h"
#include "hardware/replay/device/cuda/instructions.h"
#include "hardware/replay/device/cuda/tcgen05_descriptors.h"
#include "tests/replay/device/recorded_rows.h"

namespace mmaspec::replay::cuda {
namespace {

/// Sums k * a[k] * b[k] and c modulo 2^64: any loss, repetition or exchange changes the sum.
struct Sum {
  std::uint64_t value = 0;
  void add(int k, std::uint64_t a, std::uint64_t b) {
    value += static_cast<std::uint64_t>(k + 1) * (a + 1) * (b + 3);
  }
};

std::uint64_t cut(std::uint64_t value, int bits) {
  return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

std::uint64_t get_bits(const std::uint32_t* words, int at, int bits) {
  std::uint64_t value = 0;
  for (int i = 0; i < bits; ++i) {
    value |= static_cast<std::uint64_t>(words[(at + i) / 32] >> (at + i) % 32 & 1) << i;
  }
  return value;
}

class FakeDevice : public Device {
 public:
  std::string header() const override { return "{\"device\":\"none\"}"; }
  int find(std::string_view instr) const override { return find_instruction(instr); }
  const OperandLayout& layout(int instruction) const override {
    return instructions()[static_cast<std::size_t>(instruction)].layout;
  }
  std::string run(int index, const std::uint32_t* rows, std::size_t count,
                  Result* results) override {
    const Instruction& instruction = instructions()[static_cast<std::size_t>(index)];
    if (instruction.name == lacking) return "a \"reason\"";
    ++runs;
    const auto stride = static_cast<std::size_t>(instruction.layout.words());
    for (std::size_t first = 0; first < count; first += 8) {
      std::array<const std::uint32_t*, 8> dots;
      for (std::size_t i = 0; i < 8; ++i) {
        dots[i] = rows + std::min(first + i, count - 1) * stride;
      }
      const std::array<std::uint64_t, 8> d = eight(instruction, dots);
      for (std::size_t i = 0; i < 8 && first + i < count; ++i) {
        results[first + i] = {d[i], Result::good, 0};
      }
    }
    return {};
  }

  std::string lacking;
  int runs = 0;

 private:
  using Words = std::vector<std::uint32_t>;

  /// Eight elements of a row or column of matrix words, extracted from `words` by the packing.
  static std::array<std::uint64_t, 8> eight(const Instruction& instruction,
                                            const std::array<const std::uint32_t*, 8>& dots) {
    const OperandLayout& layout = instruction.layout;
    // Rows of A and columns of B as the instruction reads them, assembled from its operands.
    std::vector<Words> a(16, Words(static_cast<std::size_t>(layout.a_words())));
    std::vector<Words> b(8, Words(static_cast<std::size_t>(layout.b_words())));
    const bool volta = instruction.name.rfind("mma.m8n8k4.", 0) == 0 && layout.a.bits == 16;
    if (volta) {
      for (int lane = 0; lane < 32; ++lane) {
        const int row = quad_pair_row(lane);
        for (std::size_t r = 0; r < 2; ++r) {
          a[at(row)][r] = dots[at(row)][r];
          b[at(row)][r] = dots[at(row)][at(layout.b_at()) + r];
        }
      }
    } else if (instruction.family == Family::mma_sync) {
      const int width = layout.a.bits == 64 ? 2 : 1;  // 32-bit words per register
      const int rows = instruction.name.rfind("mma.m8n8", 0) == 0 ? 8 : 16;
      const int a_registers = rows * layout.a_words() / width / 32;
      const int b_registers = 8 * layout.b_words() / width / 32;
      for (int lane = 0; lane < 32; ++lane) {
        for (int r = 0; r < a_registers; ++r) {
          const Place p = a_place(lane, r);
          for (int w = 0; w < width; ++w) {
            a[at(p.row)][at(p.word * width + w)] = dots[at(p.row % 8)][p.word * width + w];
          }
        }
        for (int r = 0; r < b_registers; ++r) {
          const Place p = b_place(lane, r);
          for (int w = 0; w < width; ++w) {
            b[at(p.row)][at(p.word * width + w)] =
                dots[at(p.row)][layout.b_at() + p.word * width + w];
          }
        }
      }
    } else {
      Words shared(128);
      for (int operand = 0; operand < 2; ++operand) {
        for (int row = 0; row < 8; ++row) {
          for (int word = 0; word < 8; ++word) {
            shared[at(core_matrix_word(row, word))] =
                dots[at(row)][(operand ? layout.b_at() : 0) + word];
          }
        }
        for (int row = 0; row < 8; ++row) {
          for (int word = 0; word < 8; ++word) {
            const int byte = row * 16 + word / 4 * core_matrix_k_bytes + word % 4 * 4;
            (operand ? b : a)[at(row)][at(word)] = shared[at(byte / 4)];
          }
        }
      }
    }
    std::array<std::uint64_t, 8> d{};
    for (int i = 0; i < 8; ++i) {
      Sum sum;
      for (int k = 0; k < layout.k; ++k) {
        sum.add(k, get_bits(a[at(i)].data(), layout.a.bit_of(k), layout.a.bits),
                get_bits(b[at(i)].data(), layout.b.bit_of(k), layout.b.bits));
      }
      const std::uint32_t* const row = dots[at(i)];
      sum.value += get_bits(row + layout.c_at(), 0, layout.c_bits);
      for (int s = 0; s < layout.scales; ++s) {
        sum.add(s + 100, get_bits(row + layout.scale_at(), 8 * s, 8),
                get_bits(row + layout.scale_at() + 1, 32 - 8 * (layout.scales - s), 8));
      }
      d[at(i)] = cut(sum.value, layout.d_bits);
    }
    return d;
  }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
};

/// The same sum from the row's text.
std::uint64_t expected(const Row& row, int d_bits) {
  const auto numbers = [](std::string_view text) {
    std::vector<std::uint64_t> out;
    std::istringstream in{std::string(text)};
    for (std::string word; in >> word;) out.push_back(std::stoull(word, nullptr, 16));
    return out;
  };
  const auto a = numbers(row.a), b = numbers(row.b), sa = numbers(row.sa), sb = numbers(row.sb);
  Sum sum;
  for (std::size_t k = 0; k < a.size(); ++k) sum.add(static_cast<int>(k), a[k], b[k]);
  sum.value += numbers(row.c)[0];
  for (std::size_t s = 0; s < sa.size(); ++s) sum.add(static_cast<int>(s) + 100, sa[s], sb[s]);
  return cut(sum.value, d_bits);
}

/// Runs `input` through `replay`.
std::string replayed(const std::string& input, Device& device,
                     std::size_t batch_bytes = std::size_t{1} << 20) {
  std::FILE* in = std::tmpfile();
  std::FILE* out = std::tmpfile();
  EXPECT_EQ(std::fwrite(input.data(), 1, input.size(), in), input.size());
  std::fflush(in);
  ::lseek(fileno(in), 0, SEEK_SET);
  std::string text;
  try {
    replay(fileno(in), fileno(out), device, batch_bytes);
    const auto size = static_cast<std::size_t>(::lseek(fileno(out), 0, SEEK_END));
    text.resize(size);
    EXPECT_EQ(::pread(fileno(out), text.data(), size, 0), static_cast<ssize_t>(size));
  } catch (const InputError& bad) {
    text = "error: " + bad.what;
  }
  std::fclose(in);
  std::fclose(out);
  return text;
}

std::string random_row(const Instruction& instruction, unsigned& state) {
  const auto number = [&](int bits) {
    std::string hex;
    for (int i = 0; i < (bits + 3) / 4; ++i) {
      state = state * 1664525 + 1013904223;
      hex += "0123456789abcdef"[state >> 28 & (i == 0 && bits % 4 == 2 ? 3 : 15)];
    }
    return hex;
  };
  const auto list = [&](int count, int bits) {
    std::string text;
    for (int i = 0; i < count; ++i) text += (i ? " " : "") + number(bits);
    return text;
  };
  const OperandLayout& layout = instruction.layout;
  std::string row = "{\"instr\":\"any/" + instruction.name + "\",\"a\":\"" +
                    list(layout.k, layout.a.bits) + "\",\"b\":\"" + list(layout.k, layout.b.bits) +
                    "\",\"c\":\"" + number(layout.c_bits) + "\"";
  if (layout.scales) {
    row += ",\"sa\":\"" + list(layout.scales, 8) + "\",\"sb\":\"" + list(layout.scales, 8) + "\"";
  }
  return row + "}\n";
}

TEST(Replay, EveryInstructionPlacesEveryElement) {
  unsigned state = 1;
  std::string input;
  for (int round = 0; round < 11; ++round) {  // rows of one instruction far apart, eleven of each
    for (const Instruction& instruction : instructions()) input += random_row(instruction, state);
  }
  for (const std::size_t batch_bytes : {std::size_t{1} << 26, std::size_t{5000}}) {
    FakeDevice device;
    std::istringstream questions(input), answers(replayed(input, device, batch_bytes));
    std::string question, answer;
    std::getline(answers, answer);
    EXPECT_EQ(answer, device.header());
    while (std::getline(questions, question)) {
      Row row;
      ASSERT_EQ(scan_row(question, row), "");
      const Instruction& instruction =
          instructions()[static_cast<std::size_t>(find_instruction(row.instr))];
      std::string wanted = question.substr(0, question.size() - 1) + ",\"d\":\"";
      append_hex(expected(row, instruction.layout.d_bits), instruction.layout.d_bits, wanted);
      ASSERT_TRUE(std::getline(answers, answer));
      EXPECT_EQ(answer, wanted + "\"}");
    }
    EXPECT_FALSE(std::getline(answers, answer));
  }
}

std::string hex_list(const std::vector<std::uint64_t>& values, int bits) {
  std::string text;
  for (const std::uint64_t value : values) {
    text += text.empty() ? "" : " ";
    append_hex(value, bits, text);
  }
  return text;
}

TEST(Replay, DrawnRowsAreThoseOfTheirSeed) {
  struct Case {
    const char* instr;
    const char *a, *b, *c;
    std::uint64_t count;
  };
  for (const Case& drawn_case :
       {Case{"h/mma.m16n8k16.f32.f16.f16.f32", "e5m10", "e5m10", "e8m23", 70000},
        Case{"h/mma.m16n8k8.f32.tf32.tf32.f32", "e8m10x13", "e8m10x13", "e8m23", 100},
        Case{"h/wgmma.m64n8k32.f16.e4m3.e5m2", "e4m3", "e5m2", "e5m10", 4097},
        Case{"h/mma.m16n8k16.f64.f64.f64.f64", "e11m52", "e11m52", "e11m52", 100}}) {
    const Instruction& instruction =
        instructions()[static_cast<std::size_t>(find_instruction(drawn_case.instr))];
    const OperandLayout& layout = instruction.layout;
    drawn::Shape a, b, c;
    ASSERT_TRUE(drawn::parse(drawn_case.a, a) && drawn::parse(drawn_case.b, b) &&
                drawn::parse(drawn_case.c, c));
    drawn::Rows rows(layout.k, a, b, c, 5);
    std::string text;  // the same rows as text
    for (std::uint64_t i = 0; i < drawn_case.count; ++i) {
      std::vector<std::uint64_t> x(static_cast<std::size_t>(layout.k)), y(x.size()), z(1);
      rows.draw(i, x.data(), y.data(), z[0]);
      text += "{\"instr\":\"" + std::string(drawn_case.instr) + "\",\"a\":\"" +
              hex_list(x, layout.a.bits) + "\",\"b\":\"" + hex_list(y, layout.b.bits) +
              "\",\"c\":\"" + hex_list(z, layout.c_bits) + "\"}\n";
    }
    const std::string members = "{\"instr\":\"" + std::string(drawn_case.instr) +
                                "\",\"drawn\":\"" + std::to_string(drawn_case.count) +
                                "\",\"seed\":\"5\",\"a\":\"" + drawn_case.a + "\",\"b\":\"" +
                                drawn_case.b + "\",\"c\":\"" + drawn_case.c + "\"";
    FakeDevice device;
    const std::string one = text.substr(0, text.find('\n') + 1);
    std::istringstream answers(replayed(one + members + "}\n" + one, device));
    std::istringstream wanted(replayed(text, device));
    std::string answer, row;
    std::getline(wanted, row);
    std::getline(answers, answer);  // headers
    std::getline(answers, answer);
    EXPECT_EQ(answer.find("\"drawn\""), std::string::npos);
    std::uint64_t done = 0;
    while (done < drawn_case.count) {
      ASSERT_TRUE(std::getline(answers, answer));
      const std::string begin = members + ",\"first\":\"" + std::to_string(done) + "\",\"d\":\"";
      ASSERT_EQ(answer.substr(0, begin.size()), begin);
      ASSERT_EQ(answer.substr(answer.size() - 2), "\"}");
      std::istringstream results(answer.substr(begin.size(), answer.size() - begin.size() - 2));
      for (std::string d; results >> d; ++done) {
        ASSERT_TRUE(std::getline(wanted, row));
        EXPECT_EQ("\"d\":\"" + d + "\"}", row.substr(row.rfind(',') + 1));
      }
    }
    ASSERT_TRUE(std::getline(answers, answer));
    EXPECT_EQ(answer.find("\"drawn\""), std::string::npos);
    EXPECT_FALSE(std::getline(answers, answer));
    // An answer is a request too; the lines after its first line are not.
    EXPECT_EQ(replayed(members + ",\"first\":\"4096\",\"d\":\"0\"}\n", device),
              device.header() + "\n");
    device.lacking = instruction.name;
    EXPECT_EQ(replayed(members + "}\n", device),
              device.header() + "\n" + members + ",\"lacks\":\"a \\\"reason\\\"\"}\n");
  }
}

/// The draws include every finite exponent, zeros, subnormal numbers, infinities and NaNs.
TEST(Drawn, AllKindsOfPatternsOccur) {
  const drawn::Shape half{5, 10, 0};
  drawn::Rows rows(4, half, half, {8, 23, 0}, 0);
  std::map<std::uint64_t, int> fields;
  std::map<std::uint64_t, int> c_fields;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    std::uint64_t a[4], b[4], c;  // NOLINT(modernize-avoid-c-arrays): as a kernel has them
    rows.draw(i, a, b, c);
    for (int k = 0; k < 4; ++k) {
      EXPECT_LT(a[k] | b[k], 1u << 16);
      ++fields[a[k] >> 10];
    }
    EXPECT_LT(c, std::uint64_t{1} << 32);
    ++c_fields[c >> 23];
  }
  EXPECT_EQ(fields.size(), 64u);
  EXPECT_EQ(c_fields.size(), 512u);
  EXPECT_LT(fields[31] + fields[63], 6000) << "few infinities, or nothing else is seen";
}

// For integers all patterns occur, and those near the least and the largest, signed or not.
TEST(Drawn, IntegersOfAllKinds) {
  drawn::Shape s8;
  drawn::Shape s32;
  ASSERT_TRUE(drawn::parse("e0m7", s8) && drawn::parse("e0m31", s32));
  drawn::Rows rows(4, s8, s8, s32, 1);
  std::set<std::uint64_t> a_patterns;
  std::map<std::uint64_t, int> about;  // near the ends of c
  for (std::uint64_t number = 0; number < 4000; ++number) {
    std::array<std::uint64_t, 4> a{};
    std::array<std::uint64_t, 4> b{};
    std::uint64_t c = 0;
    rows.draw(number, a.data(), b.data(), c);
    for (const std::uint64_t x : a) {
      EXPECT_LT(x, 256U);
      a_patterns.insert(x);
    }
    EXPECT_LT(c, std::uint64_t{1} << 32);
    for (const std::uint64_t end : {std::uint64_t{0}, std::uint64_t{1} << 31}) {
      const std::uint64_t distance = std::min((c - end) & 0xffffffffU, (end - c) & 0xffffffffU);
      if (distance < 1000) ++about[end];
    }
  }
  EXPECT_EQ(a_patterns.size(), 256U);
  EXPECT_GT(about[0], 400);
  EXPECT_GT(about[std::uint64_t{1} << 31], 200);
}

TEST(Drawn, ShapesAreRead) {
  drawn::Shape shape;
  EXPECT_TRUE(drawn::parse("e8m10x13", shape));
  EXPECT_EQ(shape.bits(), 32);
  EXPECT_EQ(drawn::to_text(shape), "e8m10x13");
  for (const char* bad : {"", "e", "e5", "m5e10", "e5m10 ", "e5m10x", "em3", "e12m3", "e8m53",
                          "e-1m3", "e11m52x32", "e5m10x0"}) {
    EXPECT_FALSE(drawn::parse(bad, shape)) << bad;
  }
}

TEST(Replay, MissingAndForeignInstructionsAreReported) {
  FakeDevice device;
  device.lacking = "mma.m16n8k4.f32.tf32.tf32.f32";
  const std::string operands = R"("a":"0 0 0 0","b":"0 0 0 0","c":"0")";
  EXPECT_EQ(replayed("{\"instr\":\"ada/mma.m16n8k4.f32.tf32.tf32.f32\"," + operands +
                         "}\n\n{\"instr\":\"cdna2/v_mfma_f64_16x16x4f64\"," + operands + "}",
                     device),
            device.header() + "\n{\"instr\":\"ada/mma.m16n8k4.f32.tf32.tf32.f32\"," + operands +
                ",\"lacks\":\"a \\\"reason\\\"\"}\n{\"instr\":\"cdna2/v_mfma_f64_16x16x4f64\"," +
                operands + ",\"lacks\":\"an instruction of another vendor\"}\n");
}

TEST(Replay, BadInputNamesItsLine) {
  FakeDevice device;
  EXPECT_EQ(replayed("", device), device.header() + "\n");
  EXPECT_EQ(replayed("\n{\"instr\":\"ada/mma.m1\",\"a\":\"\",\"b\":\"\",\"c\":\"\"}\n", device),
            "error: line 2: unknown instruction 'ada/mma.m1' (--list shows the known ones)");
  EXPECT_EQ(replayed(R"({"instr":"h/mma.m16n8k8.f32.tf32.tf32.f32","drawn":"3","seed":"0",)"
                     R"("a":"e5m10","b":"e5m10","c":"e8m23"})",
                     device),
            "error: line 1: h/mma.m16n8k8.f32.tf32.tf32.f32: a, b, c have 32, 32, 32 bits");
  EXPECT_EQ(replayed(R"({"instr":"h/mma.m16n8k8.f32.tf32.tf32.f32","drawn":"x","seed":"0",)"
                     R"("a":"e5m10","b":"e5m10","c":"e8m23"})",
                     device),
            "error: line 1: drawn: expected a number of rows");
  EXPECT_EQ(
      replayed("{\"instr\":\"ada/mma.m8n8k4.f64.f64.f64.f64\",\"a\":\"0\",\"b\":\"\",\"c\":\"\"}",
               device),
      "error: line 1: ada/mma.m8n8k4.f64.f64.f64.f64: a: 1 values, but the instruction takes 4");
}

TEST(Instructions, AnyAllowedNIsAccepted) {
  const auto name = [](std::string_view instr) {
    const int found = find_instruction(instr);
    return found < 0 ? std::to_string(found) : instructions()[static_cast<std::size_t>(found)].name;
  };
  EXPECT_EQ(name("hopper/wgmma.m64n8k8.f32.tf32.tf32"), "wgmma.m64n8k8.f32.tf32.tf32");
  EXPECT_EQ(name("x/wgmma.m64n256k32.f16.e4m3.e5m2@variant"), "wgmma.m64n8k32.f16.e4m3.e5m2");
  EXPECT_EQ(name("h/wgmma.m64n12k8.f32.tf32.tf32"), "-1");
  EXPECT_EQ(name("h/wgmma.m64n264k8.f32.tf32.tf32"), "-1");
  EXPECT_EQ(name("h/wgmma.m64nk8.f32.tf32.tf32"), "-1");
  EXPECT_EQ(name("b/tcgen05.mma.m64n24k16.f32.f16.f16"), "tcgen05.mma.m64n8k16.f32.f16.f16");
  EXPECT_EQ(name("b/tcgen05.mma.m128n48k16.f32.f16.f16"), "tcgen05.mma.m128n16k16.f32.f16.f16");
  EXPECT_EQ(name("b/tcgen05.mma.m128n24k16.f32.f16.f16"), "-1");
  EXPECT_EQ(name("b/tcgen05.mma.block_scale.m128n24k64.block16.f32.e2m1.e2m1.ue4m3"),
            "tcgen05.mma.block_scale.m128n8k64.block16.f32.e2m1.e2m1.ue4m3");
  EXPECT_EQ(name("ada/mma.m16n16k16.f32.f16.f16.f32"), "-1");
  EXPECT_EQ(name("mma.m16n8k16.f32.f16.f16.f32"), "-1") << "no arch";
}

TEST(Instructions, DescriptorsHaveTheFieldsOfTheManual) {
  const auto descriptor = [](std::string_view instr) {
    return instruction_descriptor(
        instructions()[static_cast<std::size_t>(find_instruction(instr))]);
  };
  // c's format at bit 4, a's at 7, b's at 10, n / 8 at 17, m / 16 at 24; block-scaled: the scale
  // format at 23.
  EXPECT_EQ(descriptor("b/tcgen05.mma.m64n8k16.f32.bf16.bf16"),
            1u << 4 | 1u << 7 | 1u << 10 | 1u << 17 | 4u << 24);
  EXPECT_EQ(descriptor("b/tcgen05.mma.m64n8k16.f16.f16.f16"), 1u << 17 | 4u << 24);
  EXPECT_EQ(descriptor("b/tcgen05.mma.m128n16k8.f32.tf32.tf32"),
            1u << 4 | 2u << 7 | 2u << 10 | 2u << 17 | 8u << 24);
  EXPECT_EQ(descriptor("b/tcgen05.mma.m64n8k32.f32.e5m2.e2m1"),
            1u << 4 | 1u << 7 | 5u << 10 | 1u << 17 | 4u << 24);
  EXPECT_EQ(descriptor("b/tcgen05.mma.block_scale.m128n8k32.block32.f32.e3m2.e2m3.ue8m0"),
            4u << 7 | 3u << 10 | 1u << 17 | 1u << 23 | 8u << 24);
  EXPECT_EQ(descriptor("b/tcgen05.mma.block_scale.m128n8k64.block16.f32.e2m1.e2m1.ue4m3"),
            1u << 7 | 1u << 10 | 1u << 17 | 8u << 24);
}

/// If the project's vectors are available, every NVIDIA name in them must be known, and every row
/// must be packed.
TEST(Instructions, EveryRowOfTheVectorsIsAccepted) {
  expect_every_recorded_row_packs(find_instruction, [](std::size_t i) -> const OperandLayout& {
    return instructions()[i].layout;
  });
}

}  // namespace
}  // namespace mmaspec::replay::cuda
