#include "spec/catalog/open_design.h"

#include <map>
#include <stdexcept>
#include <type_traits>
#include <variant>

#include "spec/formats/fixed_point.h"
#include "spec/parts/parameter_visitor.h"

namespace mmaspec {
namespace {

constexpr int kLongestDot = 4096;

/// The kinds of formats that an algorithm takes.
enum class Kind {
  floating_point,
  integer,
  fixed_point,  ///< c and d; a and b are in floating point
};

template <typename D>
constexpr Kind kind_of() {
  if constexpr (std::is_same_v<D, IntegerDotAdd>) return Kind::integer;
  if constexpr (std::is_same_v<D, FixedPointDotAdd>) return Kind::fixed_point;
  return Kind::floating_point;
}

/// An algorithm that `design:` accepts.
struct OpenAlgorithm {
  std::string name;
  std::string reference;
  bool takes_scale_factors;
  Kind kind;
  Algorithm (*read)(ParameterReader&, const DotFormats&);
  std::vector<ParameterHelp> (*help)(const DotFormats&);
};

template <typename D>
OpenAlgorithm open_algorithm() {
  return {std::string(D::kName),
          std::string(D::kReference),
          D::kTakesScaleFactors,
          kind_of<D>(),
          [](ParameterReader& reader, const DotFormats& formats) -> Algorithm {
            return read_design<D>(reader, formats);
          },
          parameter_help<D>};
}

/// All of Design except those that exist only in code, without their parameters.
template <typename... D>
std::vector<OpenAlgorithm> all_but_made_in_code(std::type_identity<std::variant<D...>>) {
  std::vector<OpenAlgorithm> all;
  const auto add = [&]<typename T>(std::type_identity<T>) {
    constexpr bool made_in_code = std::is_same_v<T, Custom> || std::is_same_v<T, Chained> ||
                                  std::is_same_v<T, Padded> || std::is_same_v<T, Composed>;
    if constexpr (!made_in_code) all.push_back(open_algorithm<T>());
  };
  (add(std::type_identity<D>()), ...);
  return all;
}

const std::vector<OpenAlgorithm>& table() {
  static const std::vector<OpenAlgorithm> all = all_but_made_in_code(std::type_identity<Design>());
  return all;
}

const OpenAlgorithm& find_open_algorithm(const std::string& name) {
  for (const OpenAlgorithm& a : table()) {
    if (a.name == name) return a;
  }
  std::string all;
  for (const std::string& a : open_algorithms()) all += (all.empty() ? "" : ", ") + a;
  const std::string near = nearest(name, open_algorithms());
  throw std::invalid_argument("unknown algorithm '" + name.substr(0, 60) + "'" +
                              (near.empty() ? "" : "; did you mean '" + near + "'?") +
                              " (algorithms: " + all + ")");
}

/// True if NaN results are canonical as NVIDIA's are; otherwise any NaN is valid.
bool has_canonical_nan(const Algorithm& algorithm) {
  return algorithm.as<FusedDotAdd>() != nullptr || algorithm.as<GroupDotFusedSum>() != nullptr ||
         algorithm.as<SplitFp8>() != nullptr || algorithm.as<ExactDotAdd>() != nullptr;
}

/// Operands may have any signed format; accumulators and results need a format with NaN. Algorithms
/// on integers accept only integer formats, and others accept none. An accumulator in fixed point
/// is a signed integer format.
const Format& operand(ParameterReader& reader, const std::string& key, const Format& otherwise,
                      bool is_result, Kind kind) {
  const Format& f = reader.format(key, otherwise);
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument(key + "=" + std::string(f.name) + why);
  };
  if (kind == Kind::fixed_point) {
    if (is_result && !f.twos_complement) refuse(": expected fixed:I.F or a signed integer format");
    if (is_result) return f;
    if (f.is_integer()) refuse(": expected a floating-point format");
  } else if (kind == Kind::integer) {
    if (!f.is_integer()) refuse(": expected an integer format, such as s8");
    if (f.point > 0) refuse(": use fixed-point-dot-add");
    return f;
  } else if (f.is_integer()) {
    refuse(": integer formats are allowed only for integer-dot-add and fixed-point-dot-add");
  }
  const bool says_nan = f.specials == Specials::ieee || f.specials == Specials::nan_all_ones;
  if (!f.has_sign || (is_result && !says_nan)) {
    throw std::invalid_argument(key + "=" + std::string(f.name) +
                                (is_result ? ": a result's format needs a sign and NaNs"
                                           : ": an operand's format needs a sign"));
  }
  return f;
}

/// The formats that a design has if its name does not give any.
DotFormats default_formats(Kind kind) {
  using namespace formats;
  switch (kind) {
    case Kind::integer:
      return {&s8, &s8, &s32, &s32, 16};
    case Kind::fixed_point: {
      const Format* kulisch = find_fixed_point("fixed:23.18");  // for e4m3
      return {&e4m3, &e4m3, kulisch, kulisch, 16};
    }
    case Kind::floating_point:
      break;
  }
  return {&f16, &f16, &f32, &f32, 16};
}

DotFormats read_formats(ParameterReader& reader, Kind kind) {
  const DotFormats otherwise = default_formats(kind);
  DotFormats formats{};
  formats.a = &operand(reader, "a", *otherwise.a, false, kind);
  formats.b = &operand(reader, "b", *formats.a, false, kind);
  formats.c = &operand(reader, "c", *otherwise.c, true, kind);
  formats.d = &operand(reader, "d", *formats.c, true, kind);
  formats.k = reader.integer("k", 1, kLongestDot);
  if (reader.has("scale")) {
    formats.scale = &reader.format("scale", formats::ue8m0);
    if (formats.scale->has_sign) {
      throw std::invalid_argument("scale=" + std::string(formats.scale->name) +
                                  ": expected ue8m0 or ue4m3");
    }
    formats.scale_block = reader.integer("scale_block", 1, formats.k, formats.k);
    if (formats.k % formats.scale_block != 0) {
      throw std::invalid_argument("scale_block=" + std::to_string(formats.scale_block) +
                                  ": does not divide k=" + std::to_string(formats.k));
    }
  }
  return formats;
}

}  // namespace

