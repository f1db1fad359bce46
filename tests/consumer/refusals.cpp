// Errors of the library: each exception with a message of one line; and objects keep their values.
// With an argument: the plugin of examples/plugin/.

#include <mmaspec/mmaspec.h>

#include <cmath>
#include <csignal>
#include <cstdint>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "require.h"

namespace {

const char* const kHopper = "hopper/mma.m16n8k16.f32.f16.f16.f32";
const char* const kVolta = "volta/mma.m8n8k4.f32.f16.f16.f32";
const char* const kBlock =
    "blackwell/tcgen05.mma.block_scale.m128n8k32.block32.f32.e4m3.e4m3.ue8m0";

static_assert(std::is_base_of_v<std::invalid_argument, mmaspec::BadInput>);
static_assert(std::is_base_of_v<std::logic_error, mmaspec::Contradiction>);
static_assert(std::is_base_of_v<std::runtime_error, mmaspec::Stopped>);
static_assert(std::is_base_of_v<std::runtime_error, mmaspec::Failure>);

/// True if work() throws E with a one-line message that contains the text.
template <typename E, typename Work>
bool refuses(const std::string& text, const Work& work) {
  try {
    work();
  } catch (const E& error) {
    const std::string what = error.what();
    const bool fits = what.find(text) != std::string::npos && what.find('\n') == std::string::npos;
    if (!fits)
      std::fprintf(stderr, "'%s' has not '%s', or is no line\n", what.c_str(), text.c_str());
    return fits;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "another exception: %s\n", error.what());
  }
  return false;
}

mmaspec::DotProduct ones(const mmaspec::Unit& unit) {
  const mmaspec::UnitFormats f = unit.formats();
  mmaspec::DotProduct x;
  x.a.assign(static_cast<std::size_t>(f.k), f.a.encode(1));
  x.b.assign(static_cast<std::size_t>(f.k), f.b.encode(1));
  if (f.scale) {
    x.scale_a.assign(static_cast<std::size_t>(f.scales()), f.scale->encode(1));
    x.scale_b = x.scale_a;
  }
  return x;
}

void formats() {
  using mmaspec::BadInput;
  using mmaspec::Format;
  require(refuses<BadInput>("unknown format 'f15'", [] { Format("f15"); }));
  const Format e4m3("e4m3");
  const Format f16("f16");
  require(refuses<BadInput>("8 bits", [&] { e4m3.value(0x100); }));
  require(refuses<BadInput>("8 bits", [&] { e4m3.decode(0x100); }));
  require(refuses<BadInput>("8 bits", [&] { e4m3.decimal(0x100); }));
  require(refuses<BadInput>("8 bits", [&] { e4m3.hex_float(0x100); }));
  require(refuses<BadInput>("", [&] { e4m3.parse("0.1"); }));
  require(refuses<BadInput>("", [&] { e4m3.parse("one"); }));
  require(refuses<BadInput>("", [&] { Format("e2m1").encode(std::nan("")); }));
  require(refuses<BadInput>("negative", [] { mmaspec::upper_double("-1"); }));
  require(refuses<BadInput>("", [] { mmaspec::upper_double("1/0"); }));
  require(mmaspec::upper_double("1/3") >= 1.0 / 3 && mmaspec::upper_double("inf") > 1e308);
  require(std::isnan(f16.value(f16.encode(std::nan("")))));
  require(std::isinf(f16.value(f16.encode(1e6))) && f16.encode(-0.0) == 0x8000);
  require(Format("s8").encode(-1) == 0xff && Format("s8").value(0x80) == -128);
  require(Format("fp8") == Format("e4m3fnuz") && Format("fp8") != e4m3);
  require(!f16.source().empty() && f16.storage_bits() == 16 && f16.bias() == 15);
  require(f16.exponent_bits() == 5 && f16.fraction_bits() == 10 && f16.has_sign());
  require(f16.has_infinity() && f16.has_nan() && !f16.is_integer());
  require(Format("tf32").ignored_low_bits() == 13 && Format("s8").is_integer());
  const mmaspec::Decoded x = f16.decode(0xc200);  // -3
  require(x.negative && x.is_finite());
  require(std::ldexp(static_cast<double>(x.significand), x.exponent) == 3);
  for (const std::string& name : mmaspec::format_names()) {
    const Format format(name);
    require(format.name() == name);
    const std::uint64_t one = format.encode(1);
    require(format.value(one) == 1 && format.parse(format.hex_float(one)) == one);
    require(format.parse_nearest(format.decimal(one)) == one);
  }
}

