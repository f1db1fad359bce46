// Matrix products that cuBLAS and Triton computed on an H100: explained without knowing the plan.

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "concrete/rows/row.h"
#include "queries/studies/explain/explain.h"
#include "spec/catalog/instruction.h"
#include "tests/support/case_selection.h"
#include "util/json.h"

namespace mmaspec::recorded_gemm_test {
namespace {

const std::string kFolder = std::string(MMASPEC_TESTS_DIR) + "/data/hardware/gemm/";

/// A product with only the recorded elements' rows of A and columns of B.
struct Recorded {
  std::string product;
  std::string kernels;
  const Format* a;
  const Format* d;
  std::size_t m, n, k;
  std::uint64_t seed;
  std::size_t rows, columns;
  std::vector<std::uint64_t> a_patterns, b_patterns, d_patterns;

  std::string label() const {
    return product + " " + std::string(a->name) + " -> " + std::string(d->name) + " " +
           std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k) + ", seed " +
           std::to_string(seed);
  }
};

std::uint64_t split_mix(std::uint64_t x) {
  std::uint64_t z = x + 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

/// Element i of a matrix, as hardware/replay/device/cuda/capture/gemm.py generates it.
std::uint64_t operand(const Format& f, std::uint64_t seed, std::uint64_t which, std::uint64_t span,
                      std::uint64_t i) {
  const std::uint64_t h = split_mix((seed << 40U) + (which << 36U) + i);
  const auto fraction_bits = static_cast<unsigned>(f.fraction_bits);
  const auto field = static_cast<std::uint64_t>(f.bias) - (h % (std::uint64_t{1} << 20U)) % span;
  const std::uint64_t fraction = h >> 20U & ((std::uint64_t{1} << fraction_bits) - 1);
  return h >> 63U << (fraction_bits + static_cast<unsigned>(f.exponent_bits)) |
         field << fraction_bits | fraction;
}

std::vector<Recorded> recorded(const std::string& file) {
  std::vector<Recorded> all;
  for_each_line(kFolder + file, [&](std::string_view line, std::size_t number) {
    const Json row = Json::parse(line);
    if (number == 1 || !row.contains("elements")) return;
    Recorded r{row["product"].get<std::string>(),
               row["kernel"].dump(),
               find_format(row["a"].get<std::string>()),
               find_format(row["d"].get<std::string>()),
               row["m"].get<std::size_t>(),
               row["n"].get<std::size_t>(),
               row["k"].get<std::size_t>(),
               row["seed"].get<std::uint64_t>(),
               0,
               0,
               {},
               {},
               {}};
    const auto span = row["span"].get<std::uint64_t>();
    const auto rows = row["d_rows"].get<std::vector<std::uint64_t>>();
    const auto columns = row["d_columns"].get<std::vector<std::uint64_t>>();
    r.rows = rows.size();
    r.columns = columns.size();
    for (const std::uint64_t i : rows) {
      for (std::uint64_t k = 0; k < r.k; ++k) {
        r.a_patterns.push_back(operand(*r.a, r.seed, 0, span, i * r.k + k));
      }
    }
    for (std::uint64_t k = 0; k < r.k; ++k) {
      for (const std::uint64_t j : columns) {
        r.b_patterns.push_back(operand(*r.a, r.seed, 1, span, k * r.n + j));
      }
    }
    for (const auto& text : row["elements"].get<std::vector<std::string>>()) {
      std::istringstream words(text);
      std::string word;
      while (words >> word) r.d_patterns.push_back(std::stoull(word, nullptr, 16));
    }
    all.push_back(std::move(r));
  });
  return all;
}

PatternView view(const std::vector<std::uint64_t>& patterns, std::size_t rows,
                 std::size_t columns) {
  return {reinterpret_cast<const std::byte*>(patterns.data()),
          8,
          rows,
          columns,
          static_cast<std::ptrdiff_t>(8 * columns),
          8};
}

explain::Explanation explained(const Recorded& r) {
  explain::Options options;
  for (const Instruction& i : catalogue()) {
    if (i.architecture == "hopper" || i.mnemonic == "vfmadd231ps") {
      options.instructions.push_back(i);
    }
  }
  explain::MatrixFormats formats{{r.a}, {r.a}, {}, {r.d}};
  if (*r.a == formats::f32) {
    formats.a.push_back(&formats::tf32);
    formats.b.push_back(&formats::tf32);
  }
  const explain::Product product{view(r.a_patterns, r.rows, r.k),
                                 view(r.b_patterns, r.k, r.columns),
                                 {},
                                 view(r.d_patterns, r.rows, r.columns)};
  return explain::explain(product, formats, options);
}

/// The plan that the kernel's name and its source determine; empty if they do not.
std::string known_plan(const Recorded& r) {
  const std::string k = ",k=" + std::to_string(r.k);
  const bool splits = r.kernels.find("split") != std::string::npos;
  const std::string type = *r.a == formats::f16 ? "f16" : "bf16";
  std::string plan;
  if ((*r.a == formats::f16 || *r.a == formats::bf16) && !splits) {
    plan = "chain(hopper/wgmma.m64n8k16.f32." + type + "." + type + k + ")";
  } else if (r.product.find("use_fast_accum=True") != std::string::npos && !splits) {
    plan = "chain(hopper/wgmma.m64n8k32.f32.e4m3.e4m3" + k + ")";
  } else if (r.product.find("max_num_imprecise_acc=0") != std::string::npos) {
    const std::string whole = ",k=" + std::to_string((r.k + 31) / 32 * 32);
    plan = "convert(permute(chain(hopper/mma.m16n8k16.f32.f16.f16.f32" + whole + ")" + k +
           ",order=interleaved,ways=2,block=2,within=32)" + k + ",a=e4m3,b=e4m3,round=rne)";
  } else if (r.product.find("input_precision=tf32") != std::string::npos) {
    plan = "chain(hopper/wgmma.m64n8k8.f32.tf32.tf32" + k + ")";
  } else if (r.product.find("input_precision=ieee") != std::string::npos) {
    plan = "chain(x86/vfmadd231ps" + k + ")";
  } else if (r.product.find("use_fast_accum=False") != std::string::npos && !splits && r.k > 128) {
    plan = "promote(hopper/wgmma.m64n8k32.f32.e4m3.e4m3" + k + ",every=128)";
  }
  if (plan.empty()) return plan;
  if (!(*r.d == formats::f32)) {
    plan = "epilogue(" + plan + k + ",beta=0,out=" + std::string(r.d->name) + ")";
  }
  return "plan:" + plan;
}

bool is_among(const std::string& name, const explain::ExplainedPlan& plan) {
  // A chain of one step is the instruction.
  const auto same = [&](const std::string& other) {
    return other == name || find_instruction(other).algorithm == find_instruction(name).algorithm ||
           name == "plan:chain(" + other +
                       ",k=" + std::to_string(find_instruction(other).formats.k) + ")";
  };
  return same(plan.plan) || std::any_of(plan.equal_to.begin(), plan.equal_to.end(), same);
}

TEST(RecordedGemm, EveryProductHasAPlan) {
  std::vector<Recorded> all = recorded("h100.jsonl.gz");
  for (Recorded& r : recorded("h100-wide.jsonl.gz")) all.push_back(std::move(r));
  std::size_t with_known_plan = 0;
  std::size_t one_answer = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_selected(i, 37)) continue;
    const Recorded& r = all[i];
    const explain::Explanation found = explained(r);
    ASSERT_FALSE(found.plans.empty()) << r.label() << ": no plan";
    EXPECT_EQ(found.searched.extent, explain::Extent::usual) << r.label();
    EXPECT_EQ(found.plans.front().elements, r.d_patterns.size()) << r.label();
    if (found.verdict == explain::Verdict::explained) ++one_answer;
    const std::string known = known_plan(r);
    if (known.empty()) continue;
    ++with_known_plan;
    // 30 or more elements of f32 are enough unless their sums are exact.
    if (*r.d == formats::f32 && found.verdict == explain::Verdict::explained) {
      EXPECT_TRUE(is_among(known, found.plans.front()))
          << r.label() << " is " << known << ", not " << found.plans.front().plan;
    }
    const bool listed = std::any_of(found.plans.begin(), found.plans.end(),
                                    [&](const auto& plan) { return is_among(known, plan); });
    EXPECT_TRUE(listed || found.unchecked > 0) << r.label() << ": " << known << " is left out";
  }
  EXPECT_GT(with_known_plan, 4U);
  EXPECT_GT(one_answer, 2U);
}

}  // namespace
}  // namespace mmaspec::recorded_gemm_test
