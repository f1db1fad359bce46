// answers FOLDER: asks the library and prints each answer as a line of JSON, with the arguments of
// the same question for the command line. Writes the rows and matrices that these name to the
// folder.

#include <mmaspec/mmaspec.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using Texts = std::vector<std::string>;

std::string quoted(const std::string& text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') json += '\\';
    json += c;
  }
  return json + "\"";
}

std::string list_of(const Texts& members) {
  std::string json;
  for (const std::string& m : members) json += (json.empty() ? "" : ",") + m;
  return "[" + json + "]";
}

std::string list_of_texts(const Texts& texts) {
  Texts all;
  for (const std::string& t : texts) all.push_back(quoted(t));
  return list_of(all);
}

/// A JSON object, written member by member.
class Object {
 public:
  Object& add(const std::string& key, const std::string& json) {
    text_ += (text_.empty() ? "" : ",") + quoted(key) + ":" + json;
    return *this;
  }
  Object& text(const std::string& key, const std::string& value) { return add(key, quoted(value)); }
  Object& number(const std::string& key, std::size_t value) {
    return add(key, std::to_string(value));
  }
  Object& flag(const std::string& key, bool value) { return add(key, value ? "true" : "false"); }
  std::string json() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

void print(const Texts& arguments, const Object& answer) {
  std::printf("{\"arguments\":%s,\"answer\":%s}\n", list_of_texts(arguments).c_str(),
              answer.json().c_str());
}

/// Marsaglia's xorshift generator: the same numbers on every platform.
class Random {
 public:
  std::uint64_t operator()() {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return state_;
  }

