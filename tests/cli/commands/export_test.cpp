// export: the formula and the graph, read by the tools for which they are made.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "queries/draw/samples.h"
#include "spec/catalog/instruction.h"
#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::cli_test::export_test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing::UnorderedElementsAre;

const std::string kVolta = "volta/mma.m8n8k4.f32.f16.f16.f32";

Outcome exported(const std::string& format, const std::string& name = kVolta) {
  Outcome outcome = mmaspec({"export", name, "--format", format});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return outcome;
}

struct Solver {
  std::string program;
  std::vector<std::string> arguments;
};
const std::vector<Solver> kSolvers{{"z3", {"-in"}},
                                   {"cvc5", {"--lang", "smt2", "--produce-models"}}};

std::string fixed(const std::string& symbol, const Integer& value, int width) {
  return "(assert (= " + symbol + " (_ bv" + value.str() + " " + std::to_string(width) + ")))\n";
}

/// The script with fixed inputs, and with d equal or not equal to `d`.
std::string question(const std::string& script, const DotFormats& f, const DotValues& values,
                     const Integer& d, bool equal) {
  std::string facts;
  for (std::size_t k = 0; k < values.a.size(); ++k) {
    const std::string index = "[" + std::to_string(k) + "]|";
    facts += fixed("|a" + index, values.a[k], f.a->storage_bits);
    facts += fixed("|b" + index, values.b[k], f.b->storage_bits);
  }
  facts += fixed("|c|", values.c, f.c->storage_bits);
  std::string claim = fixed("|d|", d, f.d->storage_bits);
  if (!equal) claim = "(assert (not " + claim.substr(8, claim.size() - 10) + "))\n";
  const std::size_t at = script.find("(check-sat)");
  EXPECT_NE(at, std::string::npos);
  return script.substr(0, at) + facts + claim + "(check-sat)\n";
}

TEST(Export, SmtLib2IsTheRelationOfInputsAndResult) {
  const std::string script = exported("smtlib2").out;
  EXPECT_THAT(script, HasSubstr("(set-logic QF_BV)"));
  const Instruction instruction = find_instruction(kVolta);
  const DotFormats& f = instruction.formats;
  const DotModel model(instruction.algorithm, f);
  for (const Solver& solver : kSolvers) {
    if (!has_program(solver.program)) continue;
    SCOPED_TRACE(solver.program);
    const Outcome whole = run_program(solver.program, solver.arguments, {.input = script});
    EXPECT_THAT(whole.out, StartsWith("sat\n")) << whole.err;
    EXPECT_THAT(whole.out, testing::Not(HasSubstr("error")));
    Sampler sampler(f, InputClass::any, 7);
    for (int i = 0; i < 1; ++i) {
      const DotValues values = sampler.next();
      const Integer d = model.run(values);
      const auto answer = [&](bool equal) {
        return run_program(solver.program, solver.arguments,
                           {.input = question(script, f, values, d, equal)})
            .out;
      };
      EXPECT_THAT(answer(true), StartsWith("sat"));
      EXPECT_THAT(answer(false), StartsWith("unsat"));
    }
  }
}

TEST(Export, DotIsAGraphThatGraphvizDraws) {
  const std::string graph = exported("dot").out;
  EXPECT_THAT(graph, StartsWith("digraph"));
  if (!has_program("dot")) return;
  const Outcome picture = run_program("dot", {"-Tsvg"}, {.input = graph});
  EXPECT_EQ(picture.status, 0) << picture.err;
  EXPECT_THAT(picture.out, HasSubstr("<svg"));
}

TEST(Export, JsonHasEachNodeAfterItsArguments) {
  const Json graph = Json::parse(exported("json").out);
  EXPECT_EQ(graph.at("instr"), kVolta);
  EXPECT_EQ(graph.at("k"), 4);
  std::set<int> ids;
  std::size_t inputs = 0;
  for (const Json& node : graph.at("nodes")) {
    for (const Json& argument : node.value("args", Json::array())) {
      EXPECT_TRUE(ids.contains(argument.get<int>())) << node;
    }
    EXPECT_TRUE(ids.insert(node.at("id").get<int>()).second) << node;
    EXPECT_EQ(node.at("range").size(), 2U);
    if (node.at("op") == "input") ++inputs;
  }
  EXPECT_EQ(inputs, 9U);
  EXPECT_TRUE(ids.contains(graph.at("result").get<int>()));
}

TEST(Export, TextEndsWithTheResult) {
  EXPECT_THAT(lines_of(exported("text").out).back(), StartsWith("result n"));
}

TEST(Export, WritesTheSameToAFile) {
  const Folder folder;
  for (const std::string format : {"smtlib2", "dot", "json", "text"}) {
    const std::string file = folder / format;
    const Outcome outcome = mmaspec({"export", kVolta, "--format", format, "--out", file});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(content_of(file), exported(format).out);
  }
  EXPECT_EQ(folder.files(), 4U);
}

