#include "hardware/replay/device/common/program.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

namespace mmaspec::replay {
namespace {

constexpr const char* usage =
    "usage: %s [--device N] < vectors.jsonl > answers.jsonl\n       %s --list\nRuns dot products "
    "on a GPU: reads rows (instr, a, b, c, sa, sb) and writes them with d. See "
    "hardware/replay/README.md.\nExit status: 0 done, 1 the device failed, 2 bad usage or bad "
    "input, 3 no "
    "usable device.\n";

int fail(const Program& program, const std::string& what, int status) {
  std::fprintf(stderr, "%s: %s\n", program.name, what.c_str());
  return status;
}

}  // namespace

int run_program(const Program& program, int argc, char** argv) {
  int index = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--help") {
      std::printf(usage, program.name, program.name);
      return 0;
    }
    if (argument == "--list") {
      for (const std::string& line : program.list()) std::puts(line.c_str());
      return 0;
    }
    char* end = nullptr;
    if (argument == "--device" && i + 1 < argc) {
      index = static_cast<int>(std::strtol(argv[++i], &end, 10));
    }
    if (!end || end == argv[i] || *end) {
      std::fprintf(stderr, usage, program.name, program.name);
      return 2;
    }
  }
  try {
    const std::unique_ptr<Device> device = program.open(index);
    replay(STDIN_FILENO, STDOUT_FILENO, *device);
    return 0;
  } catch (const NoDevice& none) {
    return fail(program, none.what, 3);
  } catch (const InputError& bad) {
    return fail(program, bad.what, 2);
  } catch (const std::exception& failed) {
    return fail(program, failed.what(), 1);
  }
}

}  // namespace mmaspec::replay