void units() {
  using mmaspec::BadInput;
  require(refuses<BadInput>("did you mean",
                            [] { mmaspec::find_unit("hoper/mma.m16n8k16.f32.f16.f16.f32"); }));
  require(refuses<BadInput>("", [] { mmaspec::find_unit(""); }));
  require(refuses<BadInput>("k", [] { mmaspec::find_unit("design:fused-dot-add(k=0)"); }));
  require(refuses<BadInput>("", [] { mmaspec::unit_names("z80"); }));
  require(refuses<BadInput>("", [] { mmaspec::find_unit(kHopper).of_length(0); }));
  require(refuses<BadInput>("", [] { mmaspec::design_help("no-algorithm"); }));
  require(refuses<BadInput>("", [] { mmaspec::plan_help("no-scheme"); }));
  require(refuses<BadInput>("no-plugin.so", [] { mmaspec::load_plugin("no-plugin.so"); }));
  mmaspec::Unit unit = mmaspec::find_unit(kHopper);
  mmaspec::Unit moved = std::move(unit);
  require(unit.name() == moved.name());  // NOLINT(bugprone-use-after-move): a unit stays one
  unit = mmaspec::find_unit(kVolta);
  moved = std::move(unit);
  require(moved.name() == kVolta && unit.name() == kVolta);  // NOLINT(bugprone-use-after-move)
  require(moved.of_length(1000).formats().k == 1000);
  require(mmaspec::find_unit("h100/mma.m16n8k16.f32.f16.f16.f32").label().rfind("h100/", 0) == 0);
  require(mmaspec::unit_names().size() > mmaspec::unit_names("h100").size());
  require(!mmaspec::architectures().empty() && !mmaspec::products().empty());
  for (const std::string& name : mmaspec::design_algorithms()) {
    require(!mmaspec::design_help(name).parameters.empty());
  }
  for (const std::string& name : mmaspec::plan_schemes())
    require(mmaspec::plan_help(name).name == name);
  require(!mmaspec::version().empty());
}

