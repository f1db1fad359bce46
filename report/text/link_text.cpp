#include "report/text/link_text.h"

#include <fmt/format.h>

#include <string_view>

#include "report/text/prove_text.h"
#include "report/values.h"
#include "spec/formats/text.h"
#include "util/json.h"

namespace mmaspec {
namespace {

/// Whether the character need not be escaped in a fragment.
bool is_plain(char c) {
  constexpr std::string_view kUnescaped = "-_.!~*'()/:,=@[]";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         kUnescaped.find(c) != std::string_view::npos;
}

class Fragment {
 public:
  explicit Fragment(const std::string& page) : text_("#/" + page) {}

  /// Empty values are left out.
  void add(const std::string& key, const std::string& value) {
    if (value.empty()) return;
    text_ += is_first_ ? '?' : '&';
    is_first_ = false;
    text_ += key + '=';
    for (const char c : value) {
      if (is_plain(c)) {
        text_ += c;
      } else {
        text_ += fmt::format("%{:02X}", static_cast<unsigned char>(c));
      }
    }
  }

  void add(const DotFormats& formats, const DotValues& values) {
    add("a", joined(*formats.a, values.a));
    add("b", joined(*formats.b, values.b));
    if (values.c != 0) add("c", bits(*formats.c, values.c));
    if (formats.scale == nullptr) return;
    add("sa", joined(*formats.scale, values.scale_a));
    add("sb", joined(*formats.scale, values.scale_b));
  }

  const std::string& text() const { return text_; }

 private:
  static std::string bits(const Format& format, const Integer& pattern) {
    return "0x" + to_hex(pattern, static_cast<unsigned>(format.hex_digits()));
  }

  /// Zeros are abbreviated, and trailing zeros left out: the page pads with zeros. Scale factors,
  /// whose formats have no zero, are padded with ones.
  static std::string joined(const Format& format, const std::vector<Integer>& patterns) {
    const bool has_zero = format.has_zero && format.has_sign;
    std::size_t count = patterns.size();
    while (has_zero && count > 0 && patterns[count - 1] == 0) --count;
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
      text += i == 0 ? "" : ",";
      text += has_zero && patterns[i] == 0 ? "0" : bits(format, patterns[i]);
    }
    return text;
  }

  std::string text_;
  bool is_first_ = true;
};

}  // namespace

std::string link_line(const std::string& link) {
  return link.empty() ? "" : "link: " + link + "\n";
}

std::string with_link(const std::string& json, const std::string& link) {
  if (link.empty()) return json;
  auto object = Json::parse(json);
  object["link"] = link;
  return to_text(object, 2);
}

std::string compare_link(const Pair& pair, const DiffOptions& options, const AskedDifference& given,
                         const DotValues* witness) {
  Fragment link("compare");
  link.add("u", pair.first.name());
  link.add("u", pair.second.name());
  if (witness != nullptr) link.add(pair.first.formats, *witness);
  link.add("ulp", given.ulp);
  link.add("abs", given.absolute);
  link.add("rel", given.relative);
  switch (options.inputs) {
    case InputClass::finite:
      break;
    case InputClass::normal:
      link.add("inputs", "normal");
      break;
    case InputClass::any:
      link.add("inputs", "any");
  }
  if (options.pairing.match == Match::bits) link.add("match", "bits");
  if (options.pairing.chain > 0) link.add("chain", std::to_string(options.pairing.chain));
  if (options.difference.signed_zero) link.add("signed_zero", "yes");
  for (const std::string& where : given.where) link.add("where", where);
  return link.text();
}

std::string ask_link(const Property& property, const Subject& subject,
                     const std::vector<std::string>& where, const Proof& proof) {
  Fragment link("ask");
  link.add("property", property.name());
  link.add("u", subject.first.name());
  if (subject.second) link.add("u", subject.second->name());
  if (subject.parameter) link.add("bound", shortest_text(*subject.parameter));
  if (subject.within > 0) link.add("within", std::to_string(subject.within));
  for (const std::string& condition : where) link.add("where", condition);
  if (proof.outcome == Outcome::refuted) {
    link.add(subject.formats(), proof.given);
    for (const auto& [name, value] : proof.extras) link.add("x", name + ":0x" + to_hex(value));
  }
  return link.text();
}

}  // namespace mmaspec
