#include "tests/fuzz/draw/draw_design.h"

#include <algorithm>
#include <map>

namespace mmaspec::fuzz {
namespace {

using reference::Format;

const std::vector<std::string> kTinyOperands{"e2m1", "e2m1", "e3m2", "e2m3"};
const std::vector<std::string> kSmallOperands{"e2m1", "e3m2",     "e2m3",     "e4m3",
                                              "e5m2", "e4m3fnuz", "e5m2fnuz", "f16"};
const std::vector<std::string> kOperands{"f64",      "f32",  "tf32", "xf32", "f16",
                                         "f16",      "bf16", "e4m3", "e5m2", "e4m3fnuz",
                                         "e5m2fnuz", "e3m2", "e2m3", "e2m1"};
const std::vector<std::string> kSmallResults{"e4m3", "e5m2", "f16", "bf16"};
const std::vector<std::string> kResults{"f64",  "f32", "f32",  "f32",  "tf32",
                                        "xf32", "f16", "bf16", "e4m3", "e5m2"};
const std::vector<std::string> kRoundings{"rz", "rne", "rd", "ru", "rna", "rto"};

/// A design as its name and pairs.
struct Text {
  std::string name;
  std::vector<std::pair<std::string, std::string>> pairs;

  explicit Text(std::string algorithm) : name(std::move(algorithm)) {}
  static Text of(const std::string& text) {
    const std::size_t open = text.find('(');
    Text result(text.substr(7, open - 7));
    std::size_t at = open + 1;
    while (at < text.size() - 1) {
      const std::size_t equals = text.find('=', at);
      const std::size_t end = std::min(text.find(',', at), text.size() - 1);
      result.pairs.emplace_back(text.substr(at, equals - at),
                                text.substr(equals + 1, end - equals - 1));
      at = end + 1;
    }
    return result;
  }

  bool has(const std::string& key) const {
    return std::any_of(pairs.begin(), pairs.end(), [&](const auto& p) { return p.first == key; });
  }
  std::string get(const std::string& key) const {
    for (const auto& [k, v] : pairs) {
      if (k == key) return v;
    }
    return "";
  }
  void set(const std::string& key, const std::string& value) {
    for (auto& [k, v] : pairs) {
      if (k == key) {
        v = value;
        return;
      }
    }
    pairs.emplace_back(key, value);
  }
  void set(const std::string& key, int value) { set(key, std::to_string(value)); }
  void erase(const std::string& key) {
    std::erase_if(pairs, [&](const auto& p) { return p.first == key; });
  }
  std::string str() const {
    std::string text = "design:" + name + "(";
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      text += (i == 0 ? "" : ",") + pairs[i].first + "=" + pairs[i].second;
    }
    return text + ")";
  }
};

int divisor(int n, Random& random) {
  std::vector<int> all;
  for (int i = 1; i <= n; ++i) {
    if (n % i == 0) all.push_back(i);
  }
  return random.of(all);
}

/// Draws values of parameters for designs of some formats.
class Drawer {
 public:
  Drawer(Text& text, Random& random)
      : text_(text),
        random_(random),
        a_(reference::format(text.get("a"))),
        b_(reference::format(text.get("b"))),
        c_(reference::format(text.get("c"))),
        d_(reference::format(text.get("d"))),
        k_(std::stoi(text.get("k"))) {}

  void all() {
    for (const std::string& key : keys()) {
      const bool needed = (key == "fraction_bits" && text_.name != "group-dot-fused-sum") ||
                          (key == "product_bits" && text_.name == "rounded-product-dot-add") ||
                          key == "guard_bits" || text_.name == "floored-dot-add";
      if (needed || random_.coin()) draw(key);
    }
    if (text_.has("scale_block") && text_.name == "group-dot-fused-sum") group_in_scale_block();
  }

