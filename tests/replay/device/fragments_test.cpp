// The fragment layouts compared with the element formulas of PTX ISA ("Matrix fragments for
// mma.*"), written here a second time, shape by shape, as in the manual.
#include "hardware/replay/device/cuda/fragments.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <utility>

namespace mmaspec::replay::cuda {
namespace {

using At = std::pair<int, int>;  // row, column
using Formula = std::function<At(int g, int t, int i)>;

struct Shape {
  std::string name;
  int rows, k;
  int per_register;  // elements
  int a_registers, b_registers;
  Formula a, b;  // b: row is k
};

int low(int g, bool first) { return first ? g : g + 8; }

// g: groupID, t: threadID_in_group, i: the index of the element in the lane.
const Shape shapes[] = {
    {"m16n8k4 tf32", 16, 4, 1, 2, 1, [](int g, int t, int i) { return At(low(g, i == 0), t); },
     [](int g, int t, int) { return At(t, g); }},
    {"m16n8k8 tf32", 16, 8, 1, 4, 2,
     [](int g, int t, int i) { return At(low(g, i == 0 || i == 2), i < 2 ? t : t + 4); },
     [](int g, int t, int i) { return At(i == 0 ? t : t + 4, g); }},
    {"m16n8k8 f16 bf16", 16, 8, 2, 2, 1,
     [](int g, int t, int i) { return At(low(g, i < 2), t * 2 + (i & 1)); },
     [](int g, int t, int i) { return At(t * 2 + i, g); }},
    {"m16n8k16 f16 bf16", 16, 16, 2, 4, 2,
     [](int g, int t, int i) {
       return At(low(g, i < 2 || (4 <= i && i < 6)), t * 2 + (i & 1) + (i < 4 ? 0 : 8));
     },
     [](int g, int t, int i) { return At(t * 2 + (i & 1) + (i < 2 ? 0 : 8), g); }},
    {"m16n8k16 8 bits", 16, 16, 4, 2, 1,
     [](int g, int t, int i) { return At(low(g, i < 4), t * 4 + (i & 3)); },
     [](int g, int t, int i) { return At(t * 4 + i, g); }},
    {"m16n8k32 8 bits", 16, 32, 4, 4, 2,
     [](int g, int t, int i) {
       return At(low(g, i < 4 || (8 <= i && i < 12)), t * 4 + (i & 3) + (i < 8 ? 0 : 16));
     },
     [](int g, int t, int i) { return At(t * 4 + (i & 3) + (i < 4 ? 0 : 16), g); }},
    {"m16n8k64 4 bits", 16, 64, 8, 4, 2,
     [](int g, int t, int i) {
       return At(low(g, i < 8 || (16 <= i && i < 24)), t * 8 + (i & 7) + (i < 16 ? 0 : 32));
     },
     [](int g, int t, int i) { return At(t * 8 + (i & 7) + (i < 8 ? 0 : 32), g); }},
    {"m8n8k4 f64", 8, 4, 1, 1, 1, [](int g, int t, int) { return At(g, t); },
     [](int g, int t, int) { return At(t, g); }},
    {"m16n8k4 f64", 16, 4, 1, 2, 1, [](int g, int t, int i) { return At(low(g, i == 0), t); },
     [](int g, int t, int) { return At(t, g); }},
    {"m16n8k8 f64", 16, 8, 1, 4, 2,
     [](int g, int t, int i) { return At(low(g, i == 0 || i == 2), i < 2 ? t : t + 4); },
     [](int g, int t, int i) { return At(i == 0 ? t : t + 4, g); }},
    {"m16n8k16 f64", 16, 16, 1, 8, 4,
     [](int g, int t, int i) {
       return At(low(g, i % 2 == 0), i % 2 == 0 ? i * 2 + t : i * 2 - 2 + t);
     },
     [](int g, int t, int i) { return At(t + 4 * i, g); }},
};

TEST(Fragments, AAndBAreLaidOutAsInTheManual) {
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(shape.name);
    std::set<At> a_seen, b_seen;
    for (int lane = 0; lane < 32; ++lane) {
      for (int i = 0; i < shape.a_registers * shape.per_register; ++i) {
        const At at = shape.a(lane / 4, lane % 4, i);
        const Place place = a_place(lane, i / shape.per_register);
        EXPECT_EQ(place.row, at.first);
        EXPECT_EQ(place.word * shape.per_register + i % shape.per_register, at.second);
        EXPECT_TRUE(a_seen.insert(at).second) << "twice";
      }
      for (int i = 0; i < shape.b_registers * shape.per_register; ++i) {
        const At at = shape.b(lane / 4, lane % 4, i);
        const Place place = b_place(lane, i / shape.per_register);
        EXPECT_EQ(place.row, at.second);
        EXPECT_EQ(place.word * shape.per_register + i % shape.per_register, at.first);
        EXPECT_TRUE(b_seen.insert(at).second) << "twice";
      }
    }
    EXPECT_EQ(a_seen.size(), static_cast<std::size_t>(shape.rows * shape.k));
    EXPECT_EQ(b_seen.size(), static_cast<std::size_t>(8 * shape.k));
  }
}

TEST(Fragments, CIsLaidOutAsInTheManual) {
  for (const int elements : {2, 4}) {  // m8n8k4 of f64; m16n8kK
    std::set<At> seen;
    for (int lane = 0; lane < 32; ++lane) {
      for (int i = 0; i < elements; ++i) {
        const Element element = c_element(lane, i);
        EXPECT_EQ(element.row, i < 2 ? lane / 4 : lane / 4 + 8);
        EXPECT_EQ(element.column, lane % 4 * 2 + (i & 1));
        seen.insert({element.row, element.column});
      }
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(32 * elements));
  }
}

TEST(Fragments, M8N8K4HasFourProductsPerWarp) {
  for (int quad_pair = 0; quad_pair < 4; ++quad_pair) {
    std::set<int> rows;
    std::set<At> f32_seen, f16_seen;
    for (int lane = 0; lane < 32; ++lane) {
      if (lane % 16 / 4 != quad_pair) continue;
      EXPECT_EQ(quad_pair_row(lane), lane < 16 ? lane % 4 : lane % 4 + 4);
      rows.insert(quad_pair_row(lane));
      for (int i = 0; i < 8; ++i) {
        // "row = X where X = laneid & 1 (+ 4 for laneid >= 16), + 2 for i & 2;
        //  col = (i & 4) + (laneid & 2) + (i & 1)"
        const int x = lane < 16 ? lane & 1 : (lane & 1) + 4;
        const Element f32 = quad_pair_f32(lane, i);
        EXPECT_EQ(f32.row, (i & 2) == 0 ? x : x + 2);
        EXPECT_EQ(f32.column, (i & 4) + (lane & 2) + (i & 1));
        f32_seen.insert({f32.row, f32.column});
        const Element f16 = quad_pair_f16(lane, i);
        EXPECT_EQ(f16.row, lane < 16 ? lane % 4 : lane % 4 + 4);
        EXPECT_EQ(f16.column, i);
        f16_seen.insert({f16.row, f16.column});
      }
    }
    EXPECT_EQ(rows.size(), 8u);
    EXPECT_EQ(f32_seen.size(), 64u);
    EXPECT_EQ(f16_seen.size(), 64u);
  }
}

// "Canonical layouts", K-major, no swizzle: T = 128 bits, ((8, m), (T, 2)) : ((1T, SBO), (1, LBO)).
TEST(Fragments, CoreMatricesAgreeWithTheDescriptor) {
  constexpr std::uint64_t descriptor = matrix_descriptor(0x12340);
  EXPECT_EQ(descriptor & 0x3fff, 0x1234u);
  const auto leading = static_cast<int>(descriptor >> 16 & 0x3fff) * 16;
  const auto stride = static_cast<int>(descriptor >> 32 & 0x3fff) * 16;
  EXPECT_EQ(descriptor >> 46, 0u) << "no offset mode, no swizzle";
  std::set<int> seen;
  for (int row = 0; row < 128; ++row) {
    for (int word = 0; word < 8; ++word) {
      const int byte = 4 * word;
      const int address = row / 8 * stride + row % 8 * 16 + byte / 16 * leading + byte % 16;
      EXPECT_EQ(4 * core_matrix_word(row, word), address);
      EXPECT_TRUE(seen.insert(address).second);
    }
  }
  EXPECT_EQ(*seen.rbegin(), 128 * 32 - 4) << "no gaps";
}

}  // namespace
}  // namespace mmaspec::replay::cuda
