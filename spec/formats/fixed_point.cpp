// Makes fixed-point formats from their names.
#include "spec/formats/fixed_point.h"

#include <map>
#include <memory>
#include <mutex>
#include <regex>
#include <string>

namespace mmaspec {
namespace {

struct FixedPoint {
  std::string name;
  Format format;
};

}  // namespace

const Format* find_fixed_point(std::string_view name) {
  static const std::regex pattern("fixed:([0-9]{1,2})\\.([0-9]{1,2})");
  std::match_results<std::string_view::const_iterator> found;
  if (!std::regex_match(name.begin(), name.end(), found, pattern)) return nullptr;
  const int integer_bits = std::stoi(found[1]);
  const int point = std::stoi(found[2]);
  const int width = integer_bits + point;
  if (integer_bits < 1 || width < 2 || width > kMostFixedPointBits) return nullptr;
  static std::mutex mutex;
  static std::map<std::pair<int, int>, std::unique_ptr<FixedPoint>> all;
  const std::scoped_lock lock(mutex);
  std::unique_ptr<FixedPoint>& fixed = all[{integer_bits, point}];
  if (!fixed) {
    fixed = std::make_unique<FixedPoint>();
    fixed->name = "fixed:" + std::to_string(integer_bits) + "." + std::to_string(point);
    Format& format = fixed->format;
    format = formats::s32;
    format.name = fixed->name;
    format.storage_bits = width;
    format.bias += format.fraction_bits - (width - 1);
    format.fraction_bits = width - 1;
    format.source = "two's complement, multiples of a power of two";
    format.point = point;
  }
  return &fixed->format;
}

}  // namespace mmaspec