void evaluation() {
  using mmaspec::BadInput;
  const mmaspec::Unit unit = mmaspec::find_unit(kHopper);
  const mmaspec::DotProduct good = ones(unit);
  mmaspec::DotProduct x = good;
  x.a.pop_back();
  require(refuses<BadInput>("", [&] { mmaspec::evaluate(unit, x); }));
  x = good;
  x.b[3] = 0x10000;
  require(refuses<BadInput>("b[3]", [&] { mmaspec::evaluate(unit, x); }));
  require(refuses<BadInput>("b[3]", [&] { mmaspec::trace(unit, x); }));
  x = good;
  x.c = std::uint64_t{1} << 32;
  require(refuses<BadInput>("c: ", [&] { mmaspec::evaluate(unit, {good, x}); }));
  x = good;
  x.scale_a = {0x7f};
  require(refuses<BadInput>("", [&] { mmaspec::evaluate(unit, x); }));
  require(mmaspec::evaluate(unit, std::vector<mmaspec::DotProduct>()).empty());
  const mmaspec::Unit block = mmaspec::find_unit(kBlock);
  require(block.formats().scale.has_value());
  require(block.formats().d.value(mmaspec::evaluate(block, ones(block))) == block.formats().k);

  const std::vector<std::uint16_t> a(4 * 32, 0x3c00);
  std::vector<std::uint32_t> d(4 * 4);
  mmaspec::MatrixOperands operands;
  operands.a = mmaspec::row_major(a.data(), 4, 32);
  operands.b = mmaspec::column_major(a.data(), 32, 4);
  const auto result = mmaspec::row_major(d.data(), 4, 4);
  mmaspec::multiply(unit, {{operands, result}}, 1);
  require(d[15] == 0x42000000);  // 32
  const auto changed = [&](const auto& change) {
    mmaspec::MatrixOperands other = operands;
    change(other);
    return other;
  };
  const auto multiply = [&](const mmaspec::MatrixOperands& other) {
    mmaspec::multiply(unit, {{other, result}});
  };
  require(refuses<BadInput>("shapes", [&] { multiply(changed([](auto& o) { o.b.rows = 16; })); }));
  require(refuses<BadInput>("a has no data",
                            [&] { multiply(changed([](auto& o) { o.a.data = nullptr; })); }));
  require(
      refuses<BadInput>("bytes", [&] { multiply(changed([](auto& o) { o.a.word_bytes = 3; })); }));
  require(refuses<BadInput>("do not hold f16",
                            [&] { multiply(changed([](auto& o) { o.a.word_bytes = 1; })); }));
  require(refuses<BadInput>("scale factors",
                            [&] { multiply(changed([](auto& o) { o.scale_a = o.a; })); }));
  require(refuses<BadInput>("threads", [&] { mmaspec::multiply(unit, {{operands, result}}, -1); }));
  // A word of 32 bits may hold more than an f16 pattern.
  std::vector<std::uint32_t> wide(4 * 32, 0x13c00);
  require(refuses<BadInput>("more than 16 bits", [&] {
    multiply(changed([&](auto& o) { o.a = mmaspec::row_major(wide.data(), 4, 32); }));
  }));
  const std::vector<mmaspec::MatrixOperands> two = {
      operands, changed([](auto& o) { o.a.columns = o.b.rows = 16; })};
  require(refuses<BadInput>("one K", [&] { mmaspec::compare(unit, unit, two); }));
  const mmaspec::Unit bf16 = mmaspec::find_unit("hopper/mma.m16n8k16.f32.bf16.bf16.f32");
  require(refuses<BadInput>("", [&] { mmaspec::compare(unit, bf16, {operands}); }));
  mmaspec::CompareOptions options;
  options.tolerance = mmaspec::Tolerance{"-1", "0"};
  require(refuses<BadInput>("atol", [&] { mmaspec::compare(unit, unit, {operands}, options); }));
  const mmaspec::MatrixView short_d = mmaspec::row_major(d.data(), 2, 4);
  require(refuses<BadInput>("d has other rows", [&] {
    mmaspec::compare_results(unit, {{operands, short_d}});
  }));
  require(mmaspec::compare(unit, unit, {}).elements == 0);
  d[3] = 0x7fc00000;
  d[4] = 0x42000008;
  options.tolerance = mmaspec::Tolerance{"0", "1/1000"};
  const mmaspec::Comparison found =
      mmaspec::compare_results(unit, {{operands, mmaspec::row_major(d.data(), 4, 4)}}, options);
  require(found.differing == 2 && found.beyond_ulp == 1 && found.exceeding == 1 &&
          found.differing_bits == 2);
  require(found.worst.size() == 2 && found.worst[0].ulp == "inf" && found.worst[1].ulp == "8");
  require(found.worst[1].first == 0x42000000 && found.worst[1].second == 0x42000008);
  require(mmaspec::evaluate(unit.of_length(32), found.worst[1].operands) == found.worst[1].first);

  // Several threads with one unit.
  std::vector<std::thread> threads;
  std::vector<std::uint64_t> results(4);
  for (std::uint64_t& r : results) threads.emplace_back([&] { r = mmaspec::evaluate(unit, good); });
  for (std::thread& t : threads) t.join();
  for (const std::uint64_t r : results) require(r == 0x41800000);
}

