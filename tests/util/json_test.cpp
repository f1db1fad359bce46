// JSON values compared with nlohmann-json, which parses and prints them.
#include "util/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace mmaspec::json_test {
namespace {

using nlohmann::ordered_json;

const std::vector<std::string>& texts() {
  static const std::vector<std::string> all{
      "null",
      "true",
      "[]",
      "{}",
      "[[],{}]",
      "0",
      "-0",
      "-1",
      "18446744073709551615",
      "-9223372036854775808",
      "18446744073709551616",
      "1.0",
      "-0.0",
      "5e-1",
      "1e300",
      "0.1",
      "123456789.125",
      "4.9e-324",
      R"("")",
      R"("text \" \\ \/ \b\f\n\r\t \u0001 \u00e9 \u20ac \ud83d\ude00 é")",
      "\"\x7f\"",
      R"({"b":1,"a":{"y":[1,2.5,"x",null,true],"x":{}},"b2":[]})",
      R"({"twice":1,"other":2,"twice":{"inner":3}})",
      " [ 1 , 2 ] ",
  };
  return all;
}

TEST(Json, ReadsAndPrintsLikeTheLibrary) {
  for (const std::string& text : texts()) {
    const auto expected = ordered_json::parse(text);
    const Json value = Json::parse(text);
    for (const int indent : {-1, 0, 1, 2}) {
      EXPECT_EQ(value.dump(indent), expected.dump(indent)) << text;
    }
    EXPECT_EQ(Json(value), value) << text;
    EXPECT_EQ(Json::parse(value.dump()), value) << text;
  }
}

TEST(Json, RefusesTheTextsThatTheLibraryRefusesWithItsMessages) {
  for (const std::string text : {"", "{", "[1,]", "01", "1e999", "nul", "\"\xff\"", "\"\\ud800\"",
                                 "{\"a\" 1}", "[1] 2", "{1:2}"}) {
    std::string expected;
    try {
      ADD_FAILURE() << ordered_json::parse(text);
    } catch (const ordered_json::exception& e) {
      expected = e.what();
    }
    try {
      ADD_FAILURE() << Json::parse(text);
    } catch (const Json::Error& e) {
      EXPECT_EQ(e.what(), expected);
    }
    EXPECT_TRUE(Json::parse_or_discard(text).is_discarded()) << text;
  }
}

