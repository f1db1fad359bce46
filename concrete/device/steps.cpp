// Translates the batch evaluator's steps to statements of a kernel.
#include "concrete/device/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace mmaspec::device {
namespace {

using batch::Code;
using batch::DraftRegister;
using batch::DraftStep;
using batch::Register;
using batch::Type;

constexpr std::uint64_t kLow32 = 0xffffffff;

const char* unsigned_type(Type type) {
  switch (type) {
    case Type::boolean:  // 0 or 1
    case Type::i32:
      return "u32";
    case Type::i64:
    case Type::wide:
      return "u64";
    case Type::i16:
      break;
  }
  throw std::logic_error("kernels do not support 16-bit integers");
}
const char* signed_type(Type type) { return type == Type::i64 ? "i64" : "i32"; }
unsigned bits_in(Type type) { return type == Type::i64 ? 64 : 32; }

std::string literal(Type type, std::uint64_t value) {
  switch (type) {
    case Type::boolean:
      return value != 0 ? "1u" : "0u";
    case Type::i32:
      return fmt::format("0x{:x}u", value & kLow32);
    default:
      return fmt::format("(u64)0x{:x}", value);
  }
}

class StatementWriter {
 public:
  StatementWriter(const batch::Compiled& program,
                  const std::function<std::string(std::size_t)>& input, const std::string& result,
                  const std::string& indent)
      : draft_(program.draft), input_(input), result_(result), indent_(indent) {}

  std::string write() {
    for (const DraftStep& step : draft_.steps) {
      for (const Register r : step.in) declare_constant(r);
      add(step);
    }
    return std::move(text_);
  }

 private:
  const DraftRegister& reg(Register r) const { return draft_.registers[r]; }
  bool is_constant(Register r) const { return !reg(r).value.empty(); }
  static std::string variable(Register r) { return fmt::format("r{}", r); }
  std::string name(Register r) const {
    return is_constant(r) && reg(r).type != Type::wide ? literal(reg(r).type, reg(r).value[0])
                                                       : variable(r);
  }

  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += indent_ + fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  /// Constants of several words are arrays; others are literals.
  void declare_constant(Register r) {
    if (!is_constant(r) || reg(r).type != Type::wide) return;
    if (declared_.size() < draft_.registers.size()) declared_.resize(draft_.registers.size());
    if (declared_[r]) return;
    declared_[r] = true;
    std::vector<std::string> words;
    for (const std::uint64_t w : reg(r).value) words.push_back(literal(Type::i64, w));
    line("const u64 {}[{}] = {{{}}};", variable(r), words.size(), fmt::join(words, ", "));
  }

  void define(const DraftStep& s, const std::string& value) {
    line("const {} {} = {};", unsigned_type(reg(s.out).type), variable(s.out), value);
  }

  /// An input as a signed or unsigned integer.
  std::string operand(const DraftStep& s, unsigned i, bool is_signed = false) const {
    const std::string x = name(s.in[i]);
    return is_signed ? fmt::format("({}){}", signed_type(reg(s.in[i]).type), x) : x;
  }

