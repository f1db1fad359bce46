// Parsing of the numbers of `diff`.

#include "queries/request/diff_request.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace mmaspec::diff_request_test {
namespace {

// Boost would read a number with a leading 0 as octal.
TEST(DiffRequest, UlpsAreDecimal) {
  EXPECT_EQ(parse_ulp("--ulp", "0"), 0);
  EXPECT_EQ(parse_ulp("--ulp", "10"), 10);
  EXPECT_EQ(parse_ulp("--ulp", "010"), 10);
  EXPECT_EQ(parse_ulp("--ulp", "089"), 89);
  EXPECT_EQ(parse_ulp("--ulp", std::string(29, '0') + "8"), 8);
  EXPECT_EQ(parse_ulp("--ulp", std::string(30, '9')), Integer("999999999999999999999999999999"));
  for (const char* text : {"", "0x10", "1e1", "-1", "1.5"}) {
    EXPECT_THROW(parse_ulp("--ulp", text), std::invalid_argument) << text;
  }
}

}  // namespace
}  // namespace mmaspec::diff_request_test