TEST(Json, PrintsInvalidUtf8AsAsked) {
  const Json value{{"text", "a\xff"}};
  const ordered_json same{{"text", "a\xff"}};
  EXPECT_EQ(value.dump(-1, Json::Invalid::replace),
            same.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
  EXPECT_THROW(value.dump(), Json::Error);
}

TEST(Json, IsBuiltFromBracesLikeTheLibrary) {
  const double inf = std::numeric_limits<double>::infinity();
  const std::map<std::string, int> counts{{"z", 1}, {"a", 2}};
  const std::vector<std::string> words{"x", "y"};
  EXPECT_EQ(
      (Json{{"a", 1}, {"b", -1L}, {"c", 2.0}, {"d", nullptr}, {"e", words}, {"f", counts}}.dump()),
      (ordered_json{{"a", 1}, {"b", -1L}, {"c", 2.0}, {"d", nullptr}, {"e", words}, {"f", counts}}
           .dump()));
  EXPECT_EQ((Json{1, "x", false, inf, std::nan("")}.dump()),
            (ordered_json{1, "x", false, inf, std::nan("")}.dump()));
  EXPECT_EQ((Json{{"a", 1}, {2, 3}}.dump()), (ordered_json{{"a", 1}, {2, 3}}.dump()));
  EXPECT_EQ((Json{{"a", "b"}}.dump()), (ordered_json{{"a", "b"}}.dump()));
  EXPECT_EQ((Json{{"a", {"b", "c"}}, {"a", 2}}.dump()),
            (ordered_json{{"a", {"b", "c"}}, {"a", 2}}.dump()));
  EXPECT_EQ(Json().dump(), "null");
}

TEST(Json, ChangesLikeTheLibrary) {
  Json value;
  ordered_json same;
  const auto change = [](auto& x, const auto& other) {
    x["list"].push_back(1);
    x["list"].push_back({"a", "b"});
    x["inner"]["deep"] = "text";
    x["gone"] = true;
    x.erase("gone");
    x.update(other);
    x["list"][0] = 2.5;
  };
  change(value, Json{{"new", 1}, {"inner", "other"}});
  change(same, ordered_json{{"new", 1}, {"inner", "other"}});
  EXPECT_EQ(value.dump(2), same.dump(2));
  EXPECT_EQ(value.erase("nothing"), 0U);
}

TEST(Json, ReturnsValuesAndRefusesOtherTypes) {
  const Json value =
      Json::parse(R"({"n":-3,"u":4000000000,"r":2.5,"s":"x","b":true,"l":["a","b"]})");
  EXPECT_EQ(value.at("n").get<int>(), -3);
  EXPECT_EQ(value.at("u").get<std::uint64_t>(), 4000000000U);
  EXPECT_EQ(value.at("r").get<double>(), 2.5);
  EXPECT_EQ(value.at("n").get<double>(), -3);
  EXPECT_EQ(value.at("l").get<std::vector<std::string>>(), (std::vector<std::string>{"a", "b"}));
  const std::string text = value.at("s");
  EXPECT_EQ(text, "x");
  EXPECT_EQ(value.value("b", false), true);
  EXPECT_EQ(value.value("none", "other"), "other");
  EXPECT_EQ(value.at("n"), -3);
  EXPECT_EQ(value.at("n"), -3.0);
  EXPECT_EQ(value.at("s"), "x");
  EXPECT_NE(value.at("s"), Json());
  EXPECT_EQ(value.items()[2].key, "r");
  EXPECT_EQ(value.find("none"), value.end());
  EXPECT_THROW(value.at("none"), Json::Error);
  EXPECT_THROW(value.at("l").at(2), Json::Error);
  EXPECT_THROW(value.at("s").get<int>(), Json::Error);
  EXPECT_THROW(value.at("n").get<std::string>(), Json::Error);
  EXPECT_THROW(value.at("n").at("x"), Json::Error);
}

/// `depth` nested arrays.
std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

// Copying and printing recurse once per level, and must not exhaust the stack.
TEST(Json, HasAtMost512ValuesInsideEachOther) {
  const Json deepest = Json::parse(nested(512));
  EXPECT_EQ(Json(deepest).dump(), nested(512));
  EXPECT_EQ(Json(deepest), deepest);
  EXPECT_THROW(Json::parse(nested(513)), Json::Error);
  EXPECT_THROW(Json::parse(nested(1000000)), Json::Error);
  EXPECT_TRUE(Json::parse_or_discard("{\"x\":" + nested(512) + "}").is_discarded());
  EXPECT_TRUE(Json::parse_or_discard(std::string(1000000, '[')).is_discarded());
}

TEST(Json, RefusesIntegersBeyond64Bits) {
  EXPECT_EQ(Json::parse("2.5").get<int>(), 2);
  EXPECT_EQ(Json::parse("-9223372036854775808.0").get<std::int64_t>(),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(Json::parse("18446744073709549568.0").get<std::uint64_t>(), 18446744073709549568U);
  for (const char* text : {"1e300", "-1e300", "9223372036854775808.0"}) {
    EXPECT_THROW(Json::parse(text).get<std::int64_t>(), Json::Error) << text;
  }
  for (const char* text : {"1e300", "-1.0", "18446744073709551616"}) {
    EXPECT_THROW(Json::parse(text).get<std::uint64_t>(), Json::Error) << text;
  }
}

// -1 has the bits of 2^64 - 1.
TEST(Json, ANegativeIntegerIsNotANaturalNumber) {
  EXPECT_NE(Json::parse("-1"), Json::parse("18446744073709551615"));
  EXPECT_NE(Json::parse("18446744073709551615"), Json::parse("-1"));
  EXPECT_EQ(Json(-1), Json::parse("-1"));
  EXPECT_EQ(Json(5), Json(5U));
}

class Texts : public JsonReader {
 public:
  std::string all;

 private:
  void string(const std::string& text) override { all += "'" + text + "'"; }
  void number(double x) override { all += std::to_string(static_cast<int>(x)); }
  void key(const std::string& name) override { all += name + ":"; }
  void enter() override { all += "("; }
  void leave() override { all += ")"; }
};

TEST(Json, CallsAnEventHandlerWhileReading) {
  Texts texts;
  EXPECT_TRUE(texts.read(R"({"a":[1,-2,3.5,null,true],"b":{"c":"d"}})"));
  EXPECT_EQ(texts.all, "(a:(1-23)b:(c:'d'))");
  EXPECT_FALSE(Texts().read("{"));
}

}  // namespace
}  // namespace mmaspec::json_test
