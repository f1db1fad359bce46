// `mmaspec replay` as users run it, on devices that are scripts and models.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "util/json.h"

namespace mmaspec::replay_test {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

const std::string kF16 = "hopper/mma.m16n8k16.f32.f16.f16.f32";
const std::string kBf16 = "hopper/mma.m16n8k16.f32.bf16.bf16.f32";
const std::string kData = MMASPEC_TESTS_DIR "/data/replay";

struct Result {
  int status;
  std::string out;
  std::string err;
};

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

class Replay : public testing::Test {
 protected:
  void SetUp() override {
    const char* binary = std::getenv("MMASPEC_BINARY");
    if (binary == nullptr || !fs::exists(binary)) GTEST_SKIP() << "no mmaspec to run";
    binary_ = binary;
    std::string name = fs::temp_directory_path() / "replay-test-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    environment_["MMASPEC_REPLAY_CUDA"] = kData + "/model-device.sh";
    environment_["MMASPEC_TEST_MODEL"] = kF16;
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  Result shell(const std::string& command) const {
    std::string all = "cd '" + folder_.string() + "' && ";
    for (const auto& [key, value] : environment_) {
      all += value == "-" ? "unset " + key + " && " : "export " + key + "='" + value + "' && ";
    }
    all += "{ " + command + "; } >.out 2>.err </dev/null";
    const int state = std::system(all.c_str());
    return {WIFEXITED(state) ? WEXITSTATUS(state) : -1, read(folder_ / ".out"),
            read(folder_ / ".err")};
  }
  Result replay(const std::string& arguments) const {
    return shell("'" + binary_ + "' replay " + arguments);
  }
  void write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
  }
  std::string file(const std::string& name) const { return read(folder_ / name); }

  std::string binary_;
  fs::path folder_;
  std::map<std::string, std::string> environment_;
};

TEST_F(Replay, AModelAgreesWithItself) {
  const Result r = replay("--random 16 " + kF16 +
                          " cdna2/v_mfma_f32_32x32x8f16 --device @khattak-mikaitis --json");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_EQ(Json::parse(r.out)["lacking"], 16);
  const Result same = replay("--random 16 " + kF16 + " --device " + kF16);
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_THAT(same.out, EndsWith("16 passed, 0 failed\n"));
}

TEST_F(Replay, ADisagreementShowsBothTraces) {
  ASSERT_EQ(
      replay("--decide " + kBf16 + " " + kBf16 + "@mma-sim-2025 --dry-run --out v.jsonl").status,
      0);
  const Result r = replay("v.jsonl --device @mma-sim-2025");
  EXPECT_EQ(r.status, 1) << r.err;
  EXPECT_THAT(r.out, HasSubstr("v.jsonl:1"));
  EXPECT_THAT(r.out, HasSubstr("e_max"));
  EXPECT_THAT(r.out, HasSubstr("spec                     device"));
  EXPECT_THAT(r.out, EndsWith("0 passed, 1 failed\n"));
  const Json document = Json::parse(replay("v.jsonl --device @mma-sim-2025 --json").out);
  const Json& shown = document["instructions"][0]["disagreements"][0];
  EXPECT_EQ(document["instructions"][0]["disagreements_left_out"], 0);
  EXPECT_NE(shown["d"], shown["computed"]);
  EXPECT_FALSE(shown["trace"].empty());
  EXPECT_FALSE(shown["device_trace"].empty());
}

TEST_F(Replay, AProgramAnswers) {
  const Result r = replay("--random 16 " + kF16 + " --device cuda --out record.jsonl");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("device a script, driver 1.0"));
  EXPECT_THAT(r.out, EndsWith("16 passed, 0 failed\n"));
  const auto lines = lines_of(file("record.jsonl"));
  ASSERT_EQ(lines.size(), 17U);
  const Json header = Json::parse(lines[0]);
  EXPECT_EQ(header["device"], "a script");
  EXPECT_TRUE(header.contains("date"));
  EXPECT_THAT(header["command"].get<std::string>(), HasSubstr("--random 16"));
  EXPECT_TRUE(Json::parse(lines[1]).contains("d"));
  // The record can be replayed, and can be used as a record.
  const Result again = replay("record.jsonl --recorded record.jsonl");
  EXPECT_EQ(again.status, 0) << again.out << again.err;
  EXPECT_THAT(again.out, EndsWith("16 passed, 0 failed\n"));
}

