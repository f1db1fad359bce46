// The language as Python objects: Int, Bool, formats, terms and rounding over the same graph.

#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>

#include "apps/python/bindings/held.h"
#include "apps/python/bindings/unit.h"
#include "queries/audit/patterns.h"
#include "spec/catalog/own.h"
#include "spec/formats/convert.h"
#include "spec/parts/parameter_text.h"
#include "spec/parts/rounded_sum.h"
#include "spec/parts/terms.h"

namespace mmaspec::python {

namespace nb = nanobind;

namespace {

using HeldInt = Held<Int>;
using HeldBool = Held<Bool>;
using HeldTerm = Held<Term>;
using HeldUnpacked = Held<Unpacked>;

/// Accepts an Int or a Python integer; True is not a number.
Int to_int(const nb::handle& x) {
  if (nb::isinstance<Held<Int>>(x)) return open(nb::cast<Held<Int>>(x));
  hold(0);  // throws outside of an algorithm
  if (PyBool_Check(x.ptr())) throw nb::type_error("expected an Int, not a bool");
  return Int(to_integer(x));
}

Bool to_bool(const nb::handle& x) {
  if (nb::isinstance<Held<Bool>>(x)) return open(nb::cast<Held<Bool>>(x));
  hold(0);
  if (PyBool_Check(x.ptr())) return Bool(x.ptr() == Py_True);
  throw nb::type_error("expected a Bool");
}

bool is_number(const nb::handle& x) {
  return nb::isinstance<Held<Int>>(x) || (PyIndex_Check(x.ptr()) != 0 && !PyBool_Check(x.ptr()));
}

std::vector<Int> to_ints(const nb::handle& all) {
  std::vector<Int> values;
  for (const nb::handle x : all) values.push_back(to_int(x));
  return values;
}

/// f(x, y) for an Int and a number; NotImplemented for anything else.
template <typename F>
auto with_number(const F& f) {
  return [f](const Held<Int>& x, const nb::object& y) -> nb::object {
    if (!is_number(y)) return nb::borrow(Py_NotImplemented);
    return nb::cast(hold(f(open(x), to_int(y))));
  };
}

const Format& format_named(const std::string& name) {
  const Format* format = find_format(name);
  if (format == nullptr) throw std::invalid_argument("unknown format '" + name + "'");
  return *format;
}

template <typename E>
E one_of(const char* what, const std::string& word, std::initializer_list<E> choices) {
  std::string all;
  for (const E e : choices) {
    if (to_string(e) == word) return e;
    all += (all.empty() ? "" : ", ") + to_string(e);
  }
  throw std::invalid_argument(std::string(what) + " '" + word + "': expected " + all);
}

Rounding rounding_named(const std::string& word) {
  return one_of("rounding", word,
                {Rounding::toward_zero, Rounding::nearest_even, Rounding::down, Rounding::up,
                 Rounding::nearest_away, Rounding::to_odd});
}

ResultFormat result_format(const Format& format, const std::string& rounding,
                           const std::string& underflow, const std::string& overflow,
                           int kept_fraction_bits) {
  return {
      &format, rounding_named(rounding),
      one_of("underflow", underflow, {Underflow::gradual, Underflow::flush, Underflow::flush_tiny}),
      one_of("overflow", overflow, {Overflow::to_infinity, Overflow::directed, Overflow::saturate}),
      kept_fraction_bits};
}

MarkRole role_named(const std::string& name) {
  const std::vector<std::pair<const char*, MarkRole>> roles = {
      {"value", MarkRole::value},
      {"pattern", MarkRole::pattern},
      {"largest_exponent", MarkRole::largest_exponent},
      {"sum", MarkRole::sum},
      {"normalized", MarkRole::normalized}};
  for (const auto& [word, role] : roles) {
    if (name == word) return role;
  }
  throw std::invalid_argument("unknown role '" + name + "'");
}

/// During its lifetime, this thread builds a graph with a unique number.
class GraphNumber {
 public:
  GraphNumber() : outer_(current_graph()) {
    static std::atomic<std::uint64_t> graphs{0};
    current_graph() = ++graphs;
  }
  ~GraphNumber() { current_graph() = outer_; }
  GraphNumber(const GraphNumber&) = delete;
  GraphNumber& operator=(const GraphNumber&) = delete;