TEST(Export, TakesEveryKindOfInstruction) {
  for (const std::string name :
       {"ampere/mma.m8n8k4.f64.f64.f64.f64", "cdna3/v_mfma_f32_32x32x8_f16",
        "design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=4,fraction_bits=30)"}) {
    for (const std::string format : {"smtlib2", "dot", "json", "text"}) {
      const std::string text = exported(format, name).out;
      EXPECT_FALSE(text.empty());
      EXPECT_EQ(exported(format, name).out, text);  // the same in every run
    }
  }
}

TEST(Export, KernelsAreOneTextInTwoDialects) {
  const std::string cuda = exported("cuda").out;
  const std::string opencl = exported("opencl").out;
  EXPECT_THAT(cuda, HasSubstr("__global__"));
  EXPECT_THAT(opencl, HasSubstr("__kernel"));
  const std::string kernel = "\nKERNEL mmaspec_matrix(";
  ASSERT_THAT(cuda, HasSubstr(kernel));
  EXPECT_EQ(cuda.substr(cuda.find(kernel)), opencl.substr(opencl.find(kernel)));
  const Folder folder;
  const auto refused = [](std::vector<std::string> more, const std::string& what) {
    more.insert(more.begin(), {"export", kVolta, "--format", "cuda"});
    const Outcome o = mmaspec(more);
    EXPECT_EQ(o.status, 2);
    EXPECT_THAT(o.err, HasSubstr(what));
  };
  EXPECT_EQ(mmaspec({"export", kVolta, "--format", "cuda", "--out", folder / "k.cu"}).status, 0);
  EXPECT_EQ(content_of(folder / "k.cu"), cuda);
  refused({"--out", folder / "k.cl"}, ".cu");
  refused({"--module", "dot"}, "mmaspec_matrix");
}

TEST(Export, RowsReachTheBinsOfCoverPoints) {
  const std::string kHalf = "design:fused-dot-add(a=f16,b=f16,c=f16,d=f16,k=2,fraction_bits=24)";
  const Folder folder;
  const std::string file = folder / "rows.jsonl";
  const std::vector<std::string> arguments{"export",  kHalf, "--format", "rows",
                                           "--count", "400", "--out",    file};
  ASSERT_EQ(mmaspec(arguments).status, 0);
  const std::string text = content_of(file);
  const std::vector<std::string> lines = lines_of(text);
  ASSERT_EQ(lines.size(), 400U);
  std::map<std::string, std::set<std::string>> bins;
  for (const std::string& line : lines) {
    const Json row = Json::parse(line);
    for (const auto& [point, bin] : row.at("bins").items())
      bins[point].insert(bin.get<std::string>());
  }
  EXPECT_THAT(bins["rounding"], UnorderedElementsAre("not finite", "overflow", "exact",
                                                     "below half", "tie", "above half"));
  EXPECT_THAT(bins["operands"],
              UnorderedElementsAre("nan", "infinity", "subnormal", "zero", "normal"));
  EXPECT_GE(bins["alignment"].size(), 6U);
  EXPECT_GE(bins["cancellation"].size(), 5U);
  // The rows are those that verify reads, with the specified results; equal seeds give equal rows.
  EXPECT_EQ(mmaspec({"verify", file}).status, 0);
  EXPECT_EQ(mmaspec(arguments).status, 0);
  EXPECT_EQ(content_of(file), text);
  std::vector<std::string> other = arguments;
  other.insert(other.end(), {"--seed", "1"});
  EXPECT_EQ(mmaspec(other).status, 0);
  EXPECT_NE(content_of(file), text);
}

TEST(Export, RowsSatisfyAPrecondition) {
  const Outcome o = mmaspec(
      {"export", kVolta, "--format", "rows", "--count", "100", "--where", "normal(a[*]) && d > 0"});
  ASSERT_EQ(o.status, 0) << o.err;
  for (const std::string& line : lines_of(o.out)) {
    const Json bins = Json::parse(line).at("bins");
    EXPECT_THAT(bins.at("d").get<std::string>(), AnyOf("normal", "subnormal", "infinity")) << line;
  }
  expect_refused(
      mmaspec({"export", kVolta, "--format", "rows", "--count", "10", "--where", "c < 0 && c > 1"}),
      {"--where: 0 of ", " drawn inputs satisfy it; --count 10 needs more"});
}

TEST(Export, RowsAreATableToo) {
  const std::vector<std::string> lines =
      lines_of(mmaspec({"export", kVolta, "--format", "csv", "--count", "10"}).out);
  ASSERT_EQ(lines.size(), 11U);
  EXPECT_EQ(lines[0],
            "a0,a1,a2,a3,b0,b1,b2,b3,c,d,operands bin,c bin,signs bin,alignment bin,cancellation "
            "bin,rounding bin,d bin");
  for (const std::string& line : lines) EXPECT_EQ(std::count(line.begin(), line.end(), ','), 16);
  // Integers have no cover points.
  const std::vector<std::string> integers =
      lines_of(mmaspec({"export", "x86/vpdpbusds", "--format", "csv", "--count", "3"}).out);
  EXPECT_EQ(integers.at(0), "a0,a1,a2,a3,b0,b1,b2,b3,c,d");
}

}  // namespace
}  // namespace mmaspec::cli_test::export_test