TEST_F(Replay, WrongResultsOfAProgramAreReported) {
  environment_["MMASPEC_TEST_EDIT"] = "s/\"d\":\"[0-9a-f]*\"/\"d\":\"12345678\"/";
  const Result r = replay("--random 5 " + kF16 + " --device cuda");
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, EndsWith("0 passed, 5 failed\n"));
  environment_["MMASPEC_TEST_EDIT"] = "3s/}$/,\"uneven\":true}/";
  const Result uneven = replay("--random 5 " + kF16 + " --device cuda");
  EXPECT_EQ(uneven.status, 1);
  EXPECT_THAT(uneven.out, HasSubstr("gave different results"));
  EXPECT_THAT(uneven.out, EndsWith("4 passed, 1 failed\n"));
  environment_["MMASPEC_TEST_EDIT"] = "3d";
  const Result short_one = replay("--random 5 " + kF16 + " --device cuda");
  EXPECT_EQ(short_one.status, 2);
  EXPECT_THAT(short_one.err, HasSubstr("answers another row"));
}

TEST_F(Replay, RowsThatTheDeviceCannotRunAreCountedSeparately) {
  environment_["MMASPEC_TEST_EDIT"] = "2,3s/\"d\":\"[0-9a-f]*\"/\"lacks\":\"no tensor cores\"/";
  const Result r = replay("--random 5 " + kF16 + " --device cuda");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("lacking 2: no tensor cores"));
  EXPECT_THAT(r.out, EndsWith("3 passed, 0 failed, 2 lacking\n"));
  const Json document = Json::parse(replay("--random 5 " + kF16 + " --device cuda --json").out);
  EXPECT_EQ(document["lacking"], 2);
  const Result none = replay("--random 5 'design:sequential-fma(k=4)' --device cuda");
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("ran none of the rows"));
}

TEST_F(Replay, AnInstructionUnknownToTheProgramCountsAsMissing) {
  write("device.sh",
        "#!/bin/sh\ncat > rows\nif grep -q bf16 rows; then\n"
        "  echo \"line 1: unknown instruction '" +
            kBf16 +
            "'\" >&2; exit 2\nfi\n"
            "exec '" +
            kData + "/model-device.sh' < rows\n");
  fs::permissions(folder_ / "device.sh", fs::perms::owner_all);
  environment_["MMASPEC_REPLAY_CUDA"] = (folder_ / "device.sh").string();
  const Result r = replay("--random 5 " + kF16 + " " + kBf16 + " --device cuda");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_THAT(r.out, EndsWith("5 passed, 0 failed, 5 lacking\n"));
}

TEST_F(Replay, WithoutADeviceThereIsOneLine) {
  environment_["MMASPEC_TEST_FAIL"] = "3";
  const Result no_gpu = replay("--random 5 " + kF16 + " --device cuda");
  EXPECT_EQ(no_gpu.status, 2);
  EXPECT_EQ(no_gpu.out, "");
  EXPECT_EQ(lines_of(no_gpu.err).size(), 1U);
  EXPECT_THAT(no_gpu.err, HasSubstr("no CUDA-capable device is detected"));
  environment_["MMASPEC_TEST_FAIL"] = "";
  EXPECT_THAT(replay("--random 5 " + kF16 + " --device cuda:7").err, HasSubstr("no device 7"));
  environment_["MMASPEC_REPLAY_CUDA"] = "/nowhere/program";
  EXPECT_EQ(replay("--random 5 " + kF16 + " --device cuda").status, 2);
  if (fs::exists(fs::path(binary_).parent_path() / "mmaspec-replay-hip")) return;
  environment_["MMASPEC_REPLAY_HIP"] = "-";
  environment_["PATH"] = "/nowhere";
  const Result no_program = replay("--random 5 " + kF16 + " --device hip");
  EXPECT_EQ(no_program.status, 2);
  EXPECT_EQ(lines_of(no_program.err).size(), 1U);
  EXPECT_THAT(no_program.err, HasSubstr("mmaspec-replay-hip was not found next to mmaspec"));
}