 private:
  std::uint64_t outer_;
};

/// Calls `function(operands)` once, and stores the graph that it built.
Unit* record(const std::string& name, const std::string& a, const std::string& b,
             const std::string& c, const std::string& d, int k,
             const std::optional<std::string>& scale, int scale_block,
             const nb::callable& function) {
  if (k < 1 || k > 4096) throw std::invalid_argument("k must be 1 to 4096");
  DotFormats formats{&format_named(a), &format_named(b), &format_named(c), &format_named(d), k};
  if (scale) {
    formats.scale = &format_named(*scale);
    formats.scale_block = scale_block == 0 ? k : scale_block;
    if (formats.scale_block < 1 || k % formats.scale_block != 0) {
      throw std::invalid_argument("scale_block must divide k");
    }
  }
  auto recorded = std::make_shared<Recorded>();
  recorded->name = name;
  recorded->formats = formats;
  {
    const GraphNumber number;
    const Graph::Building building(recorded->graph);
    const DotOperands operands = dot_inputs(formats);
    const nb::object result = function(nb::cast(hold(operands)));
    if (!is_number(result)) {
      throw nb::type_error("an algorithm returns the pattern of d, an Int");
    }
    const Int pattern = to_int(result);
    recorded->result = pattern.id();
  }
  require_patterns(*recorded);
  return new Unit(own_instruction(std::move(recorded)));
}

/// Implements `with stage("align"): ...`
class StageScope {
 public:
  explicit StageScope(std::string name) : name_(std::move(name)) {}
  void enter() { stage_ = std::make_unique<Stage>(name_); }
  void exit() { stage_.reset(); }

