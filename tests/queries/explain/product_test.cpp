// In which order the elements of a product are tried.

#include "queries/studies/explain/product.h"

#include <gtest/gtest.h>

namespace mmaspec::product_test {
namespace {

using namespace explain;  // NOLINT(google-build-using-namespace): it is what is tested

PatternView view(const std::vector<std::uint64_t>& patterns, std::size_t rows,
                 std::size_t columns) {
  return {reinterpret_cast<const std::byte*>(patterns.data()),
          8,
          rows,
          columns,
          static_cast<std::ptrdiff_t>(8 * columns),
          8};
}

TEST(ElementOrder, PutsSumsNearARoundingBoundaryFirst) {
  // f32 products with 1. In steps of bf16's last bit, the rows' sums are 1/16, 3/8, and 1/4 from a
  // boundary. The last sum's partial sums are 2^10 as large as the sum.
  const std::vector<std::uint64_t> a{0x3f807000, 0,            //
                                     0x3f802000, 0,            //
                                     0x3f804000, 0,            //
                                     0x44800000, 0xc47fe000};  // 1024 - 1023.5, which is 0.5
  const std::vector<std::uint64_t> b{0x3f800000, 0x3f800000};
  const std::vector<std::uint64_t> d(4, 0);
  const Product product{view(a, 4, 2), view(b, 2, 1), {}, view(d, 4, 1)};
  const MatrixFormats formats{{&formats::f32}, {&formats::f32}, {}, {&formats::bf16}};
  std::vector<Element> elements{{0, 0}, {1, 0}, {2, 0}, {3, 0}};
  put_in_order(elements, product, formats);
  // The sum 0.5 is half a step from a boundary, but 2^-10 of that relative to its partial sums.
  const std::vector<Element> expected{{3, 0}, {0, 0}, {2, 0}, {1, 0}};
  EXPECT_EQ(elements, expected);
}

TEST(ElementOrder, PutsSumsThatAreNotFiniteLast) {
  const std::vector<std::uint64_t> a{0x7f800000, 0xff800000,  // infinity - infinity
                                     0x3f802000, 0};
  const std::vector<std::uint64_t> b{0x3f800000, 0x3f800000};
  const std::vector<std::uint64_t> d(2, 0);
  const Product product{view(a, 2, 2), view(b, 2, 1), {}, view(d, 2, 1)};
  const MatrixFormats formats{{&formats::f32}, {&formats::f32}, {}, {&formats::bf16}};
  for (std::vector<Element> elements : {std::vector<Element>{{0, 0}, {1, 0}}, {{1, 0}, {0, 0}}}) {
    put_in_order(elements, product, formats);
    EXPECT_EQ(elements.front(), (Element{1, 0}));
  }
}

}  // namespace
}  // namespace mmaspec::product_test