TEST_F(Replay, ViaPrefixesTheCommand) {
  fs::copy_file(kData + "/model-device.sh", folder_ / "mmaspec-replay-cuda");
  environment_["MMASPEC_REPLAY_CUDA"] = "-";
  environment_["PATH"] = folder_.string() + ":" + std::getenv("PATH");
  for (const char* via : {"'sh -c'", "'env X=1'", "\"sh -c 'exec \\\"\\$0\\\"'\""}) {
    const Result r =
        replay("--random 4 " + kF16 + " --device cuda --via " + via + " --out r.jsonl");
    EXPECT_EQ(r.status, 0) << via << r.out << r.err;
    EXPECT_THAT(r.out, EndsWith("4 passed, 0 failed\n"));
    EXPECT_THAT(Json::parse(lines_of(file("r.jsonl"))[0])["command"].get<std::string>(),
                HasSubstr("--via"));
  }
  const Result none = replay("--random 4 " + kF16 + " --device cuda --via /nowhere/ssh");
  EXPECT_EQ(none.status, 2);
  EXPECT_EQ(lines_of(none.err).size(), 1U);
  EXPECT_EQ(replay("--random 4 " + kF16 + " --device " + kF16 + " --via 'ssh host'").status, 2);
}

TEST_F(Replay, RecordsOfOtherRowsAreRefused) {
  ASSERT_EQ(replay("--random 4 " + kF16 + " --dry-run --out v.jsonl").status, 0);
  ASSERT_EQ(replay("v.jsonl --device cuda --out good.jsonl").status, 0);
  const auto good = lines_of(file("good.jsonl"));
  ASSERT_EQ(good.size(), 5U);
  const auto recorded = [&](const std::vector<std::string>& lines) {
    write("record.jsonl", joined(lines));
    return replay("v.jsonl --recorded record.jsonl");
  };
  EXPECT_EQ(recorded(good).status, 0);
  const auto refused = [&](const std::vector<std::string>& lines, const std::string& why) {
    const Result r = recorded(lines);
    EXPECT_EQ(r.status, 2) << why;
    EXPECT_EQ(r.out, "") << why;
    EXPECT_THAT(r.err, HasSubstr(why));
    EXPECT_EQ(lines_of(r.err).size(), 1U) << r.err;
  };
  refused({good[0], good[2], good[1], good[3], good[4]}, "record.jsonl:2: it answers another row");
  refused({good[0], good[1], good[2], good[3]}, "3 rows answered of the 4 asked");
  refused({good[0]}, "0 rows answered");
  refused({}, "0 rows answered");
  refused({good[0], good[1], good[2], good[3], good[4], good[4]}, "more answers than the 4 rows");
  refused({good[0], good[1].substr(0, 40), good[2]}, "record.jsonl:2: malformed JSON");
  refused({good[0], good[1], "[1]", good[3]}, "record.jsonl:3: not a JSON object");
  refused({good[0], good[0], good[1], good[2], good[3], good[4]}, "record.jsonl:2");
  refused(lines_of(file("v.jsonl")), "neither \"d\" nor \"lacks\"");
  auto wide = Json::parse(good[2]);
  wide["d"] = "123456789";
  refused({good[0], good[1], wide.dump()}, "\"d\" has 9 hexadecimal digits");

  const Result headless = recorded({good[1], good[2], good[3], good[4]});
  EXPECT_EQ(headless.status, 0);
  EXPECT_THAT(headless.err, HasSubstr("has no header"));
  EXPECT_EQ(replay("v.jsonl --recorded nowhere.jsonl").status, 2);
  EXPECT_EQ(replay("v.jsonl --recorded good.jsonl --device cuda").status, 2);
  // The kept record is the given one.
  ASSERT_EQ(replay("v.jsonl --recorded good.jsonl --out kept.jsonl").status, 0);
  EXPECT_EQ(file("kept.jsonl"), file("good.jsonl"));
}

