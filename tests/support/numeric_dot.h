#pragma once
/// Dot-adds of numbers, for tests of hand-made cases.

#include <cstdio>
#include <string>
#include <vector>

#include "concrete/dot/model.h"
#include "spec/catalog/instruction.h"
#include "spec/formats/text.h"

namespace mmaspec::numeric {

/// An instruction that is run on numbers. Operands are texts for parse_pattern_of(); omitted ones
/// are zero.
class Dot {
 public:
  explicit Dot(const std::string& name)
      : instruction_(find_instruction(name)),
        model_(instruction_.algorithm, instruction_.formats) {}

  /// The pattern of d.
  Integer bits(const std::vector<std::string>& a, const std::vector<std::string>& b,
               const std::string& c = "0") const {
    const DotFormats& f = formats();
    DotValues v{std::vector<Integer>(static_cast<std::size_t>(f.k), 0),
                std::vector<Integer>(static_cast<std::size_t>(f.k), 0),
                0,
                {},
                {}};
    for (std::size_t k = 0; k < a.size(); ++k) v.a.at(k) = parse_pattern_of(*f.a, a[k]);
    for (std::size_t k = 0; k < b.size(); ++k) v.b.at(k) = parse_pattern_of(*f.b, b[k]);
    v.c = parse_pattern_of(*f.c, c);
    return model_.run(v);
  }
  /// d as a hex float, `inf`, `-inf` or `nan`.
  std::string operator()(const std::vector<std::string>& a, const std::vector<std::string>& b,
                         const std::string& c = "0") const {
    return to_hex_float(*formats().d, bits(a, b, c));
  }
  /// d for products given as double: 1 * b[k], exact in every format that holds b[k].
  double sum(const std::vector<double>& b, double c) const {
    std::vector<std::string> text;
    text.reserve(b.size());
    for (double x : b) text.push_back(hex(x));
    const std::vector<std::string> ones(b.size(), "1");
    return decode(*formats().d, bits(ones, text, hex(c))).value().convert_to<double>();
  }
  /// d for a[0] * b[0] + ..., with numbers.
  double dot(const std::vector<double>& a, const std::vector<double>& b, double c) const {
    std::vector<std::string> ta;
    std::vector<std::string> tb;
    for (double x : a) ta.push_back(hex(x));
    for (double x : b) tb.push_back(hex(x));
    return decode(*formats().d, bits(ta, tb, hex(c))).value().convert_to<double>();
  }

  const DotFormats& formats() const { return instruction_.formats; }
  const Instruction& instruction() const { return instruction_; }

 private:
  static std::string hex(double x) {
    std::string text(64, '\0');
    text.resize(static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%a", x)));
    return text;
  }

  Instruction instruction_;
  DotModel model_;
};

}  // namespace mmaspec::numeric
