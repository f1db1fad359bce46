// Writes a suite as a table in C.

#include <fmt/format.h>

#include "report/tables/suite_text.h"
#include "spec/formats/text.h"

namespace mmaspec {
namespace {

int bits_of(const Format& format) {
  int bits = 8;
  while (bits < format.storage_bits) bits *= 2;
  return bits;
}

std::string type_of(const Format& format) { return fmt::format("uint{}_t", bits_of(format)); }

std::string literal(const Format& format, const Integer& pattern) {
  return "0x" + to_hex(pattern, static_cast<unsigned>(format.hex_digits())) +
         (bits_of(format) == 64 ? "ULL" : "U");
}

std::string list_of(const Format& format, const std::vector<Integer>& patterns) {
  std::string text;
  for (const Integer& p : patterns) text += (text.empty() ? "" : ", ") + literal(format, p);
  return "{" + text + "}";
}

std::string array(const Format& format, const std::string& name, const std::string& sizes,
                  const std::vector<std::string>& elements) {
  return fmt::format("static const {} mmaspec_suite_{}{} = {{\n  {}\n}};\n", type_of(format), name,
                     sizes, fmt::join(elements, ",\n  "));
}

/// The name as a C string literal.
std::string quoted(const std::string& text) { return "\"" + text + "\""; }

/// A C expression that maps results which count as equal to the same value.
std::string compared(const Format& f, bool signed_zero) {
  const auto mask = [&](const Integer& bits) { return literal(f, bits); };
  const Integer fraction = power_of_two(static_cast<unsigned>(f.fraction_bits)) - 1;
  const Integer magnitude =
      power_of_two(static_cast<unsigned>(f.fraction_bits + f.exponent_bits)) - 1;
  const Integer exponent = magnitude - fraction;
  const Integer sign = magnitude + 1;
  std::string is_nan;
  switch (f.specials) {
    case Specials::ieee:
      is_nan = fmt::format("(d & {}) > {}", mask(magnitude), mask(exponent));
      break;
    case Specials::nan_all_ones:
      is_nan = fmt::format("(d & {0}) == {0}", mask(magnitude));
      break;
    case Specials::nan_minus_zero:
      is_nan = fmt::format("d == {}", mask(sign));
      break;
    case Specials::nan_top_field:
      is_nan = fmt::format("(d & {0}) == {0}", mask(exponent));
      break;
    case Specials::none:
      break;
  }
  std::string text;
  if (!is_nan.empty()) text += fmt::format("  if ({}) return {};\n", is_nan, mask(magnitude));
  if (!signed_zero && f.has_sign && !f.is_integer()) {
    text += fmt::format("  if ((d & {}) == 0) return 0;\n", mask(magnitude));
  }
  return text + "  return d;\n";
}

}  // namespace

std::string c_of(const Suite& suite, bool signed_zero) {
  const DotFormats& f = suite.formats;
  std::string text = fmt::format(
      "/* Made by mmaspec suite: inputs that tell {} classes of designs apart.\n"
      "   Bit patterns: a, b and scale factors by input and k, c by input, d by class and input.\n"
      "   a {}, b {}, c {}, d {}{}. */\n"
      "#ifndef MMASPEC_SUITE_H\n#define MMASPEC_SUITE_H\n\n#include <stdint.h>\n\n"
      "#define MMASPEC_SUITE_INPUTS {}\n#define MMASPEC_SUITE_K {}\n"
      "#define MMASPEC_SUITE_CLASSES {}\n",
      suite.classes.size(), f.a->name, f.b->name, f.c->name, f.d->name,
      f.scale == nullptr
          ? ""
          : fmt::format(", scale factors {} for each {} products", f.scale->name, f.scale_block),
      suite.rows.size(), f.k, suite.classes.size());
  std::vector<std::string> names;
  for (const SuiteClass& c : suite.classes) {
    std::vector<std::string> of_class;
    for (std::size_t d : c.designs) of_class.push_back(suite.designs[d].name());
    names.push_back(quoted(fmt::format("{}", fmt::join(of_class, " "))));
  }
  text += fmt::format(
      "\n/* The designs of each class. */\n"
      "static const char* const mmaspec_suite_classes[MMASPEC_SUITE_CLASSES] = {{\n  {}\n}};\n",
      fmt::join(names, ",\n  "));
  if (!suite.rows.empty()) {
    std::vector<std::string> a;
    std::vector<std::string> b;
    std::vector<std::string> c;
    std::vector<std::string> scale_a;
    std::vector<std::string> scale_b;
    for (const SuiteRow& row : suite.rows) {
      a.push_back(list_of(*f.a, row.values.a));
      b.push_back(list_of(*f.b, row.values.b));
      c.push_back(literal(*f.c, row.values.c));
      if (f.scale == nullptr) continue;
      scale_a.push_back(list_of(*f.scale, row.values.scale_a));
      scale_b.push_back(list_of(*f.scale, row.values.scale_b));
    }
    std::vector<std::string> d;
    for (const SuiteClass& of : suite.classes) {
      std::vector<Integer> answers;
      for (const SuiteRow& row : suite.rows) answers.push_back(row.answers[of.designs[0]]);
      d.push_back(list_of(*f.d, answers));
    }
    const std::string by_k = "[MMASPEC_SUITE_INPUTS][MMASPEC_SUITE_K]";
    text += "\n" + array(*f.a, "a", by_k, a) + array(*f.b, "b", by_k, b) +
            array(*f.c, "c", "[MMASPEC_SUITE_INPUTS]", c);
    if (f.scale != nullptr) {
      const std::string by_block = fmt::format("[MMASPEC_SUITE_INPUTS][{}]", f.scales());
      text += array(*f.scale, "scale_a", by_block, scale_a) +
              array(*f.scale, "scale_b", by_block, scale_b);
    }
    text += array(*f.d, "d", "[MMASPEC_SUITE_CLASSES][MMASPEC_SUITE_INPUTS]", d);
  }
  const std::string type = type_of(*f.d);
  text += fmt::format(
      "\n/* Equal for results that count as equal: NaNs{}. */\n"
      "static inline {} mmaspec_suite_compared({} d) {{\n{}}}\n",
      signed_zero ? "" : ", and both zeros", type, type, compared(*f.d, signed_zero));
  text += fmt::format(
      "\n/* Whether a unit's results, one for each input, are those of class number c. */\n"
      "static inline int mmaspec_suite_is_class(const {0}* results, int c) {{\n"
      "{1}"
      "  return 1;\n}}\n"
      "\n/* The first class whose results they are; -1: none. */\n"
      "static inline int mmaspec_suite_class_of(const {0}* results) {{\n"
      "  int c;\n"
      "  for (c = 0; c < MMASPEC_SUITE_CLASSES; ++c) {{\n"
      "    if (mmaspec_suite_is_class(results, c)) return c;\n  }}\n"
      "  return -1;\n}}\n\n#endif\n",
      type,
      suite.rows.empty()
          ? "  (void)results;\n  (void)c;\n"
          : "  int i;\n"
            "  for (i = 0; i < MMASPEC_SUITE_INPUTS; ++i) {\n"
            "    if (mmaspec_suite_compared(results[i]) !=\n"
            "        mmaspec_suite_compared(mmaspec_suite_d[c][i])) {\n      return 0;\n    }\n  "
            "}\n");
  return text;
}

}  // namespace mmaspec