TEST_F(Replay, ChainsRunLinkByLink) {
  const std::string pair = "design:exact-dot-add(k=32)";
  ASSERT_EQ(shell("'" + binary_ + "' diff " + kF16 + " '" + pair + "' --out w.jsonl").status, 1);
  const Json row = Json::parse(lines_of(file("w.jsonl"))[0]);
  ASSERT_EQ(row["a"].get<std::string>().size(), 32 * 5 - 1U);
  const Result program = replay("w.jsonl --device cuda");
  EXPECT_EQ(program.status, 0) << program.out << program.err;
  const Result model = replay("w.jsonl --device '" + pair + "'");
  EXPECT_EQ(model.status, 1) << model.out << model.err;
  EXPECT_THAT(model.out, HasSubstr("the device's answer equals that of design:exact-dot-add"));
}

TEST_F(Replay, DecideFindsTheModelOfTheDevice) {
  const std::vector<std::string> rivals{
      kF16, kF16 + "@mma-sim-2025",
      "design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=16,fraction_bits=24,floor=-133)"};
  std::string all;
  for (const std::string& r : rivals) all += " '" + r + "'";
  ASSERT_EQ(replay("--decide" + all + " --dry-run --out v.jsonl").status, 0);
  for (const std::string& line : lines_of(file("v.jsonl"))) {
    EXPECT_EQ(Json::parse(line)["answers"].size(), 3U);
    EXPECT_EQ(Json::parse(line)["instr"], kF16);
    EXPECT_FALSE(Json::parse(line).contains("d"));
  }
  for (const std::string& device : rivals) {
    const Result r = replay("--decide" + all + " --device '" + device + "'");
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.out, EndsWith("survives: " + device + "\n"));
    environment_["MMASPEC_TEST_MODEL"] = device;
    EXPECT_THAT(replay("--decide" + all + " --device cuda").out,
                EndsWith("survives: " + device + "\n"));
    // The result is the same without questions, from the vectors only.
    const Json document = Json::parse(replay("v.jsonl --device cuda --json").out);
    for (const Json& rival : document["questions"][0]["rivals"]) {
      EXPECT_EQ(rival["survives"].get<bool>(), rival["name"] == device);
    }
  }
  environment_["MMASPEC_TEST_EDIT"] = "s/\"d\":\"[0-9a-f]*\"/\"d\":\"12345678\"/";
  const Result none = replay("--decide" + all + " --device cuda");
  EXPECT_EQ(none.status, 1) << none.out;
  EXPECT_THAT(none.out, EndsWith("no model survives\n"));
}

TEST_F(Replay, DecideReportsEqualModels) {
  const std::string same =
      "design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=16,fraction_bits=25,floor=-133)";
  const Result r = replay("--decide " + kF16 + " '" + same + "' --device " + kF16);
  EXPECT_THAT(r.out, HasSubstr("they never do"));
  EXPECT_EQ(replay("--decide " + kF16 + " --device " + kF16).status, 2);
  EXPECT_EQ(replay("--decide " + kF16 + " " + kBf16 + " --device " + kF16).status, 2);
  EXPECT_EQ(replay("--decide " + kF16 + " " + kF16 + " --device " + kF16).status, 2);
}