  std::vector<std::string> keys() const {
    const std::vector<std::string> result{"round", "kept_bits", "underflow", "overflow"};
    std::vector<std::string> keys;
    const std::string& n = text_.name;
    if (n == "integer-dot-add") return {"overflow", "group"};
    if (n == "fused-dot-add" || n == "split-fp8") {
      keys = {
          "fraction_bits",      "floor",        "zero_terms",       "align_round", "c_joins",
          "normalize_products", "flush_inputs", "product_overflow", "minus_zero",  "normalize_c"};
      keys.push_back(n == "split-fp8" ? "halves" : "block");
    } else if (n == "group-pairwise-sum") {
      keys = {"group", "flush_inputs", "minus_zero_products"};
    } else if (n == "round-down-dot-add") {
      keys = {"block",           "groups",        "product_bits", "sum_bits",         "sum_round",
              "c_bits",          "c_round",       "c_reach",      "product_overflow", "zero_terms",
              "normalized_bits", "overflow_joins"};
    } else if (n == "group-dot-fused-sum") {
      keys = {"group", "fraction_bits", "zero_terms", "floor", "cancelled_groups_count"};
    } else if (n == "exact-dot-add") {
      keys = {"block"};
    } else if (n == "sequential-fma") {
      keys = {"flush_inputs"};
      if (!text_.has("scale_block")) keys.insert(keys.end(), {"reversed", "chains"});
    } else if (n == "rounded-product-dot-add") {
      keys = {"block",         "product_bits", "product_round",
              "fraction_bits", "sum_bits",     "flush_inputs"};
    } else if (n == "f32-chain") {
      return {"round"};
    } else if (n == "pair-dot-add") {
      keys = {"fused", "flush_inputs"};
    } else if (n == "bulk-normalized-dot-add") {
      keys = {"block", "guard_bits", "flush_c"};
      if (text_.get("d") == "f32") keys.emplace_back("dot");
    } else if (n == "ones-complement-dot-add") {
      keys = {"block", "zero_c_counts"};
      if (text_.get("d") == "bf16") keys.emplace_back("through_f32");
    } else if (n == "floored-dot-add") {
      keys = {"halves_alternate"};
      if (text_.get("d") == "bf16") keys.emplace_back("through_f32");
    }
    if (n == "ones-complement-dot-add" || n == "floored-dot-add") keys.emplace_back("grid");
    keys.insert(keys.end(), result.begin(), result.end());
    return keys;
  }

  void draw(const std::string& key) {
    if (key == "fraction_bits" || key == "product_bits" || key == "sum_bits" || key == "c_bits") {
      text_.set(key, bits());
    } else if (key == "guard_bits") {
      text_.set(key, random_.between(0, random_.one_in(4) ? 64 : 8));
    } else if (key == "grid") {
      const int product_bits = random_.coin() ? 24 : random_.between(0, 40);
      text_.set("product_bits", product_bits);
      text_.set("c_bits", product_bits + (random_.coin() ? 2 : random_.between(0, 8)));
    } else if (key == "reversed" || key == "chains" || key == "block") {
      text_.set(key, divisor(k_, random_));
    } else if (key == "dot") {
      text_.set(key, random_.coin() ? "to-odd" : "pseudo-code");
    } else if (key == "halves_alternate") {
      // With the blocks and groups that it needs.
      const bool alternate = k_ % 2 == 0 && random_.coin();
      const int block = divisor(alternate ? k_ / 2 : k_, random_);
      text_.set("block", block);
      text_.set("group", divisor(block, random_));
      text_.set(key, alternate ? "yes" : "no");
    } else if (key == "normalized_bits") {
      text_.set(key, random_.one_in(3) ? "none" : std::to_string(bits()));
    } else if (key == "floor") {
      text_.set(key, random_.one_in(4) ? "none" : std::to_string(exponent()));
    } else if (key == "product_overflow") {
      const bool optional = text_.name != "round-down-dot-add";
      text_.set(key, optional && random_.coin() ? "none" : std::to_string(overflow()));
    } else if (key == "zero_terms") {
      const bool count = random_.coin();
      text_.set(key, count ? "operands-count" : "left-out");
      if (random_.coin()) {
        text_.set("zero_exponent", exponent() / 2);
      } else {
        text_.erase("zero_exponent");
      }
      // If zeros do not count, they have no exponent.
      if (!count) text_.erase("zero_exponent");
    } else if (key == "align_round" || key == "sum_round" || key == "c_round") {
      text_.set(key, random_.coin() ? "rz" : "rd");
    } else if (key == "c_joins") {
      text_.set(key, random_.coin() ? "early" : "late");
    } else if (key == "normalize_products" || key == "flush_inputs" || key == "minus_zero" ||
               key == "normalize_c" || key == "minus_zero_products" || key == "overflow_joins" ||
               key == "cancelled_groups_count" || key == "fused" || key == "zero_c_counts" ||
               key == "through_f32" || key == "flush_c") {
      text_.set(key, random_.coin() ? "yes" : "no");
    } else if (key == "halves") {
      text_.set(key, random_.coin() ? "chained" : "added");
    } else if (key == "group") {
      int group = divisor(k_, random_);
      while (text_.name == "group-pairwise-sum" && (group & (group - 1)) != 0) {
        group = divisor(k_, random_);
      }
      text_.set(key, group);
    } else if (key == "groups") {
      const int block = text_.has("block") ? std::stoi(text_.get("block")) : k_;
      text_.set(key, random_.between(1, block));
    } else if (key == "c_reach") {
      text_.set(key, random_.one_in(3) ? "none" : std::to_string(random_.between(0, 40)));
    } else if (key == "round" || key == "product_round") {
      text_.set(key, random_.of(kRoundings));
    } else if (key == "kept_bits") {
      text_.set(key, random_.coin() ? d_.fraction_bits : random_.between(0, d_.fraction_bits));
    } else if (key == "underflow") {
      text_.set(key, random_.one_in(3) ? (random_.coin() ? "flush" : "flush-tiny") : "gradual");
    } else if (key == "overflow" && text_.name == "integer-dot-add") {
      text_.set(key, random_.coin() ? "wrap" : "saturate");
    } else if (key == "overflow") {
      text_.set(key, random_.of(std::vector<std::string>{"infinity", "directed", "saturate"}));
    }
    if (key == "block" && text_.has("groups")) {
      text_.set("groups", std::min(std::stoi(text_.get("groups")), std::stoi(text_.get("block"))));
    }
    if (key == "group" && text_.has("scale_block") && text_.name == "group-dot-fused-sum") {
      group_in_scale_block();
    }
  }

