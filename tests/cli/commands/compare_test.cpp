// compare: two designs on a user's matrices, run as users run it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::cli_test::compare_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string kVolta = "volta/mma.m8n8k4.f32.f16.f16.f32";
const std::string kExact = "design:exact-dot-add(a=f16,b=f16,c=f32,d=f32,k=4)";

/// A .npy file of patterns. `kind`: the letter of its dtype.
template <typename Word>
std::string npy(const std::vector<std::vector<Word>>& rows, const std::string& kind = "u") {
  std::string header = "{'descr': '<" + kind + std::to_string(sizeof(Word)) +
                       "', 'fortran_order': False, 'shape': (" + std::to_string(rows.size()) +
                       ", " + std::to_string(rows[0].size()) + "), }";
  header.resize(117, ' ');
  header += '\n';
  std::string text = "\x93NUMPY\x01";
  text += '\0';
  text += static_cast<char>(header.size());
  text += '\0';
  text += header;
  for (const auto& row : rows) {
    for (const Word word : row) {
      text.append(reinterpret_cast<const char*>(&word), sizeof word);
    }
  }
  return text;
}

/// 1, 2^-12, 2^-12, 2^-12 and ones: the unit cuts bits that the exact sum keeps.
class Compare : public testing::Test {
 protected:
  const Folder folder_;
  const std::string a_ = folder_.write(
      "a.npy", npy<std::uint16_t>({{0x3c00, 0x0001, 0x0001, 0x0001}, {0x3c00, 0, 0, 0}}));
  const std::string b_ =
      folder_.write("b.npy", npy<std::uint16_t>({{0x3c00}, {0x3c00}, {0x3c00}, {0x3c00}}));

  Outcome compare(const std::vector<std::string>& files, const std::vector<std::string>& more = {},
                  const std::string& second = kExact) const {
    std::vector<std::string> all{"compare"};
    all.insert(all.end(), files.begin(), files.end());
    all.insert(all.end(), {kVolta, second});
    all.insert(all.end(), more.begin(), more.end());
    return mmaspec(all);
  }
};

TEST_F(Compare, TakesPlusZeroForC) {
  const std::string zeros = folder_.write("c.npy", npy<std::uint32_t>({{0}, {0}}));
  const Outcome without = compare({a_, b_}, {"--json"});
  const Outcome with = compare({a_, b_, zeros}, {"--json"});
  EXPECT_EQ(without.status, 1) << without.err;
  EXPECT_EQ(without.out, with.out);
  const Json answer = Json::parse(without.out);
  EXPECT_EQ(answer.at("elements"), 2);
  EXPECT_EQ(answer.at("differing"), 1);
  // 1 + 3 * 2^-24 rounded to nearest is 1 + 2^-22; the unit keeps none of the three terms.
  EXPECT_EQ(answer.at("worst").at(0).at("first"), "0x1p+0");
  EXPECT_EQ(answer.at("worst").at(0).at("second"), "0x1.000004p+0");
  EXPECT_EQ(answer.at("evidence").at(0).at("unit"), kVolta);
}

TEST_F(Compare, HasAnExitStatusByTheTolerance) {
  EXPECT_EQ(compare({a_, b_}).status, 1);
  EXPECT_EQ(compare({a_, b_}, {}, kVolta).status, 0);
  // The results differ by 2^-22 near 1.
  for (const char* option : {"--atol", "--rtol"}) {
    const Outcome enough = compare({a_, b_}, {option, "0x1p-22"});
    EXPECT_EQ(enough.status, 0) << enough.err;
    EXPECT_THAT(enough.out, HasSubstr("\n0 of them by more than atol = "));
    const Outcome less = compare({a_, b_}, {option, "0x0.ffffffp-22"});
    EXPECT_EQ(less.status, 1);
    EXPECT_THAT(less.out, HasSubstr("\n1 of them by more than atol = "));
  }
  const Json answer = Json::parse(compare({a_, b_}, {"--atol", "1/4194305", "--json"}).out);
  EXPECT_EQ(answer.at("tolerance").at("exceeding"), 1);
  EXPECT_EQ(answer.at("tolerance").at("atol"), "1/4194305");
  expect_refused(compare({a_, b_}, {"--atol", "-1"}), {"--atol"});
}