TEST_F(Replay, BadUsageIsOneLineAndStatusTwo) {
  write("bad.jsonl", "{\"instr\":\"" + kF16 + "\"}\n");
  for (const char* arguments :
       {"", "nowhere.jsonl --device cuda", "bad.jsonl --device cuda", "--random 3",
        "--random 0 x --device cuda", "--random 3 hopper/nothing --device cuda",
        "--random 3 --decide a b --device cuda", "--random 3 --questions --bundle b",
        "--questions nowhere --dry-run", "--questions cdna1 --dry-run", "--questions",
        "bad.jsonl --device cuda:x", "bad.jsonl --device nothing", "bad.jsonl --device @nothing",
        "--bundle b --device cuda", "--questions --out /nowhere/x.jsonl"}) {
    const Result r = replay(arguments);
    EXPECT_EQ(r.status, 2) << arguments << "\n" << r.out;
    EXPECT_EQ(lines_of(r.err).size(), 1U) << arguments << "\n" << r.err;
    EXPECT_EQ(r.out, "") << arguments;
  }
  write("empty.jsonl", "");
  EXPECT_EQ(
      replay("empty.jsonl --device " + kF16).out.find("0 passed, 0 failed\n") == std::string::npos,
      false);
}

TEST_F(Replay, ABundleRunsAnywhere) {
  ASSERT_EQ(replay("--random 3 " + kF16 + " --out a.jsonl").status, 0);
  ASSERT_EQ(replay("--random 2 " + kF16 + " --out b.jsonl").status, 0);
  environment_["MMASPEC_REPLAY_SOURCES"] = MMASPEC_SOURCE_DIR;
  const Result made = replay("a.jsonl b.jsonl --bundle bundle");
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_FALSE(fs::exists(folder_ / "bundle.tmp"));
  for (const char* part :
       {"run.sh", "README.md", "sources/hardware/replay/device/common/replay.cpp",
        "sources/hardware/replay/device/cuda/build.sh",
        "sources/hardware/replay/device/cuda/main.cu",
        "sources/hardware/replay/device/hip/build.sh",
        "sources/hardware/replay/device/hip/mfma.hip", "vectors/01-a.jsonl", "vectors/02-b.jsonl",
        "vectors/03-open-questions.jsonl"}) {
    EXPECT_TRUE(fs::exists(folder_ / "bundle" / part)) << part;
  }
  EXPECT_EQ(lines_of(file("bundle/vectors/01-a.jsonl")).size(), 3U);
  EXPECT_EQ(shell("bash -n bundle/run.sh").status, 0);
  EXPECT_EQ(shell("command -v shellcheck >/dev/null || exit 0; shellcheck bundle/run.sh").status,
            0);
  EXPECT_THAT(replay("a.jsonl --bundle bundle").err, HasSubstr("exists already"));

  // On the other machine there is a compiler, and no mmaspec. It has only one instruction.
  fs::remove(folder_ / "bundle/vectors/03-open-questions.jsonl");
  environment_["NVCC"] = kData + "/nvcc";
  environment_["MMASPEC_TEST_DEVICE"] = kData + "/model-device.sh";
  const Result ran = shell("./bundle/run.sh cuda");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(Json::parse(lines_of(file("bundle/results.jsonl"))[0]).contains("date"));
  const Result compared = replay("bundle/vectors/*.jsonl --recorded bundle/results.jsonl");
  EXPECT_EQ(compared.status, 0) << compared.out << compared.err;
  EXPECT_THAT(compared.out, EndsWith("5 passed, 0 failed\n"));

  fs::remove(folder_ / "bundle/results.jsonl");
  environment_["MMASPEC_TEST_FAIL"] = "3";
  EXPECT_EQ(shell("./bundle/run.sh cuda").status, 3);
  EXPECT_FALSE(fs::exists(folder_ / "bundle/results.jsonl"));
  EXPECT_FALSE(fs::exists(folder_ / "bundle/results.jsonl.tmp"));
  EXPECT_EQ(shell("./bundle/run.sh vulkan").status, 2);
}