void questions() {
  using mmaspec::BadInput;
  const mmaspec::Unit unit = mmaspec::find_unit(kHopper);
  const mmaspec::Unit other = mmaspec::find_unit(kVolta);
  const auto diff = [&](const auto& change) {
    mmaspec::DiffOptions options;
    change(options);
    mmaspec::diff(unit, other, options);
  };
  require(refuses<BadInput>("ulp", [&] { diff([](auto& o) { o.ulp = "-1"; }); }));
  require(refuses<BadInput>("absolute", [&] { diff([](auto& o) { o.absolute = "x"; }); }));
  require(refuses<BadInput>("relative", [&] { diff([](auto& o) { o.relative = "-1"; }); }));
  require(refuses<BadInput>("count", [&] { diff([](auto& o) { o.count = 0; }); }));
  require(refuses<BadInput>("chain", [&] { diff([](auto& o) { o.chain = -1; }); }));
  require(refuses<BadInput>("", [&] { diff([](auto& o) { o.where = {"a[0] <"}; }); }));
  require(refuses<BadInput>("seconds", [&] { diff([](auto& o) { o.ask.seconds = 0; }); }));
  require(
      refuses<BadInput>("seconds", [&] { diff([](auto& o) { o.ask.seconds = std::nan(""); }); }));
  require(refuses<BadInput>("jobs", [&] { diff([](auto& o) { o.ask.jobs = -1; }); }));
  require(refuses<BadInput>("", [&] { diff([](auto& o) { o.ask.solver = "abacus"; }); }));
  require(refuses<BadInput>("all-k", [&] {
    diff([](auto& o) {
      o.all_k = true;
      o.count = 2;
    });
  }));
  mmaspec::DiffOptions with_bound;
  with_bound.ulp = "1";
  require(refuses<BadInput>("maximize takes no", [&] {
    mmaspec::maximize(unit, other, mmaspec::Measure::ulp, with_bound);
  }));
  const auto prove = [&](const std::string& property, const auto& change) {
    mmaspec::ProveOptions options;
    change(options);
    return mmaspec::prove(property, unit, options);
  };
  const auto nothing = [](auto&) {};
  require(refuses<BadInput>("did you mean", [&] { prove("comutative", nothing); }));
  require(refuses<BadInput>("two units", [&] { prove("refines", nothing); }));
  require(refuses<BadInput>("one unit", [&] { mmaspec::prove("commutative", unit, unit); }));
  require(refuses<BadInput>("prove_least", [&] { prove("error-bound", nothing); }));
  require(refuses<BadInput>("takes no bound",
                            [&] { prove("commutative", [](auto& o) { o.bound = "1"; }); }));
  require(refuses<BadInput>(
      "within", [&] { prove("permutation-invariant", [](auto& o) { o.within = -1; }); }));
  require(refuses<BadInput>("no number", [&] { mmaspec::prove_least("commutative", unit); }));
  require(!mmaspec::properties().empty());

  // A precondition that no input satisfies.
  const mmaspec::ProofAnswer empty = prove("commutative", [](auto& o) {
    o.where = {"c > 0", "c < 0"};
  });
  require(empty.verdict == mmaspec::Verdict::proved && empty.vacuous == mmaspec::Vacuity::yes);

  // Progress is reported, at the end with no running attempts.
  mmaspec::DiffOptions options;
  std::string last = "never";
  options.ask.progress = [&](double, const std::string& running) { last = running; };
  options.all_k = true;
  const mmaspec::DiffAnswer same =
      mmaspec::diff(unit, mmaspec::find_unit("h100/wgmma.m64n8k16.f32.f16.f16"), options);
  require(same.verdict == mmaspec::Verdict::proved && same.multiples_of == 16 &&
          same.witnesses.empty());
  require(last == "never" || last.empty());
  // Its exceptions are passed on. The question would take all of its time.
  struct Enough {};
  bool thrown = false;
  try {
    prove("monotone-c", [](auto& o) {
      o.where = {"c > 0", "c < 0"};
      o.ask.seconds = 2;
      o.ask.progress = [](double, const std::string&) { throw Enough(); };
    });
  } catch (const Enough&) {
    thrown = true;
  }
  require(thrown);

  // While work is stopped, questions are not answered.
  std::signal(SIGUSR1, [](int) { mmaspec::stop_work(); });
  std::raise(SIGUSR1);
  const std::vector<std::uint16_t> a(32 * 32, 0x3c00);
  std::vector<std::uint32_t> d(32 * 32);
  mmaspec::MatrixOperands operands;
  operands.a = mmaspec::row_major(a.data(), 32, 32);
  operands.b = operands.a;
  require(refuses<mmaspec::Stopped>("", [&] {
    mmaspec::multiply(other, {{operands, mmaspec::row_major(d.data(), 32, 32)}});
  }));
  require(mmaspec::verify_rows({mmaspec::Row{kHopper, ones(unit), 0x41800000, "", {}}}).is_stopped);
  mmaspec::resume_work();
}

