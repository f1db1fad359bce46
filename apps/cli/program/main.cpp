#include "apps/cli/program/program.h"

int main(int argc, char** argv) {
  return mmaspec::cli::run_program(argc, argv, "mmaspec " MMASPEC_VERSION);
}