TEST_F(Replay, TheDefaultBundleHoldsTheQuestionsAboutHopper) {
  environment_["MMASPEC_REPLAY_SOURCES"] = MMASPEC_SOURCE_DIR;
  const Result made = replay("--bundle bundle --json");
  ASSERT_EQ(made.status, 0) << made.err;
  std::set<std::string> drawn;
  for (const std::string& line : lines_of(file("bundle/vectors/01-random.jsonl"))) {
    const Json request = Json::parse(line);
    EXPECT_EQ(request["drawn"], "1000000");
    drawn.insert(request["instr"].get<std::string>());
  }
  const auto listed = lines_of(shell("'" + binary_ + "' list --arch hopper --json").out);
  EXPECT_EQ(drawn.size(), listed.size());
  for (const std::string& line : listed) EXPECT_EQ(drawn.count(Json::parse(line)["instr"]), 1U);
  std::set<std::string> questions;
  const auto open = lines_of(file("bundle/vectors/02-open-questions.jsonl"));
  for (const std::string& line : open) {
    questions.insert(Json::parse(line)["question"].get<std::string>());
  }
  EXPECT_THAT(questions, testing::ElementsAre("1", "2", "3", "4", "5"));
  EXPECT_EQ(Json::parse(made.out)["rows"], 1000000 * listed.size() + open.size());
  // All sources of the device programs are included.
  const Result compiled = shell(
      "command -v c++ >/dev/null || exit 0; c++ -std=c++17 -fsyntax-only -I bundle/sources "
      "bundle/sources/hardware/replay/device/common/replay.cpp");
  EXPECT_EQ(compiled.status, 0) << compiled.err;
}

// 2048 rows of each instruction of Hopper, and of FP8 mma.sync as CUDA 12.6 assembles it.
TEST_F(Replay, DrawnRowsOfAnH100Agree) {
  for (const auto& [name, rows] :
       {std::pair{"hopper-h100", 96 * 2048}, std::pair{"hopper-h100-cuda-12.6", 4 * 2048}}) {
    const std::string file = MMASPEC_TESTS_DIR "/data/hardware/drawn/" + std::string(name);
    const Result compared = replay(file + ".jsonl.gz --recorded " + file + ".jsonl.gz");
    EXPECT_EQ(compared.status, 0) << compared.err;
    EXPECT_THAT(compared.out, EndsWith(std::to_string(rows) + " passed, 0 failed\n"));
  }
}

