// Results of candidates in the search compared with the plans of their names.

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <random>
#include <set>

#include "concrete/dot/lane_runner.h"
#include "queries/studies/explain/space/candidate_names.h"
#include "spec/formats/text.h"
#include "spec/plans/scheme.h"
#include "tests/support/case_selection.h"

namespace mmaspec::candidates_test {
namespace {

using namespace explain;  // NOLINT(google-build-using-namespace): it is what is tested

constexpr std::size_t kElements = 40;

/// Operands of some elements, numbers of f16 with exponents that are far apart, as patterns of f16
/// or f32, or numbers of e4m3, and f32 c's.
std::vector<ElementOperands> drawn(std::size_t k, const Format& format) {
  std::mt19937 random(11);
  std::vector<ElementOperands> all(kElements);
  const auto draw = [&](unsigned least, unsigned exponents) {
    if (format == formats::e4m3) {
      return std::uint64_t{(random() & 1U) << 7U | (1 + random() % 9) << 3U | (random() & 7U)};
    }
    const bool is_wide = format == formats::f32;
    const unsigned more = is_wide ? 13U : 0U;  // bits of the fraction
    return std::uint64_t{(random() & 1U) << (is_wide ? 31U : 15U) |
                         (least + random() % exponents + (is_wide ? 112U : 0U)) << (10U + more) |
                         (random() & 0x3ffU) << more};
  };
  for (ElementOperands& e : all) {
    for (std::size_t i = 0; i < k; ++i) {
      e.a.push_back(draw(4, 18));
      e.b.push_back(draw(4, 18));
    }
    e.c = std::uint64_t{(random() & 1U) << 31U | (118 + random() % 12) << 23U |
                        (random() & 0x7fffffU)};
  }
  return all;
}

/// By the plan's own specification; there may be fewer operands than the unit's steps have.
std::vector<std::uint64_t> results(const std::string& plan, const std::vector<ElementOperands>& in,
                                   bool has_c) {
  const Instruction i = find_instruction(plan);
  const auto k = static_cast<std::size_t>(i.formats.k);
  Lanes lanes(2 * k + 1, in.size());
  for (std::size_t lane = 0; lane < in.size(); ++lane) {
    for (std::size_t j = 0; j < k; ++j) {
      lanes[j][lane] = in[lane].a[j];
      lanes[k + j][lane] = in[lane].b[j];
    }
    if (has_c) lanes[2 * k][lane] = in[lane].c;
  }
  Lanes d(1, in.size());
  LaneRunner(i.algorithm, i.formats).run(lanes, d);
  return {d[0], d[0] + in.size()};
}

/// `file`: the format of the operands; nullptr: the unit's.
PreparedUnit unit_of(const std::string& name, const Format* file = nullptr) {
  const Instruction i = find_instruction(name);
  const auto unit = std::make_shared<const Unit>(
      Unit{i.formats.k, i.formats, i.algorithm, {{i.name(), i.formats.k}}});
  return {unit, file == nullptr ? i.formats.a : file, file == nullptr ? i.formats.b : file};
}

/// For all candidates of a space, checks that the search gives them the results of their names and
/// that equal keys mean equal results, and counts the other results.
void expect_what_names_say(const std::string& name, const ProductsOrder& order, std::size_t k,
                           bool has_c, const std::vector<const Format*>& outs,
                           const Format* file = nullptr) {
  const PreparedUnit unit = unit_of(name, file);
  const UnitStep step(*unit.unit);
  const Space space(unit, order, k, ResultChoices{outs, {}, has_c, Extent::all});
  const std::vector<ElementOperands> elements = drawn(k, *unit.a);
  // As the unit receives them.
  std::vector<SegmentSums> sums;
  const Space::Needs needs = space.needs(std::vector<bool>(space.shapes().size(), true));
  for (const ElementOperands& e : elements) {
    ElementOperands in{std::vector<std::uint64_t>(space.whole_k()),
                       std::vector<std::uint64_t>(space.whole_k()), has_c ? e.c : 0};
    for (std::size_t i = 0; i < space.whole_k(); ++i) {
      const auto product = static_cast<std::size_t>(space.products()[i]);
      if (product >= k) continue;
      const auto as_read = [&](std::uint64_t x) {
        return unit.converts() ? std::uint64_t{std::bit_cast<std::uint32_t>(value_of(*file, x))}
                               : x;
      };
      in.a[i] = as_read(e.a[product]);
      in.b[i] = as_read(e.b[product]);
    }
    sums.emplace_back(step, space.grain());
    sums.back().compute(in, needs.last_end, needs.from_c, Deadline());
  }
  std::map<std::string, std::vector<std::uint64_t>> by_key;
  std::size_t index = 0;
  for (std::size_t shape = 0; shape < space.shapes().size(); ++shape) {
    for (std::size_t f = 0; f < space.finishes(space.shapes()[shape]).size(); ++f) {
      if (!is_selected(index++, 5)) continue;
      const explain::Candidate candidate{shape, f};
      ASSERT_TRUE(takes(space, candidate, 0));
      const std::string plan = plan_name(space, candidate, 0);
      const std::vector<std::uint64_t> expected = results(plan, elements, has_c);
      for (std::size_t i = 0; i < elements.size(); ++i) {
        std::vector<explain::Candidate> kept{candidate};
        const ElementOperands in{{}, {}, has_c ? elements[i].c : 0};
        space.keep(space.shapes()[shape], sums[i], in, expected[i], kept);
        EXPECT_EQ(kept.size(), 1) << plan << " is left out by element " << i;
        kept = {candidate};
        space.keep(space.shapes()[shape], sums[i], in, expected[i] ^ 1, kept);
        EXPECT_TRUE(kept.empty()) << plan << " is kept by another result";
      }
      const auto [at, is_new] = by_key.try_emplace(class_key(space, candidate), expected);
      EXPECT_EQ(at->second, expected) << plan << ": " << at->first;
    }
  }
  // The elements distinguish many of them, so that the check above is meaningful.
  std::set<std::vector<std::uint64_t>> unlike;
  for (const auto& [key, d] : by_key) unlike.insert(d);
  EXPECT_GT(4 * unlike.size(), std::min<std::size_t>(by_key.size(), 20));
}

const std::string kF16 = "hopper/mma.m16n8k16.f32.f16.f16.f32";

TEST(Candidates, EqualThePlansOfTheirNames) {
  expect_what_names_say(kF16, {}, 80, false, {&formats::f32});
}
TEST(Candidates, OfNarrowResults) {
  expect_what_names_say(kF16, {}, 60, false, {&formats::f16, &formats::bf16});
}
TEST(Candidates, WithC) {
  expect_what_names_say(kF16, {}, 64, true, {&formats::f32, &formats::f16});
}
TEST(Candidates, OfNarrowSums) {
  expect_what_names_say("hopper/mma.m16n8k16.f16.f16.f16.f16", {}, 64, false, {&formats::f16});
}
TEST(Candidates, InOtherOrders) {
  expect_what_names_say(kF16, {Permute{ProductOrder::reversed, 2, 16, 0}}, 72, false,
                        {&formats::f32});
  expect_what_names_say(kF16, {Permute{ProductOrder::interleaved, 2, 8, 0}}, 72, false,
                        {&formats::f32});
  expect_what_names_say(kF16, {Permute{ProductOrder::interleaved, 4, 16, 0}}, 128, true,
                        {&formats::f32});
}
TEST(Candidates, OfUnrolledLoops) {
  const auto unrolled = [](int ways, int unroll) {
    return ProductsOrder{Permute{ProductOrder::interleaved, ways, 1, 0, unroll}};
  };
  expect_what_names_say("x86/vfmadd231ps", unrolled(2, 8), 31, false, {&formats::f32});
  expect_what_names_say("x86/vfmadd231ps", unrolled(4, 8), 31, true, {&formats::f32});
}
TEST(Candidates, HaveEachUnrolledOrderOnce) {
  const auto unrolls = [](int unit_k, std::size_t k) {
    std::vector<std::pair<int, int>> all;  // ways, products of an iteration
    for (const ProductsOrder& order : orders_of_products(unit_k, k, Extent::usual)) {
      if (order.is_unrolled()) all.emplace_back(order.permute->ways, order.permute->unroll);
    }
    return all;
  };
  using Expected = std::vector<std::pair<int, int>>;
  EXPECT_EQ(unrolls(1, 100), (Expected{{2, 8}, {4, 8}, {8, 8}, {8, 64}}));
  EXPECT_EQ(unrolls(1, 99), (Expected{{2, 4}, {4, 4}, {8, 8}, {8, 64}}));
  EXPECT_EQ(unrolls(1, 96), (Expected{{8, 64}}));
  EXPECT_EQ(unrolls(1, 65), (Expected{}));
  EXPECT_EQ(unrolls(2, 99), (Expected{{2, 8}, {4, 8}, {4, 64}, {8, 16}, {8, 64}}));
  EXPECT_EQ(unrolls(16, 1000), (Expected{}));
}
TEST(Candidates, OfProductsDealtToInstructions) {
  expect_what_names_say(kF16, {Permute{ProductOrder::interleaved, 2, 2, 32}}, 110, false,
                        {&formats::f32});
}
TEST(Candidates, OfRestsThatComeFirst) {
  expect_what_names_say(kF16, {{}, 32, 1}, 90, false, {&formats::f32});
  expect_what_names_say(kF16, {{}, 32, 3}, 132, true, {&formats::f32, &formats::bf16});
}
TEST(Candidates, OfOtherVendors) {
  expect_what_names_say("cdna3/v_mfma_f32_32x32x8_f16", {}, 40, false, {&formats::f32});
  expect_what_names_say("ampere/mma.m16n8k16.f32.f16.f16.f32", {}, 64, true, {&formats::f32});
}

const std::string kFp8 = "hopper/mma.m16n8k16.f32.e4m3.e4m3.f32";

// Such a unit adds the sum of a step as an addition outside of it would.
TEST(Candidates, OfUnitsThatAddSteps) {
  expect_what_names_say(kFp8, {}, 96, false, {&formats::f32, &formats::f16});
  expect_what_names_say(kFp8, {}, 64, true, {&formats::f32});
  expect_what_names_say("x86/vfmadd231ps", {}, 9, false, {&formats::f32, &formats::f16},
                        &formats::f16);
  expect_what_names_say("x86/vfmadd231ps", {}, 7, true, {&formats::f32}, &formats::f16);
}

/// The keys of all candidates without C, by the candidates' names.
std::map<std::string, std::string> keys_of(const std::string& name, std::size_t k,
                                           const Format* file = nullptr) {
  const PreparedUnit unit = unit_of(name, file);
  const Space space(unit, {}, k, ResultChoices{{unit.unit->formats.d}, {}, false, Extent::usual});
  std::map<std::string, std::string> all;
  for (std::size_t shape = 0; shape < space.shapes().size(); ++shape) {
    for (std::size_t f = 0; f < space.finishes(space.shapes()[shape]).size(); ++f) {
      const explain::Candidate candidate{shape, f};
      all[plan_name(space, candidate, 0)] = class_key(space, candidate);
    }
  }
  return all;
}

TEST(Candidates, HaveOneKeyIfStepsAreAddedOneByOne) {
  const auto fp8 = keys_of(kFp8, 64);
  const std::string chain = fp8.at("plan:chain(" + kFp8 + ",k=64)");
  EXPECT_EQ(chain, fp8.at("plan:promote(" + kFp8 + ",k=64,every=16)"));
  EXPECT_EQ(chain, fp8.at("plan:split-k(" + kFp8 + ",k=64,parts=4)"));
  EXPECT_EQ(chain, fp8.at("plan:promote(" + kFp8 + ",k=64,every=48)"));
  EXPECT_NE(chain, fp8.at("plan:promote(" + kFp8 + ",k=64,every=32)"));
  EXPECT_NE(chain, fp8.at("plan:split-k(" + kFp8 + ",k=64,parts=4,reduce=tree)"));
  EXPECT_EQ(fp8.at("plan:split-k(" + kFp8 + ",k=64,parts=2)"),
            fp8.at("plan:split-k(" + kFp8 + ",k=64,parts=4,reduce=tree)"));
  const std::string kFma = "x86/vfmadd231ps";
  const auto parts = [&](const std::string& file) {
    return "plan:convert(split-k(" + kFma + ",k=8,parts=8),k=8,a=" + file + ",b=" + file +
           ",round=rne)";
  };
  const auto whole = [&](const std::string& file) {
    return "plan:convert(chain(" + kFma + ",k=8),k=8,a=" + file + ",b=" + file + ",round=rne)";
  };
  const auto f16 = keys_of(kFma, 8, &formats::f16);
  EXPECT_EQ(f16.at(whole("f16")), f16.at(parts("f16")));
  // Products of bf16 numbers may be less than the least number of f32, and are rounded.
  const auto bf16 = keys_of(kFma, 8, &formats::bf16);
  EXPECT_NE(bf16.at(whole("bf16")), bf16.at(parts("bf16")));
  const auto f32 = keys_of(kFma, 8);
  EXPECT_NE(f32.at("plan:chain(" + kFma + ",k=8)"),
            f32.at("plan:split-k(" + kFma + ",k=8,parts=8)"));
}

}  // namespace
}  // namespace mmaspec::candidates_test