  void add(const DraftStep& s) {
    const bool is_wide = std::any_of(s.in.begin(), s.in.end(),
                                     [&](Register r) { return reg(r).type == Type::wide; }) ||
                         (!s.keeps && reg(s.out).type == Type::wide);
    if (is_wide) return add_wide(s);
    const auto x = [&](unsigned i) { return operand(s, i); };
    const Type from = s.choice.from;
    const char* to = s.keeps ? "u64" : unsigned_type(reg(s.out).type);
    switch (s.choice.code) {
      case Code::load:
        return define(s, fmt::format("({}){}", to, input_(s.m)));
      case Code::store_s:
        return line("{} = (u64)(i64){};", result_, operand(s, 0, true));
      case Code::store_u:
        return line("{} = (u64){};", result_, x(0));
      case Code::convert_s:
        return define(s, fmt::format("({}){}", to, operand(s, 0, true)));
      case Code::convert_u:
        return define(s, fmt::format("({}){}", to, x(0)));
      case Code::linear:
        return define(s, sum(s));
      case Code::multiply:
        return define(s, fmt::format("{} * {}", x(0), x(1)));
      case Code::multiply_s:
        return define(
            s, fmt::format("(u64)((i64){} * (i64){})", operand(s, 0, true), operand(s, 1, true)));
      case Code::multiply_u:
        return define(s, fmt::format("(u64){} * {}", x(0), x(1)));
      case Code::multiply_by:
        return define(s, fmt::format("{} * {}", x(0), literal(from, s.m)));
      case Code::absolute:
        return define(s, fmt::format("{} < 0 ? {} - {} : {}", operand(s, 0, true), literal(from, 0),
                                     x(0), x(0)));
      case Code::negate_if:
        return define(s, fmt::format("{} ? {} - {} : {}", x(0), literal(from, 0), x(1), x(1)));
      case Code::negate_unless:
        return define(s, fmt::format("{} ? {} : {} - {}", x(0), x(1), literal(from, 0), x(1)));
      case Code::select:
        return define(s, fmt::format("{} ? {} : {}", x(0), x(1), x(2)));
      case Code::minimum_s:
        return extremum(s, '<', true);
      case Code::minimum_u:
        return extremum(s, '<', false);
      case Code::maximum_s:
        return extremum(s, '>', true);
      case Code::maximum_u:
        return extremum(s, '>', false);
      case Code::shift_left:
        return define(s, fmt::format("{} << ({} & {})", x(0), x(1), bits_in(from) - 1));
      case Code::shift_left_by:
        return define(s, fmt::format("{} << {}", x(0), s.m));
      case Code::shift_right_s:
        return define(s, fmt::format("({})({} >> ({} & {}))", to, operand(s, 0, true), x(1),
                                     bits_in(from) - 1));
      case Code::shift_right_u:
        return define(s, fmt::format("{} >> ({} & {})", x(0), x(1), bits_in(from) - 1));
      case Code::shift_right_by_s:
        return define(s, fmt::format("({})({} >> {})", to, operand(s, 0, true), s.m));
      case Code::bits:
        return define(
            s, fmt::format("({})({} >> {}) & {}", to, x(0), s.m, literal(reg(s.out).type, s.m2)));
      case Code::test_bit:
        return define(s, fmt::format("(u32)({} >> {}) & 1u", x(0), s.m));
      case Code::bit_length:
        return define(s,
                      fmt::format("{} - LEADING_ZEROS_{}({})", bits_in(from), bits_in(from), x(0)));
      case Code::less_s:
        return define(s, fmt::format("{} < {}", operand(s, 0, true), operand(s, 1, true)));
      case Code::less_u:
        return define(s, fmt::format("{} < {}", x(0), x(1)));
      case Code::equal:
        return define(s, fmt::format("{} == {}", x(0), x(1)));
      case Code::equal_to:
        return define(s, fmt::format("{} == {}", x(0), literal(from, s.m)));
      case Code::conjunction:
        return define(s, conjunction(s));
      case Code::parity:
        return define(s, fmt::format("{} ^ {}{}", x(0), x(1), s.m != 0 ? " ^ 1u" : ""));
      case Code::check:
        return line("if ({}) *violated = {};", x(0), s.m + 1);
    }
  }

  std::string sum(const DraftStep& s) const {
    const Type type = s.choice.to;
    std::string text = s.m != 0 || s.choice.positive == 0 ? literal(type, s.m) : "";
    for (unsigned i = 0; i < s.in.size(); ++i) {
      const bool minus = i >= s.choice.positive;
      text += text.empty() ? operand(s, i) : (minus ? " - " : " + ") + operand(s, i);
    }
    return text;
  }

  std::string conjunction(const DraftStep& s) const {
    std::string text;
    for (unsigned i = 0; i < s.in.size(); ++i) {
      if (i > 0) text += " & ";
      text += i < s.choice.positive ? operand(s, i) : fmt::format("({} ^ 1u)", operand(s, i));
    }
    return text;
  }

  void extremum(const DraftStep& s, char better, bool is_signed) {
    const std::string best = variable(s.out);
    const Type type = reg(s.out).type;
    const std::string cast = is_signed ? fmt::format("({})", signed_type(type)) : "";
    line("{} {} = {};", unsigned_type(type), best, operand(s, 0));
    for (unsigned i = 1; i < s.in.size(); ++i) {
      line("{0} = {1}{0} {2} {1}{3} ? {0} : {3};", best, cast, better, operand(s, i));
    }
  }