TEST_F(Replay, DrawnRowsAreComparedWhileTheyArrive) {
  const std::string fp8 = "hopper/wgmma.m64n8k32.f32.e4m3.e5m2";
  environment_["MMASPEC_REPLAY_SOURCES"] = MMASPEC_SOURCE_DIR;
  ASSERT_EQ(replay("--bundle bundle --random 5000 --seed 3 " + kBf16 + " " + fp8 +
                   " blackwell/tcgen05.mma.block_scale.m128n8k32.block32.f32.e4m3.e4m3.ue8m0")
                .status,
            0);
  const auto vectors = lines_of(file("bundle/vectors/01-random.jsonl"));
  ASSERT_EQ(vectors.size(), 5002U) << "rows with scale factors are written down";
  write("bundle/vectors/01-random.jsonl", vectors[5000] + "\n" + vectors[5001] + "\n");
  fs::remove(folder_ / "bundle/vectors/02-open-questions.jsonl");
  environment_["NVCC"] = kData + "/nvcc";
  environment_["MMASPEC_TEST_DEVICE"] = kData + "/model-device.sh";
  environment_["MMASPEC_TEST_MODEL"] = "@mma-sim-2025";
  ASSERT_EQ(shell("./bundle/run.sh cuda").status, 0);
  const auto results = lines_of(file("bundle/results.jsonl"));
  ASSERT_EQ(results.size(), 5U) << "a header, and two lines for 5000 rows";
  const std::string compare = "bundle/vectors/01-random.jsonl --recorded ";
  const Result compared = replay(compare + "bundle/results.jsonl --out kept.jsonl --json");
  EXPECT_EQ(compared.status, 1) << "MMA-Sim differs where zeros stand beside huge numbers";
  const Json document = Json::parse(compared.out);
  EXPECT_EQ(document["passed"].get<int>() + document["failed"].get<int>(), 10000);
  EXPECT_EQ(file("kept.jsonl"), file("bundle/results.jsonl"));
  const Json& first = document["instructions"][0];
  EXPECT_EQ(first["disagreements"].size(), 3U);
  EXPECT_EQ(first["disagreements_left_out"], first["failed"].get<int>() - 3);
  const Json& shown = first["disagreements"][0];
  EXPECT_THAT(shown["where"].get<std::string>(), HasSubstr("seed 3, row "));
  EXPECT_NE(shown["d"], shown["computed"]);
  // The row shown is the one that differs.
  write("row.jsonl", shown.dump() + "\n");
  EXPECT_EQ(shell("'" + binary_ + "' verify --variant mma-sim-2025 row.jsonl").status, 0);
  EXPECT_EQ(shell("'" + binary_ + "' verify row.jsonl").status, 1);
  // The models give the same here, and a record can be replayed.
  for (const char* rows : {"bundle/vectors/01-random.jsonl", "kept.jsonl"}) {
    for (const char* device : {"@mma-sim-2025", "cuda"}) {
      const Json here = Json::parse(replay(std::string(rows) + " --json --device " + device).out);
      EXPECT_EQ(here["failed"], document["failed"]) << rows << device;
      EXPECT_EQ(here["passed"], document["passed"]) << rows << device;
    }
  }
  EXPECT_THAT(replay(compare + "kept.jsonl --jobs 1").out,
              EndsWith(std::to_string(document["failed"].get<int>()) + " failed\n"));
  ASSERT_EQ(replay("bundle/vectors/01-random.jsonl --device " + kBf16 + " --out bf16.jsonl").status,
            0);
  EXPECT_THAT(replay(compare + "bf16.jsonl").out,
              EndsWith("5000 passed, 0 failed, 5000 lacking\n"));

  const auto refused = [&](const std::vector<std::string>& lines, const std::string& why) {
    write("record.jsonl", joined(lines));
    const Result r = replay(compare + "record.jsonl");
    EXPECT_EQ(r.status, 2) << why;
    EXPECT_THAT(r.err, HasSubstr(why));
    EXPECT_EQ(lines_of(r.err).size(), 1U) << r.err;
  };
  refused({results[0], results[1], results[2], results[3]}, "4096 answered of the 5000 rows drawn");
  refused({results[0], results[2], results[1]}, "record.jsonl:2: it answers row 4096 of 5000");
  refused({results[0], results[1], results[1]}, "but row 4096 is next");
  refused({results[0], results[1], results[2], results[2]},
          "not requested, or were answered before");
  Json other = Json::parse(results[1]);
  other["seed"] = "4";
  refused({results[0], other.dump()}, "record.jsonl:2: it answers 5000 rows drawn");
  other["a"] = "e4m3";
  refused({results[0], other.dump()}, "but the instruction has e8m7");
  Json wide = Json::parse(results[1]);
  wide["d"] = "123456789";
  refused({results[0], wide.dump()}, "a pattern of f32 has 8");
  wide.erase("d");
  refused({results[0], wide.dump()}, "\"d\" of random rows is missing");
  write("rows.jsonl", "");
  EXPECT_EQ(replay("rows.jsonl --recorded bundle/results.jsonl").status, 2);
  Json uneven = Json::parse(results[2]);
  uneven["uneven"] = "4096 4097";
  write("record.jsonl", joined({results[0], results[1], uneven.dump(), results[3], results[4]}));
  EXPECT_EQ(Json::parse(replay(compare + "record.jsonl --json").out)["instructions"][0]["uneven"],
            2);
}

TEST_F(Replay, ABundleIsWrittenCompletelyOrNotAtAll) {
  environment_["MMASPEC_REPLAY_SOURCES"] = folder_.string();
  EXPECT_EQ(replay("--bundle bundle").status, 2);
  environment_["MMASPEC_REPLAY_SOURCES"] = MMASPEC_SOURCE_DIR;
  EXPECT_EQ(replay("nowhere.jsonl --bundle bundle").status, 2);
  EXPECT_EQ(replay("--bundle /proc/bundle").status, 2);
  EXPECT_FALSE(fs::exists(folder_ / "bundle"));
  EXPECT_FALSE(fs::exists(folder_ / "bundle.tmp"));
}

}  // namespace
}  // namespace mmaspec::replay_test