 private:
  void group_in_scale_block() {
    text_.set("group", divisor(std::stoi(text_.get("scale_block")), random_));
  }

  int bits() {
    const int product = a_.fraction_bits + b_.fraction_bits;
    switch (random_.below(8)) {
      case 0:
        return random_.between(0, 4);
      case 1:
        return std::max(0, product + random_.between(-2, 3));
      case 2:
        return std::max(0, d_.fraction_bits + random_.between(-2, 4));
      case 3:
        return std::max(0, c_.fraction_bits + random_.between(-2, 3));
      case 4:  // the whole range
        return std::min(600, range() + random_.between(-2, 3));
      case 5:
        return random_.between(0, 60);
      case 6:
        return random_.one_in(4) ? random_.between(0, 600) : random_.between(0, 34);
      default:
        return random_.between(1, 14);
    }
  }
  /// Number of binades of the products.
  int range() const { return top() - bottom() + 1; }
  int top() const { return a_.largest_exponent() + b_.largest_exponent(); }
  int bottom() const { return a_.least_exponent() + b_.least_exponent(); }

  int exponent() {
    switch (random_.below(5)) {
      case 0:
        return d_.least_exponent() + random_.between(-14, 6);
      case 1:
        return random_.between(bottom() - 2, top() + 2);
      case 2:
        return bottom() + random_.between(-3, 3);
      case 3:
        return random_.one_in(8) ? random_.between(-5000, 5000) : -126;
      default:
        return random_.between(-20, 20);
    }
  }
  int overflow() {
    switch (random_.below(4)) {
      case 0:
        return d_.largest_exponent() + random_.between(-1, 2);
      case 1:
        return top() + random_.between(-4, 2);
      case 2:
        return 128;
      default:
        return random_.between(bottom(), top() + 2);
    }
  }

  Text& text_;
  Random& random_;
  const Format& a_;
  const Format& b_;
  const Format& c_;
  const Format& d_;
  const int k_;
};

std::string algorithm_for(bool with_scale, int k, Random& random) {
  for (;;) {
    std::string name;
    switch (random.below(16)) {
      case 0:
      case 1:
      case 2:
        name = "fused-dot-add";
        break;
      case 3:
      case 4:
        name = "round-down-dot-add";
        break;
      case 5:
        name = "group-pairwise-sum";
        break;
      case 6:
        name = "sequential-fma";
        break;
      case 7:
        name = "exact-dot-add";
        break;
      case 8:
        name = "split-fp8";
        break;
      case 9:
        name = "pair-dot-add";
        break;
      case 10:
        name = "bulk-normalized-dot-add";
        break;
      case 11:
        name = "ones-complement-dot-add";
        break;
      case 12:
        name = "floored-dot-add";
        break;
      case 13:
        name = "f32-chain";
        break;
      case 14:
        name = "rounded-product-dot-add";
        break;
      default:
        name = "group-dot-fused-sum";
        break;
    }
    const bool scales = name == "fused-dot-add" || name == "exact-dot-add" ||
                        name == "group-dot-fused-sum" || name == "sequential-fma" ||
                        name == "f32-chain" || name == "rounded-product-dot-add" ||
                        name == "group-pairwise-sum";
    if (with_scale && !scales) continue;
    if (!with_scale && name == "group-dot-fused-sum") continue;
    if (name == "split-fp8" && k % 4 != 0) continue;
    if (name == "pair-dot-add" && k % 2 != 0) continue;
    return name;
  }
}

void keep_formats(const Text& from, Text& to) {
  for (const std::string key : {"a", "b", "c", "d", "k", "scale", "scale_block"}) {
    if (from.has(key)) to.set(key, from.get(key));
  }
}

}  // namespace