  void add_wide(const DraftStep& s) {
    const auto x = [&](unsigned i) { return name(s.in[i]); };
    const auto words_in = [&](unsigned i) { return reg(s.in[i]).words; };
    const std::uint32_t words = s.keeps ? 1 : reg(s.out).words;
    const std::string r = s.keeps ? "" : variable(s.out);
    if (!s.keeps && reg(s.out).type == Type::wide) line("u64 {}[{}];", r, words);
    switch (s.choice.code) {
      case Code::convert_s:
      case Code::convert_u:
        if (reg(s.out).type != Type::wide) return define(s, x(0) + "[0]");
        if (reg(s.in[0]).type == Type::wide) {
          return line("wide_convert({}, {}, {}, {});", r, words, x(0), words_in(0));
        }
        return line("wide_from({}, {}, {}, {});", r, words, x(0),
                    s.choice.code == Code::convert_s ? fmt::format("sign_of({})", x(0)) : "(u64)0");
      case Code::linear:
        return line("wide_add({}, {}, {}, {}, {});", r, words, x(0), x(1),
                    s.choice.negative == 1 ? "~(u64)0" : "(u64)0");
      case Code::multiply:
        return line("wide_multiply({}, {}, {}, {});", r, words, x(0), x(1));
      case Code::multiply_s:
      case Code::multiply_u:
        line("{}[0] = {} * {};", r, x(0), x(1));
        return line("{}[1] = HIGH_PRODUCT({}, {});", r, x(0), x(1));
      case Code::absolute:
        return line("wide_negate({}, {}, {}, sign_of({}[{}]));", r, words, x(0), x(0), words - 1);
      case Code::negate_if:
        return line("wide_negate({}, {}, {}, (u64)0 - (u64){});", r, words, x(1), x(0));
      case Code::negate_unless:
        return line("wide_negate({}, {}, {}, (u64){} - 1);", r, words, x(1), x(0));
      case Code::select:
        return line("wide_select({}, {}, {}, {}, {});", r, words, x(0), x(1), x(2));
      case Code::minimum_s:
        return line("wide_select({0}, {1}, wide_less({1}, {2}, {3}), {2}, {3});", r, words, x(0),
                    x(1));
      case Code::maximum_s:
        return line("wide_select({0}, {1}, wide_less({1}, {2}, {3}), {3}, {2});", r, words, x(0),
                    x(1));
      case Code::shift_left:
        return line("wide_shift_left({}, {}, {}, {});", r, words, x(0), x(1));
      case Code::shift_left_by:
        return line("wide_shift_left({}, {}, {}, {});", r, words, x(0), s.m);
      case Code::shift_right_s:
        return line("wide_shift_right({}, {}, {}, {});", r, words, x(0), x(1));
      case Code::shift_right_by_s:
        return line("wide_shift_right({}, {}, {}, {});", r, words, x(0), s.m);
      case Code::bits:
        return wide_bits(s, r, words);
      case Code::bit_length:
        return define(s, fmt::format("wide_bit_length({}, {})", words_in(0), x(0)));
      case Code::less_s:
        return define(s, fmt::format("wide_less({}, {}, {})", words_in(0), x(0), x(1)));
      case Code::equal:
        return define(s, fmt::format("wide_equal({}, {}, {})", words_in(0), x(0), x(1)));
      case Code::store_s:
      case Code::store_u:
        return line("{} = {}[0];", result_, x(0));
      default:
        throw std::logic_error("kernels do not support the operation " +
                               std::to_string(static_cast<int>(s.choice.code)) +
                               " on integers of several words");
    }
  }

  void wide_bits(const DraftStep& s, const std::string& r, std::uint32_t words) {
    const std::string x = name(s.in[0]);
    if (reg(s.out).type == Type::wide) {
      return line("wide_low_bits({}, {}, {}, {});", r, words, x, s.m);
    }
    const std::uint64_t first = s.m / 64;
    const std::uint64_t b = s.m % 64;
    std::string value = fmt::format("({}[{}] >> {})", x, first, b);
    if (b != 0 && first + 1 < reg(s.in[0]).words) {
      value = fmt::format("({} | ({}[{}] << {}))", value, x, first + 1, 64 - b);
    }
    define(s, fmt::format("{} & {}", value, literal(Type::i64, s.m2)));
  }

  const batch::Draft& draft_;
  const std::function<std::string(std::size_t)>& input_;
  const std::string& result_;
  const std::string& indent_;
  std::string text_;
  std::vector<bool> declared_;  ///< indexed by register
};

}  // namespace

std::string statements_of(const batch::Compiled& program,
                          const std::function<std::string(std::size_t)>& input,
                          const std::string& result, const std::string& indent) {
  return StatementWriter(program, input, result, indent).write();
}

bool has_wide_integers(const batch::Compiled& program) {
  return std::any_of(program.draft.registers.begin(), program.draft.registers.end(),
                     [](const DraftRegister& r) { return r.type == Type::wide; });
}

}  // namespace mmaspec::device