TEST_F(Compare, SaysThatItPadsWithZeros) {
  const std::string a = folder_.write("a6.npy", npy<std::uint16_t>({{1, 2, 3, 4, 5, 6}}));
  const std::string b = folder_.write(
      "b6.npy", npy<std::uint16_t>({{0x3c00}, {0x3c00}, {0x3c00}, {0x3c00}, {0x3c00}, {0x3c00}}));
  EXPECT_THAT(compare({a, b}).out,
              HasSubstr(kVolta + " is executed 2 times, with each result as the next c, and has +0 "
                                 "* +0 for products 6 to 7"));
  EXPECT_THAT(compare({a_, b_}).out, Not(HasSubstr("+0 * +0")));
}

TEST_F(Compare, RefusesInOneLine) {
  expect_refused(mmaspec({"compare", a_, b_, kVolta}), {"A B [C] FIRST SECOND"});
  expect_refused(mmaspec({"compare", a_, b_, a_, a_, kVolta, kExact}), {"A B [C] FIRST SECOND"});
}

TEST_F(Compare, NamesDtypes) {
  const std::string doubles = folder_.write("f8.npy", npy<std::uint64_t>({{0}, {0}}, "f"));
  const std::string complex = folder_.write("c8.npy", npy<std::uint64_t>({{0}, {0}}, "c"));
  const std::string c32 = folder_.write("c.npy", npy<std::uint32_t>({{0}, {0}}));
  expect_refused(mmaspec({"compare", doubles, b_, c32, kVolta, kExact}),
                 {"contains float64 (f8); allowed for f16: float16 (f2), or bit patterns as uint16 "
                  "(u2)"});
  expect_refused(mmaspec({"compare", complex, b_, c32, kVolta, kExact}), {"complex64 (c8)"});
  const std::string bf16 = "design:exact-dot-add(a=bf16,b=bf16,c=f32,d=f32,k=4)";
  expect_refused(mmaspec({"compare", doubles, b_, c32, bf16, bf16}),
                 {"allowed for bf16: the type of ml_dtypes (V2), or bit patterns as uint16 (u2)"});
  expect_refused(mmaspec({"compare", folder_.write("text.npy", "1,2\n"), b_, c32, kVolta, kExact}),
                 {"is not a .npy file"});
  // A file without numbers could hold any number of matrices.
  std::string many = npy<std::uint16_t>({{}});
  const std::size_t shape = many.find("(1, 0)");
  ASSERT_NE(shape, std::string::npos);
  many.replace(shape, 6, "(1048576, 1048576, 0)");
  many.resize(many.size() - 15);
  expect_refused(mmaspec({"compare", folder_.write("none.npy", npy<std::uint16_t>({{}})), b_, c32,
                          kVolta, kExact}),
                 {"does not contain numbers"});
  expect_refused(mmaspec({"compare", folder_.write("many.npy", many), b_, c32, kVolta, kExact}),
                 {"many.npy: does not contain numbers"});
}

TEST_F(Compare, TakesIntegersOfIntegerFormats) {
  const std::string unit = "design:integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=4)";
  const std::string a = folder_.write("i1.npy", npy<std::uint8_t>({{1, 0xff, 3, 4}}, "i"));
  const std::string b = folder_.write("i1b.npy", npy<std::uint8_t>({{1}, {1}, {1}, {1}}, "i"));
  const std::string c = folder_.write("i4.npy", npy<std::uint32_t>({{5}}, "i"));
  const Outcome same = mmaspec({"compare", a, b, c, unit, unit});
  EXPECT_EQ(same.status, 0) << same.err;
  const std::string halves = folder_.write("f2.npy", npy<std::uint16_t>({{0, 0, 0, 0}}, "f"));
  expect_refused(mmaspec({"compare", halves, b, c, unit, unit}),
                 {"float16 (f2); allowed for s8: int8 (i1), or bit patterns as uint8 (u1)"});
}

TEST_F(Compare, ComputesOnADeviceWhereThereIsOne) {
  const Outcome host = compare({a_, b_});
  for (const std::string device : {"cuda", "cuda:0", "opencl", "opencl:0"}) {
    const Outcome o = compare({a_, b_}, {"--on", device});
    if (o.status == 2) {
      EXPECT_THAT(o.err, StartsWith("mmaspec: " + device.substr(0, device.find(':')) + ": "));
      EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
    } else {
      EXPECT_EQ(o.status, host.status) << o.err;
      EXPECT_EQ(o.out, host.out);
    }
  }
  for (const std::string device : {"vulkan", "cuda:", "opencl:-1", "opencl:1x"}) {
    const Outcome o = compare({a_, b_}, {"--on", device});
    EXPECT_EQ(o.status, 2);
    EXPECT_EQ(o.err,
              "mmaspec: device '" + device + "': expected cuda, cuda:N, opencl or opencl:N\n");
  }
}

}  // namespace
}  // namespace mmaspec::cli_test::compare_test