 private:
  std::uint64_t state_ = 0x9e3779b97f4a7c15;
};

std::uint64_t draw(const mmaspec::Format& format, Random& random) {
  const auto bits = static_cast<unsigned>(format.storage_bits());
  return bits == 64 ? random() : random() & ((std::uint64_t{1} << bits) - 1);
}

std::vector<std::uint64_t> draw(const mmaspec::Format& format, int count, Random& random) {
  std::vector<std::uint64_t> patterns;
  for (int i = 0; i < count; ++i) patterns.push_back(draw(format, random));
  return patterns;
}

/// A pattern's digits in the form used in rows.
std::string hex(const mmaspec::Format& format, std::uint64_t pattern) {
  std::string digits;
  for (int bit = (format.storage_bits() - 1) / 4 * 4; bit >= 0; bit -= 4) {
    digits += "0123456789abcdef"[(pattern >> static_cast<unsigned>(bit)) & 15U];
  }
  return digits;
}

/// Rows of random patterns with the library's results, by the exact evaluator and by the batch
/// evaluator.
void evaluate(const std::string& folder) {
  constexpr int kRows = 40;
  Random random;
  int number = 0;
  for (const std::string& name :
       {std::string("volta/mma.m8n8k4.f32.f16.f16.f32"),
        std::string("hopper/mma.m16n8k16.f32.f16.f16.f32"),
        std::string("h100/mma.m8n8k4.f64.f64.f64.f64"),
        std::string("ada/mma.m16n8k32.f32.e4m3.e5m2.f32"),
        std::string("ampere/mma.m16n8k8.f32.tf32.tf32.f32"),
        std::string("blackwell/tcgen05.mma.block_scale.m128n8k32.block32.f32.e4m3.e2m1.ue8m0"),
        std::string("mi300x/v_mfma_f32_32x32x8_f16"),
        std::string("cdna3/v_mfma_f32_32x32x16_fp8_bf8"),
        std::string("hopper/mma.m16n8k32.s32.s8.s8.s32"), std::string("x86/vdpbf16ps"),
        mmaspec::design_name("fused-dot-add", {{"k", "8"}, {"fraction_bits", "20"}}),
        mmaspec::plan_name("split-k", "hopper/mma.m16n8k16.f32.f16.f16.f32",
                           {{"k", "64"}, {"parts", "2"}})}) {
    const mmaspec::Unit unit = mmaspec::find_unit(name);
    const mmaspec::UnitFormats f = unit.formats();
    std::vector<mmaspec::DotProduct> all;
    for (int i = 0; i < kRows; ++i) {
      mmaspec::DotProduct x;
      x.a = draw(f.a, f.k, random);
      x.b = draw(f.b, f.k, random);
      x.c = draw(f.c, random);
      if (f.scale) {
        x.scale_a = draw(*f.scale, f.scales(), random);
        x.scale_b = draw(*f.scale, f.scales(), random);
      }
      all.push_back(x);
    }
    const std::vector<std::uint64_t> results = mmaspec::evaluate(unit, all);
    const std::string file = folder + "/rows" + std::to_string(number++) + ".jsonl";
    std::ofstream rows(file);
    Texts ds;
    for (int i = 0; i < kRows; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const std::uint64_t d = mmaspec::evaluate(unit, all[at]);
      if (d != results[at]) ds.push_back(quoted("the evaluators disagree"));
      mmaspec::Row row{unit.name(), all[at], d, "", {}};
      ds.push_back(quoted(mmaspec::to_json(row)));
      row.d = i % 4 == 0 ? d ^ 1U : d;
      rows << mmaspec::to_json(row) << '\n';
    }
    rows.close();
    print({"eval", name, "--rows", file}, Object().add("rows", list_of(ds)));

    const mmaspec::VerifyReport report = mmaspec::verify({file});
    Texts mismatches;
    for (const mmaspec::Mismatch& m : report.units[0].first_mismatches) {
      mismatches.push_back(Object()
                               .number("line", m.line)
                               .text("row", mmaspec::to_json(m.row))
                               .text("computed", hex(f.d, m.computed))
                               .json());
    }
    print({"verify", file}, Object()
                                .number("passed", report.passed)
                                .number("failed", report.failed)
                                .text("instr", report.units[0].unit)
                                .add("mismatches", list_of(mismatches)));
  }
}

std::string evidence_of(const std::vector<mmaspec::UnitEvidence>& evidence) {
  Texts all;
  for (const mmaspec::UnitEvidence& e : evidence) {
    Object object;
    object.text("unit", e.unit).text("evidence", mmaspec::to_string(e.weakest));
    if (!e.parameters.empty()) object.add("parameters", list_of_texts(e.parameters));
    all.push_back(object.json());
  }
  return list_of(all);
}

/// Members of every answer, except the time taken and the texts that name a solver.
Object answer_of(const mmaspec::AnswerBase& answer, bool has_condition) {
  Object object;
  object.text("inputs", answer.inputs).add("evidence", evidence_of(answer.evidence));
  if (answer.verdict == mmaspec::Verdict::proved) {
    object.text("by", answer.by);
    if (has_condition) object.flag("vacuous", answer.vacuous == mmaspec::Vacuity::yes);
  }
  return object;
}

void diff(const std::string& first, const std::string& second, Texts arguments,
          const mmaspec::DiffOptions& options) {
  arguments.insert(arguments.begin(), {"diff", first, second});
  const mmaspec::DiffAnswer answer =
      mmaspec::diff(mmaspec::find_unit(first), mmaspec::find_unit(second), options);
  Texts witnesses;
  for (const mmaspec::Witness& w : answer.witnesses) witnesses.push_back(w.row);
  Object object = answer_of(answer, !options.where.empty());
  object.text("verdict", answer.verdict == mmaspec::Verdict::refuted  ? "witness"
                         : answer.verdict == mmaspec::Verdict::proved ? "proved"
                                                                      : "undecided");
  object.text("first", answer.first.name()).text("second", answer.second.name());
  object.text("note", answer.note).add("witnesses", list_of(witnesses));
  if (options.all_k) {
    object.add(
        "all_k",
        Object().number("multiples_of", static_cast<std::size_t>(answer.multiples_of)).json());
  }
  print(arguments, object);
}

void maximize(const std::string& first, const std::string& second, Texts arguments,
              mmaspec::Measure measure, const mmaspec::DiffOptions& options) {
  arguments.insert(arguments.begin(), {"diff", first, second, "--maximize",
                                       measure == mmaspec::Measure::ulp ? "ulp" : "abs"});
  const mmaspec::MaximumAnswer answer =
      mmaspec::maximize(mmaspec::find_unit(first), mmaspec::find_unit(second), measure, options);
  Object object;
  object.text("inputs", answer.inputs).add("evidence", evidence_of(answer.evidence));
  object.flag("proved", answer.verdict == mmaspec::Verdict::proved);
  object.text("largest", answer.largest).text("note", answer.note);
  object.add("bound", answer.bound ? quoted(*answer.bound) : "null");
  if (answer.witness) object.add("witness", answer.witness->row);
  print(arguments, object);
}

Object proof_of(const mmaspec::ProofAnswer& answer, bool has_condition) {
  Texts runs;
  for (const mmaspec::ProofRun& r : answer.runs) {
    mmaspec::Row row{r.unit.name(), r.operands, r.d, "", {}};
    runs.push_back(Object().text("run", r.label).text("row", mmaspec::to_json(row)).json());
  }
  Object object = answer_of(answer, has_condition);
  object.text("verdict", mmaspec::to_string(answer.verdict)).add("runs", list_of(runs));
  object.number("cases", static_cast<std::size_t>(answer.cases));
  object.number("cases_proved", static_cast<std::size_t>(answer.cases_proved));
  if (!answer.of.empty()) object.text("case", answer.of);
  return object;
}

void prove(const std::string& property, const Texts& names, Texts arguments,
           const mmaspec::ProveOptions& options) {
  Texts all{"prove", property};
  all.insert(all.end(), names.begin(), names.end());
  all.insert(all.end(), arguments.begin(), arguments.end());
  const mmaspec::Unit first = mmaspec::find_unit(names[0]);
  print(all, proof_of(names.size() == 1
                          ? mmaspec::prove(property, first, options)
                          : mmaspec::prove(property, first, mmaspec::find_unit(names[1]), options),
                      !options.where.empty()));
}

void prove_least(const std::string& property, const std::string& name) {
  const mmaspec::LeastAnswer answer = mmaspec::prove_least(property, mmaspec::find_unit(name));
  print({"prove", property, name, "--tightest"},
        Object()
            .add("proved", answer.proved ? quoted(*answer.proved) : "null")
            .add("refuted", answer.refuted ? quoted(*answer.refuted) : "null")
            .add("proof", proof_of(answer.proof, false).json())
            .add("refutation", proof_of(answer.refutation, false).json()));
}

void describe() {
  for (const std::string& name : mmaspec::unit_names("mi300x")) {
    const mmaspec::Unit unit = mmaspec::find_unit(name);
    Texts parameters;
    for (const mmaspec::Parameter& p : unit.parameters()) {
      Object object;
      object.text("key", p.key).text("value", p.value).text("meaning", p.meaning);
      for (const mmaspec::Provenance& known : unit.provenance()) {
        if (known.parameter != p.key) continue;
        object.text("evidence", mmaspec::to_string(known.evidence)).text("source", known.source);
        break;
      }
      parameters.push_back(object.json());
    }
    const mmaspec::UnitFormats f = unit.formats();
    print({"show", name}, Object()
                              .text("instr", unit.name())
                              .text("algorithm", unit.algorithm())
                              .text("reference", unit.reference())
                              .number("k", static_cast<std::size_t>(f.k))
                              .text("a", f.a.name())
                              .text("b", f.b.name())
                              .text("c", f.c.name())
                              .text("d", f.d.name())
                              .add("variants", list_of_texts(unit.variants()))
                              .add("parameters", list_of(parameters)));
  }
  print({"list"}, Object().add("names", list_of_texts(mmaspec::unit_names())));
  print({"list", "--arch", "h100"},
        Object().add("names", list_of_texts(mmaspec::unit_names("h100"))));
}

/// A two-dimensional array of 16-bit floats in NumPy's format 1.0.
void write_npy(const std::string& file, const std::vector<std::uint16_t>& words, std::size_t rows) {
  std::string header = "{'descr': '<f2', 'fortran_order': False, 'shape': (" +
                       std::to_string(rows) + ", " + std::to_string(words.size() / rows) + "), }";
  header.resize(117, ' ');
  header += '\n';
  std::ofstream out(file, std::ios::binary);
  out.write("\x93NUMPY\x01\x00\x76\x00", 10);
  out.write(header.data(), 118);
  for (const std::uint16_t w : words) {
    out.put(static_cast<char>(w & 0xffU));
    out.put(static_cast<char>(w >> 8U));
  }
}

void compare(const std::string& folder) {
  constexpr std::size_t kM = 24;
  constexpr std::size_t kK = 40;
  constexpr std::size_t kN = 20;
  Random random;
  const auto matrix = [&](std::size_t size) {
    std::vector<std::uint16_t> words(size);
    for (std::uint16_t& w : words) w = static_cast<std::uint16_t>(random() & 0xbfffU);  // below 2
    return words;
  };
  const std::vector<std::uint16_t> a = matrix(kM * kK);
  const std::vector<std::uint16_t> b = matrix(kK * kN);
  write_npy(folder + "/a.npy", a, kM);
  write_npy(folder + "/b.npy", b, kK);
  mmaspec::MatrixOperands operands;
  operands.a = mmaspec::row_major(a.data(), kM, kK);
  operands.b = mmaspec::row_major(b.data(), kK, kN);
  const std::string first = "volta/mma.m8n8k4.f32.f16.f16.f32";
  const std::string second = "cdna3/v_mfma_f32_32x32x8_f16";
  mmaspec::CompareOptions options;
  options.worst = 3;
  options.tolerance = mmaspec::Tolerance{"1e-6", "1e-7"};
  const mmaspec::Comparison c =
      mmaspec::compare(mmaspec::find_unit(first), mmaspec::find_unit(second), {operands}, options);
  // The second unit's results compared with the first unit.
  std::vector<std::uint32_t> d(kM * kN);
  const auto result = mmaspec::row_major(d.data(), kM, kN);
  mmaspec::multiply(mmaspec::find_unit(second), {{operands, result}});
  const mmaspec::Comparison given =
      mmaspec::compare_results(mmaspec::find_unit(first), {{operands, result}}, options);
  Texts bins;
  for (const mmaspec::UlpBin& bin : c.bins) {
    bins.push_back(list_of({bin.from, bin.to, std::to_string(bin.count)}));
  }
  Texts worst;
  for (const mmaspec::ComparedElement& e : c.worst) {
    worst.push_back(list_of({std::to_string(e.row), std::to_string(e.column), quoted(e.ulp),
                             std::to_string(e.first), std::to_string(e.second)}));
  }
  const bool is_same = given.differing == c.differing && given.largest_ulp == c.largest_ulp &&
                       given.exceeding == c.exceeding && given.mean_relative == c.mean_relative &&
                       given.differing_bits == c.differing_bits;
  print({"compare", folder + "/a.npy", folder + "/b.npy", first, second, "--worst", "3", "--atol",
         "1e-6", "--rtol", "1e-7"},
        Object()
            .number("elements", c.elements)
            .number("differing", c.differing)
            .number("exceeding", c.exceeding)
            .text("largest_ulp", c.largest_ulp)
            .text("note", c.note)
            .flag("results_agree", is_same)
            .add("histogram", list_of(bins))
            .add("worst", list_of(worst)));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = argv[1];
  const std::string volta = "volta/mma.m8n8k4.f32.f16.f16.f32";
  const std::string hopper = "hopper/mma.m16n8k16.f32.f16.f16.f32";
  const std::string wgmma = "hopper/wgmma.m64n8k16.f32.f16.f16";
  const std::string cdna3 = "cdna3/v_mfma_f32_32x32x8_f16";
  evaluate(folder);
  describe();
  compare(folder);

  const auto with = [](const auto& set) {
    mmaspec::DiffOptions options;
    set(options);
    return options;
  };
  diff(volta, hopper, {}, {});
  diff(hopper, cdna3, {"--ulp", "2"}, with([](auto& o) { o.ulp = "2"; }));
  diff(hopper, cdna3, {"--abs", "1/3", "--inputs", "normal", "--no-shrink"}, with([](auto& o) {
         o.absolute = "1/3";
         o.inputs = mmaspec::Inputs::normal;
         o.shrink = false;
       }));
  diff(hopper, cdna3, {"--count", "2", "--where", "abs(a[*]) <= 1"}, with([](auto& o) {
         o.count = 2;
         o.where = {"abs(a[*]) <= 1"};
       }));
  diff("hopper/mma.m16n8k8.f32.tf32.tf32.f32", hopper, {"--pad", "--match", "values"},
       with([](auto& o) { o.pad = true; }));
  diff(hopper, wgmma, {}, {});
  diff(hopper, wgmma, {"--where", "c == 0"}, with([](auto& o) { o.where = {"c == 0"}; }));
  diff(hopper, wgmma, {"--all-k"}, with([](auto& o) { o.all_k = true; }));
  maximize(hopper, wgmma, {}, mmaspec::Measure::ulp, {});
  prove("commutative", {hopper}, {}, {});
  prove("correctly-rounded", {hopper}, {}, {});
  prove("monotone-c", {volta}, {}, {});
  prove("equivalent", {hopper, wgmma}, {}, {});
  mmaspec::ProveOptions bound;
  bound.bound = "1/1024";
  prove("error-bound", {hopper}, {"--bound", "1/1024"}, bound);
  prove_least("carry-bits", hopper);
  return 0;
}