/// Sums of integers. A run tries every input of tiny ones.
std::string draw_integers(Size size, Random& random) {
  const bool tiny = size == Size::tiny;
  const std::vector<std::string> four{"s4", "u4"};
  const std::vector<std::string> all{"s4", "u4", "s8", "u8", "s16"};
  const std::vector<std::string> sums{"s8", "u8", "s16", "s32"};
  const auto operand = [&] { return random.of(tiny ? four : all); };
  const std::string c = tiny ? operand() : random.of(sums);
  Text text("integer-dot-add");
  text.set("a", operand());
  text.set("b", operand());
  text.set("c", c);
  text.set("d", c);
  text.set("k", tiny ? 1 : random.between(1, 8));
  Drawer(text, random).all();
  return text.str();
}

std::string draw_design(Size size, Random& random) {
  if (random.one_in(12)) return draw_integers(size, random);
  const bool tiny = size == Size::tiny;
  const auto& operands = tiny ? kTinyOperands : size == Size::small ? kSmallOperands : kOperands;
  const auto& results = size == Size::real ? kResults : kSmallResults;
  const std::string a = random.of(operands);
  const std::string b = random.one_in(3) ? random.of(operands) : a;
  const std::string c = tiny ? (random.coin() ? "e4m3" : "e5m2") : random.of(results);
  const std::string d = random.one_in(3) ? random.of(tiny ? kResults : results) : c;
  int k = tiny ? random.between(1, 3) : random.between(1, 8);
  if (size == Size::real && random.one_in(3)) k = 1 << random.between(0, 5);
  if (tiny && random.one_in(6)) k = 4;
  const bool with_scale = random.one_in(5);
  const std::string name = algorithm_for(with_scale, k, random);
  Text text(name);
  text.set("a", a);
  text.set("b", b);
  text.set("c", c);
  text.set("d", d);
  text.set("k", k);
  if (with_scale) {
    text.set("scale", random.coin() ? "ue8m0" : "ue4m3");
    text.set("scale_block", divisor(k, random));
  }
  Drawer(text, random).all();
  return text.str();
}

std::string changed_design(const std::string& text, Random& random) {
  Text changed = Text::of(text);
  Drawer drawer(changed, random);
  const int changes = random.between(1, 2);
  for (int i = 0; i < changes; ++i) drawer.draw(random.of(drawer.keys()));
  return changed.str();
}

std::string other_algorithm(const std::string& text, Random& random) {
  const Text from = Text::of(text);
  Text to(algorithm_for(from.has("scale"), std::stoi(from.get("k")), random));
  keep_formats(from, to);
  Drawer drawer(to, random);
  drawer.all();
  for (const std::string& key : drawer.keys()) {
    if (from.has(key) && random.one_in(2) && key != "groups" && key != "group" && key != "block" &&
        key != "product_overflow" && key != "zero_terms") {
      to.set(key, from.get(key));
    }
  }
  return to.str();
}

std::string of_other_length(const std::string& text, Random& random) {
  Text other = Text::of(text);
  const int k = std::stoi(other.get("k"));
  const int longer = k * random.between(2, 3);
  other.set("k", longer);
  // A design of the shorter K chains by its blocks what another design adds in one step.
  for (const std::string key : {"block", "group"}) {
    if (!other.has(key) && random.coin() &&
        (other.name == "fused-dot-add" || other.name == "exact-dot-add" ||
         other.name == "round-down-dot-add") &&
        key == "block") {
      other.set(key, k);
    }
  }
  return other.str();
}

std::string of_other_formats(const std::string& text, Random& random) {
  Text other = Text::of(text);
  const std::vector<std::string> wide{"f16", "f32", "bf16"};
  if (random.coin()) other.set("a", random.of(random.coin() ? wide : kSmallOperands));
  if (random.coin()) other.set("b", random.of(random.coin() ? wide : kSmallOperands));
  if (random.coin()) other.set("c", random.of(random.coin() ? kSmallResults : kResults));
  if (random.coin()) other.set("d", random.of(random.coin() ? kSmallResults : kResults));
  if (other.has("kept_bits")) {
    const int most = reference::format(other.get("d")).fraction_bits;
    other.set("kept_bits", std::min(std::stoi(other.get("kept_bits")), most));
  }
  return other.str();
}

}  // namespace mmaspec::fuzz