std::map<std::string, std::string> parse_pairs(std::string_view text) {
  std::map<std::string, std::string> pairs;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::string_view pair = text.substr(start, end - start);
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      throw std::invalid_argument("'" + std::string(pair) + "': expected key=value");
    }
    const std::string key(pair.substr(0, equals));
    if (!pairs.emplace(key, pair.substr(equals + 1)).second) {
      throw std::invalid_argument("the parameter " + key + " is given twice");
    }
    start = end + 1;
  }
  return pairs;
}

const std::vector<std::string>& open_algorithms() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const OpenAlgorithm& a : table()) all.push_back(a.name);
    return all;
  }();
  return names;
}

Instruction open_design(std::string_view text) {
  const std::size_t open = text.find('(');
  const std::string name(text.substr(0, open));
  const OpenAlgorithm& chosen = find_open_algorithm(name);
  if (open == std::string_view::npos || !text.ends_with(')')) {
    throw std::invalid_argument("design:" + name + ": expected (key=value,...) after the name");
  }
  try {
    ParameterReader reader(parse_pairs(text.substr(open + 1, text.size() - open - 2)));
    try {
      const DotFormats formats = read_formats(reader, chosen.kind);
      if (formats.scale != nullptr && !chosen.takes_scale_factors) {
        throw std::invalid_argument("this algorithm does not support scale factors");
      }
      Algorithm algorithm = chosen.read(reader, formats);
      reader.require_all_read();
      const bool canonical = has_canonical_nan(algorithm);
      return {"design", std::string(text), "", formats, std::move(algorithm), {}, canonical};
    } catch (const std::invalid_argument&) {
      reader.explain_missing();
      throw;
    }
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("design:" + name + ": " + error.what());
  }
}

OpenAlgorithmHelp open_algorithm_help(const std::string& name) {
  const OpenAlgorithm& algorithm = find_open_algorithm(name);
  const bool integers = algorithm.kind == Kind::integer;
  const bool fixed = algorithm.kind == Kind::fixed_point;
  DotFormats formats = default_formats(algorithm.kind);
  std::vector<ParameterHelp> all{
      {"a, b", integers ? "an integer format" : "a format with a sign",
       std::string(formats.a->name), "formats of the operands; b defaults to a's format"},
      {"c, d",
       integers ? "an integer format"
       : fixed  ? "fixed:I.F (I + F bits, multiples of 2^-F), or a signed integer format"
                : "a format with a sign and NaN",
       std::string(formats.c->name), "formats of the accumulator and the result"},
      {"k", "1 to " + std::to_string(kLongestDot), "", "products"}};
  if (algorithm.takes_scale_factors) {
    formats.scale = &formats::ue8m0;
    formats.scale_block = formats.k;
    all.push_back({"scale", "ue8m0, ue4m3", "none", "format of block scale factors"});
    all.push_back({"scale_block", "a divisor of k", "k", "products that share a scale factor"});
  }
  for (ParameterHelp& help : algorithm.help(formats)) all.push_back(std::move(help));
  return {algorithm.name, algorithm.reference, std::move(all)};
}

Instruction open_design(const Algorithm& algorithm, const DotFormats& formats) {
  const auto& [a, b, c, d, k, scale, scale_block] = formats;
  std::string text = algorithm.name() + "(a=" + std::string(a->name) +
                     ",b=" + std::string(b->name) + ",c=" + std::string(c->name) +
                     ",d=" + std::string(d->name) + ",k=" + std::to_string(k);
  if (scale != nullptr) {
    text += ",scale=" + std::string(scale->name) + ",scale_block=" + std::to_string(scale_block);
  }
  for (const Parameter& p : algorithm.parameters()) text += "," + p.key + "=" + p.value;
  return {"design", text + ")", "", formats, algorithm, {}, has_canonical_nan(algorithm)};
}

}  // namespace mmaspec
