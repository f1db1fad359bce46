#include "hardware/replay/host/bundle.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace mmaspec {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReadme = R"md(# Vectors for a GPU

    ./run.sh

builds the program for this machine's GPU with CUDA (nvcc) or ROCm (hipcc), runs every file in vectors/ in the order of
their names, and writes results.jsonl. The first line of that file describes the device. Each further line is a row with
the device's answer `d`, or with the reason why the device lacks the instruction (`lacks`). `./run.sh cuda` or `./run.sh hip` chooses the platform.
The build's settings are in sources/hardware/replay/device/cuda/build.sh and sources/hardware/replay/device/hip/build.sh.

A line of the vectors with `drawn` stands for that many random rows. The program generates them itself
(sources/concrete/rows/drawn_rows.h). A line of results holds the results of some thousand rows; a million rows take some ten
megabytes. You can send results.jsonl unchanged or as results.jsonl.gz.

On a machine with MMA-Spec:

    mmaspec replay concrete/rows/*.jsonl --recorded results.jsonl

This compares the answers with the specification, and prints which hypotheses about the hardware survive. Without
MMA-Spec, `sources/hardware/replay/device/questions.py < results.jsonl` prints the hypotheses.
)md";

bool has_sources(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "hardware/replay/device/cuda/build.sh", error) &&
         fs::is_regular_file(folder / "hardware/replay/device/hip/build.sh", error) &&
         fs::is_regular_file(folder / "concrete/rows/drawn_rows.h", error) &&
         fs::is_directory(folder / "hardware/replay/device/common", error);
}

void write(const fs::path& path, const std::string& content) {
  std::ofstream out(path, std::ios::binary);
  out << content;
  out.close();
  if (!out) throw std::runtime_error("cannot write " + path.string());
}

void make_executable(const fs::path& path) {
  fs::permissions(path, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add);
}

void fill(const fs::path& folder, const fs::path& sources, const std::vector<BundleFile>& vectors) {
  const fs::path copies = folder / "sources";
  fs::create_directories(folder / "vectors");
  fs::create_directories(copies / "concrete/rows");
  fs::create_directories(copies / "hardware/replay/device");
  fs::copy_file(sources / "concrete/rows/drawn_rows.h", copies / "concrete/rows/drawn_rows.h");
  for (const char* part : {"common", "cuda", "hip"}) {
    fs::copy(sources / "hardware/replay/device" / part, copies / "hardware/replay/device" / part,
             fs::copy_options::recursive);
  }
  for (const char* script : {"cuda/build.sh", "hip/build.sh"}) {
    make_executable(copies / "hardware/replay/device" / script);
  }
  if (fs::exists(sources / "hardware/replay/device/questions.py")) {
    fs::copy_file(sources / "hardware/replay/device/questions.py",
                  copies / "hardware/replay/device/questions.py");
    make_executable(copies / "hardware/replay/device/questions.py");
  }
  std::size_t number = 0;
  for (const BundleFile& file : vectors) {
    const std::string digits = std::to_string(++number);
    const std::string name =
        std::string(digits.size() < 2 ? "0" : "") + digits + "-" + file.name + ".jsonl";
    write(folder / "vectors" / name, file.content);
  }
  write(folder / "README.md", kReadme);
  write(folder / "run.sh", kBundleScript);
  make_executable(folder / "run.sh");
}

}  // namespace

const char* const kBundleScript = R"sh(#!/bin/sh
# Runs the vectors of this folder on this machine's GPU: run.sh [cuda|hip], results in results.jsonl beside this script.
# Needs CUDA (nvcc) or ROCm (hipcc) alone; settings: see sources/hardware/replay/device/*/build.sh.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

has() { command -v "$1" >/dev/null 2>&1; }
has_cuda() { [ -n "${NVCC:-}" ] || has nvcc || [ -x "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" ]; }
has_hip() { [ -n "${HIPCC:-}" ] || has hipcc || [ -x "${ROCM_PATH:-/opt/rocm}/bin/hipcc" ]; }

kind=${1:-}
if [ -z "$kind" ]; then
  if has_cuda && { ! has_hip || ! [ -e /dev/kfd ]; }; then
    kind=cuda
  elif has_hip; then
    kind=hip
  else
    echo "run.sh: neither nvcc (CUDA) nor hipcc (ROCm) was found" >&2
    exit 2
  fi
fi
case $kind in
  cuda | hip) ;;
  *) echo "run.sh: '$kind': expected cuda or hip" >&2; exit 2 ;;
esac

program=$here/mmaspec-replay-$kind
results=$here/results.jsonl
trap 'rm -f "$program.tmp" "$results.tmp" "$results.new"' EXIT
echo "run.sh: building $program" >&2
"$here/sources/hardware/replay/device/$kind/build.sh" "$program.tmp"
mv "$program.tmp" "$program"

set -- "$here"/vectors/*.jsonl
echo "run.sh: running $# files of vectors" >&2
cat "$@" | "$program" > "$results.tmp"
# The header is the first line; the date and the command belong into it.
date=$(date -u +%Y-%m-%dT%H:%M:%SZ)
sed "1s/}\$/,\"date\":\"$date\",\"command\":\"run.sh $kind\"}/" "$results.tmp" > "$results.new"
mv "$results.new" "$results"
echo "run.sh: wrote $results" >&2
)sh";

std::string find_replay_sources(const std::string& source_tree) {
  if (const char* given = std::getenv("MMASPEC_REPLAY_SOURCES"); given != nullptr) {
    if (has_sources(given)) return given;
    throw std::runtime_error(std::string("$MMASPEC_REPLAY_SOURCES is '") + given +
                             "', which does not contain hardware/replay/device/cuda/build.sh");
  }
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path installed = self.parent_path().parent_path() / "share" / "mmaspec";
    if (has_sources(installed)) return installed;
  }
  if (!source_tree.empty() && has_sources(source_tree)) return source_tree;
  throw std::runtime_error(
      "the sources of the device programs were not found: neither share/mmaspec/hardware/replay "
      "next to "
      "this program's folder nor $MMASPEC_REPLAY_SOURCES");
}

namespace {

fs::path without_end(const std::string& folder) {
  const fs::path target = fs::path(folder).lexically_normal();
  return target.has_filename() ? target : target.parent_path();  // DIR/
}

}  // namespace

void require_no_bundle(const std::string& folder) {
  const fs::path target = without_end(folder);
  const auto is_there = [](const fs::path& path) {
    std::error_code error;
    return fs::exists(fs::symlink_status(path, error));
  };
  if (target.empty() || is_there(target)) {
    throw std::runtime_error("--bundle: " + folder + " exists already");
  }
  if (is_there(target.string() + ".tmp")) {
    throw std::runtime_error("--bundle: " + target.string() +
                             ".tmp remains from an earlier run; remove it");
  }
  const fs::path parent = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (access(parent.c_str(), W_OK | X_OK) != 0) {
    throw std::runtime_error("--bundle: cannot write " + target.string() + ": " +
                             std::strerror(errno));
  }
}

void write_bundle(const std::string& folder, const std::string& sources,
                  const std::vector<BundleFile>& vectors) {
  require_no_bundle(folder);
  const fs::path target = without_end(folder);
  const fs::path temporary = target.string() + ".tmp";
  try {
    fill(temporary, sources, vectors);
    fs::rename(temporary, target);
  } catch (const fs::filesystem_error& error) {
    std::error_code ignored;
    fs::remove_all(temporary, ignored);
    throw std::runtime_error("--bundle: cannot write " + target.string() + ": " +
                             error.code().message());
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(temporary, ignored);
    throw;
  }
}

}  // namespace mmaspec