void rows() {
  using mmaspec::BadInput;
  require(refuses<BadInput>("", [] { mmaspec::parse_row("no row"); }));
  require(refuses<BadInput>("", [] { mmaspec::parse_row(R"({"instr": "z80/mul"})"); }));
  require(refuses<BadInput>("", [] {
    mmaspec::parse_row(
        R"({"instr": "volta/mma.m8n8k4.f32.f16.f16.f32", "a": "3c00", "b": "3c00", "c": "0"})");
  }));
  require(
      refuses<mmaspec::Failure>("no-such-file", [] { mmaspec::verify({"no-such-file.jsonl"}); }));
  const mmaspec::Unit unit = mmaspec::find_unit(kHopper);
  mmaspec::Row row{kHopper, ones(unit), 0x41800000, "", {}};
  mmaspec::VerifyOptions options;
  options.variant = "no-variant";
  require(refuses<BadInput>("unknown variant", [&] { mmaspec::verify_rows({row}, options); }));
  options.variant.clear();
  options.as = "no/unit";
  require(refuses<BadInput>("", [&] { mmaspec::verify_rows({row}, options); }));
  mmaspec::Row wrong = row;
  wrong.d = 0x41800001;
  mmaspec::Row bad = row;
  bad.operands.a.pop_back();
  require(refuses<BadInput>("", [&] { mmaspec::to_json(bad); }));
  const mmaspec::VerifyReport report = mmaspec::verify_rows({row, wrong, bad});
  require(report.passed == 1 && report.failed == 1 && report.unreadable == 1 && !report.is_stopped);
  require(report.bad_rows[0].rfind("row 3: ", 0) == 0);
  require(report.units.size() == 1 && report.units[0].unit == kHopper);
  const mmaspec::Mismatch& m = report.units[0].first_mismatches[0];
  require(m.line == 2 && m.computed == 0x41800000 && m.row.d == 0x41800001);
  require(mmaspec::to_json(mmaspec::parse_row(mmaspec::to_json(row))) == mmaspec::to_json(row));
}

/// An algorithm of a plugin is a unit like any other.
void plugins(const std::string& file) {
  const std::vector<std::string> names = mmaspec::load_plugin(file);
  require(names.size() == 1 && names[0] == "custom/floored");
  const mmaspec::Unit unit = mmaspec::find_unit(names[0]);
  require(unit.formats().d.value(mmaspec::evaluate(unit, ones(unit))) == unit.formats().k);
  require(unit.evidence().empty());
  const mmaspec::DiffAnswer answer = mmaspec::diff(unit, mmaspec::find_unit(kHopper));
  require(answer.verdict == mmaspec::Verdict::refuted);
  require(refuses<mmaspec::BadInput>("floored", [&] { mmaspec::load_plugin(file); }));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2) {
    plugins(argv[1]);
    return 0;
  }
  formats();
  units();
  evaluation();
  questions();
  rows();
  return 0;
}