 private:
  std::string name_;
  std::unique_ptr<Stage> stage_;
};

void bind_expressions(nb::module_& m) {
  nb::class_<Held<Bool>>(m, "Bool", "A Boolean expression; true and false are Python's.")
      .def("__and__",
           [](const HeldBool& x, const nb::object& y) { return hold(open(x) && to_bool(y)); })
      .def("__rand__",
           [](const HeldBool& x, const nb::object& y) { return hold(open(x) && to_bool(y)); })
      .def("__or__",
           [](const HeldBool& x, const nb::object& y) { return hold(open(x) || to_bool(y)); })
      .def("__ror__",
           [](const HeldBool& x, const nb::object& y) { return hold(open(x) || to_bool(y)); })
      .def("__xor__",
           [](const HeldBool& x, const nb::object& y) { return hold(open(x) ^ to_bool(y)); })
      .def("__rxor__",
           [](const HeldBool& x, const nb::object& y) { return hold(open(x) ^ to_bool(y)); })
      .def("__invert__", [](const HeldBool& x) { return hold(!open(x)); })
      .def("__bool__",
           [](const HeldBool& held) -> bool {
             const Bool x = open(held);
             if (x.is_constant()) return x.same_as(true);
             throw nb::type_error(
                 "a Bool is an expression and has no truth yet: use select(condition, yes, no), "
                 "&, | and ~ in the place of if, and, or, not");
           })
      .def("__repr__", [](const HeldBool&) { return "Bool(...)"; });
  nb::class_<Held<Int>> integer(
      m, "Int", "A mathematical integer, of any size; Python's integers are constants.");
  const auto add = with_number([](Int x, Int y) { return x + y; });
  const auto multiply = with_number([](Int x, Int y) { return x * y; });
  integer.def("__add__", add)
      .def("__radd__", add)
      .def("__sub__", with_number([](Int x, Int y) { return x - y; }))
      .def("__rsub__", with_number([](Int x, Int y) { return y - x; }))
      .def("__mul__", multiply)
      .def("__rmul__", multiply)
      .def("__neg__", [](const HeldInt& x) { return hold(-open(x)); })
      .def("__abs__", [](const HeldInt& x) { return hold(abs(open(x))); })
      .def("__lt__", with_number([](Int x, Int y) { return x < y; }))
      .def("__le__", with_number([](Int x, Int y) { return x <= y; }))
      .def("__gt__", with_number([](Int x, Int y) { return x > y; }))
      .def("__ge__", with_number([](Int x, Int y) { return x >= y; }))
      .def("__eq__", with_number([](Int x, Int y) { return x == y; }))
      .def("__ne__", with_number([](Int x, Int y) { return x != y; }))
      .def("__lshift__", with_number([](Int x, Int n) { return shift_left(x, n); }))
      .def("__rshift__", with_number([](Int x, Int n) { return floor_shift_right(x, n); }))
      .def("__hash__",
           [](const HeldInt&) -> Py_hash_t { throw nb::type_error("an Int cannot be a key"); })
      .def("__bool__",
           [](const HeldInt&) -> bool {
             throw nb::type_error("an Int is an expression and has no truth: compare it");
           })
      .def_prop_ro("low", [](const HeldInt& x) { return to_python(open(x).range().low); })
      .def_prop_ro("high", [](const HeldInt& x) { return to_python(open(x).range().high); })
      .def("__repr__", [](const HeldInt& held) {
        if (held.graph != current_graph()) return std::string("Int(...)");
        const Range& range = held.value.range();
        return "Int(" + range.low.str() + (range.is_point() ? "" : " .. " + range.high.str()) + ")";
      });
  m.def("constant", [](const nb::object& x) { return hold(to_int(x)); });
  m.def("total", [](const nb::object& all) { return hold(total(to_ints(all))); });
  m.def("maximum", [](const nb::args& all) { return hold(max(to_ints(all))); });
  m.def("minimum", [](const nb::args& all) { return hold(min(to_ints(all))); });
  m.def("select",
        [](const nb::object& condition, const nb::object& yes, const nb::object& no) -> nb::object {
          if (is_number(yes))
            return nb::cast(hold(select(to_bool(condition), to_int(yes), to_int(no))));
          return nb::cast(hold(select(to_bool(condition), to_bool(yes), to_bool(no))));
        });
  m.def("negate_if", [](const nb::object& s, const nb::object& x) {
    return hold(negate_if(to_bool(s), to_int(x)));
  });
  m.def("bits", [](const nb::object& x, unsigned low, unsigned width) {
    return hold(bits(to_int(x), low, width));
  });
  m.def("bit", [](const nb::object& x, unsigned i) { return hold(bit(to_int(x), i)); });
  m.def("bit_length", [](const nb::object& x) { return hold(bit_length(to_int(x))); });
  m.def("claim", [](const nb::object& x, const nb::object& low, const nb::object& high) {
    return hold(claim(to_int(x), to_integer(low), to_integer(high)));
  });
  m.def("all_of", [](const nb::args& all) {
    std::vector<Bool> conditions;
    for (const nb::handle x : all) conditions.push_back(to_bool(x));
    return hold(all_of(conditions));
  });
  m.def("any_of", [](const nb::args& all) {
    std::vector<Bool> conditions;
    for (const nb::handle x : all) conditions.push_back(to_bool(x));
    return hold(any_of(conditions));
  });
  m.def(
      "mark",
      [](const std::string& label, const nb::object& x, const std::optional<nb::object>& exponent,
         int offset, const std::string& role) {
        if (exponent) {
          mark(label, to_int(x), to_int(*exponent), offset, role_named(role));
        } else {
          mark(label, to_int(x), role_named(role));
        }
      },
      nb::arg("label"), nb::arg("x"), nb::arg("exponent").none() = nb::none(),
      nb::arg("offset") = 0, nb::arg("role") = "value");
  nb::class_<StageScope>(m, "stage")
      .def(nb::init<std::string>())
      .def("__enter__", [](StageScope& s) { s.enter(); })
      .def("__exit__", [](StageScope& s, const nb::args&) { s.exit(); });
}

void bind_formats(nb::module_& m) {
  nb::class_<Format>(m, "Format", "A number format; format('f16') finds one.")
      .def_prop_ro("name", [](const Format& f) { return std::string(f.name); })
      .def_prop_ro("source", [](const Format& f) { return std::string(f.source); })
      .def_ro("storage_bits", &Format::storage_bits)
      .def_ro("has_sign", &Format::has_sign)
      .def_ro("exponent_bits", &Format::exponent_bits)
      .def_ro("fraction_bits", &Format::fraction_bits)
      .def_ro("bias", &Format::bias)
      .def_prop_ro("precision", &Format::precision)
      .def_prop_ro("least_exponent", &Format::least_exponent)
      .def_prop_ro("largest_exponent", &Format::largest_exponent)
      .def("__repr__", [](const Format& f) { return "format('" + std::string(f.name) + "')"; });
  m.def("format", [](const std::string& name) { return format_named(name); });
  nb::class_<HeldUnpacked>(m, "Unpacked", "(-1)^sign * significand * 2^(exponent - fraction_bits).")
      .def_prop_ro("sign", [](const HeldUnpacked& u) { return hold(open(u).sign); })
      .def_prop_ro("exponent", [](const HeldUnpacked& u) { return hold(open(u).exponent); })
      .def_prop_ro("significand", [](const HeldUnpacked& u) { return hold(open(u).significand); })
      .def_prop_ro("is_nan", [](const HeldUnpacked& u) { return hold(open(u).is_nan); })
      .def_prop_ro("is_infinite", [](const HeldUnpacked& u) { return hold(open(u).is_infinite); })
      .def_prop_ro("is_zero", [](const HeldUnpacked& u) { return hold(open(u).is_zero()); });
  m.def("unpack", [](const Format& f, const nb::object& x) { return hold(unpack(f, to_int(x))); });
  m.def(
      "round_and_pack",
      [](const nb::object& sign, const nb::object& magnitude, const nb::object& exponent,
         const Format& format, const std::string& rounding, const std::string& underflow,
         const std::string& overflow, int kept_fraction_bits, const nb::object& inexact,
         const nb::object& zero_sign) {
        const Number x{to_bool(sign), to_int(magnitude), to_int(exponent), to_bool(inexact),
                       to_bool(zero_sign)};
        return hold(round_and_pack(
            x, result_format(format, rounding, underflow, overflow, kept_fraction_bits)));
      },
      nb::arg("sign"), nb::arg("magnitude"), nb::arg("exponent"), nb::arg("format"),
      nb::arg("rounding") = "rne", nb::arg("underflow") = "gradual",
      nb::arg("overflow") = "infinity", nb::arg("kept_fraction_bits") = -1,
      nb::arg("inexact") = false, nb::arg("zero_sign") = false);
  m.def(
      "convert",
      [](const Format& from, const nb::object& x, const Format& to, const std::string& rounding) {
        return hold(convert(from, to_int(x), to, rounding_named(rounding)).pattern);
      },
      nb::arg("source"), nb::arg("pattern"), nb::arg("target"), nb::arg("rounding") = "rne");
  m.def("canonical_nan", [](const Format& f) { return to_python(canonical_nan(f)); });
  m.def("quiet_nan", [](const Format& f) { return to_python(quiet_nan(f)); });
}

void bind_terms(nb::module_& m) {
  nb::class_<HeldTerm>(m, "Term", "(-1)^sign * significand * 2^(exponent - fraction_bits), exact.")
      .def("__init__",
           [](HeldTerm* self, const nb::object& sign, const nb::object& significand,
              const nb::object& exponent, int fraction_bits) {
             new (self) Term{to_bool(sign), to_int(significand), to_int(exponent), fraction_bits};
           })
      .def_prop_ro("sign", [](const HeldTerm& t) { return hold(open(t).sign); })
      .def_prop_ro("significand", [](const HeldTerm& t) { return hold(open(t).significand); })
      .def_prop_ro("exponent", [](const HeldTerm& t) { return hold(open(t).exponent); })
      .def_prop_ro("fraction_bits", [](const HeldTerm& t) { return t.value.fraction_bits; })
      .def_prop_ro("is_zero", [](const HeldTerm& t) { return hold(open(t).is_zero()); })
      .def("normalized", [](const HeldTerm& t) { return hold(normalized(open(t))); });
  nb::class_<Held<DotOperands>>(m, "Operands", "Bit patterns of one dot product's operands.")
      .def_prop_ro("a", [](const Held<DotOperands>& o) { return hold_all(open(o).a); })
      .def_prop_ro("b", [](const Held<DotOperands>& o) { return hold_all(open(o).b); })
      .def_prop_ro("c", [](const Held<DotOperands>& o) { return hold(open(o).c); })
      .def_prop_ro("scale_a", [](const Held<DotOperands>& o) { return hold_all(open(o).scale_a); })
      .def_prop_ro("scale_b", [](const Held<DotOperands>& o) { return hold_all(open(o).scale_b); });
  m.def("exact_product",
        [](const Format& fa, const HeldUnpacked& a, const Format& fb, const HeldUnpacked& b) {
          return hold(exact_product(fa, open(a), fb, open(b)));
        });
  m.def("as_term",
        [](const Format& f, const HeldUnpacked& x) { return hold(as_term(f, open(x))); });
  m.def(
      "leave_zeros_out",
      [](const std::vector<HeldTerm>& held, const nb::object& floor) {
        const std::vector<Term> terms = open_all(held);
        return hold_all(
            leave_zeros_out(terms, floor.is_none() ? Int(least_exponent(terms)) : to_int(floor)));
      },
      nb::arg("terms"), nb::arg("floor").none() = nb::none());
  m.def("least_exponent", [](const std::vector<HeldTerm>& terms) {
    return to_python(least_exponent(open_all(terms)));
  });
  m.def("largest_exponent",
        [](const std::vector<HeldTerm>& terms) { return hold(largest_exponent(open_all(terms))); });
  m.def(
      "align",
      [](const HeldTerm& t, const nb::object& e_max, const nb::object& fraction_bits,
         const std::string& rounding) {
        return hold(align(open(t), to_int(e_max), to_int(fraction_bits), rounding_named(rounding)));
      },
      nb::arg("term"), nb::arg("e_max"), nb::arg("fraction_bits"), nb::arg("rounding") = "rz");
  m.def(
      "with_special_values",
      [](const std::vector<HeldUnpacked>& a, const std::vector<HeldUnpacked>& b,
         const HeldUnpacked& c, const Format& result, const nb::object& finite,
         const nb::object& nan) {
        const UnpackedOperands operands{open_all(a), open_all(b), open(c), {}, {}, 0};
        const Integer pattern = nan.is_none() ? canonical_nan(result) : to_integer(nan);
        return hold(with_special_values(special_case(operands), result, pattern, to_int(finite)));
      },
      nb::arg("a"), nb::arg("b"), nb::arg("c"), nb::arg("format"), nb::arg("finite"),
      nb::arg("nan").none() = nb::none());
  m.def(
      "fused_multiply_add",
      [](const Format& fa, const nb::object& a, const Format& fb, const nb::object& b,
         const Format& fc, const nb::object& c, const Format& result, const std::string& rounding) {
        return hold(fused_multiply_add(fa, to_int(a), fb, to_int(b), fc, to_int(c),
                                       ResultFormat{&result, rounding_named(rounding)},
                                       quiet_nan(result)));
      },
      nb::arg("format_a"), nb::arg("a"), nb::arg("format_b"), nb::arg("b"), nb::arg("format_c"),
      nb::arg("c"), nb::arg("format"), nb::arg("rounding") = "rne");
  m.def(
      "add",
      [](const Format& fx, const nb::object& x, const Format& fy, const nb::object& y,
         const Format& result, const std::string& rounding) {
        return hold(add(fx, to_int(x), fy, to_int(y),
                        ResultFormat{&result, rounding_named(rounding)}, quiet_nan(result)));
      },
      nb::arg("format_x"), nb::arg("x"), nb::arg("format_y"), nb::arg("y"), nb::arg("format"),
      nb::arg("rounding") = "rne");
  m.def(
      "multiply",
      [](const Format& fx, const nb::object& x, const Format& fy, const nb::object& y,
         const Format& result, const std::string& rounding) {
        return hold(multiply(fx, to_int(x), fy, to_int(y),
                             ResultFormat{&result, rounding_named(rounding)}, quiet_nan(result)));
      },
      nb::arg("format_x"), nb::arg("x"), nb::arg("format_y"), nb::arg("y"), nb::arg("format"),
      nb::arg("rounding") = "rne");
}

}  // namespace

std::uint64_t& current_graph() {
  thread_local std::uint64_t number = 0;
  return number;
}

void bind_language(nb::module_& m) {
  bind_expressions(m);
  bind_formats(m);
  bind_terms(m);
  m.def("record", &record, nb::arg("name"), nb::arg("a"), nb::arg("b"), nb::arg("c"), nb::arg("d"),
        nb::arg("k"), nb::arg("scale").none(), nb::arg("scale_block"), nb::arg("function"));
}

}  // namespace mmaspec::python
