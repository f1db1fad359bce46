// What a program that uses the installed library looks like: one dot-add.

#include <fmt/format.h>

#include "concrete/dot/model.h"
#include "spec/catalog/instruction.h"

int main() {
  const mmaspec::Instruction mma = mmaspec::find_instruction("hopper/mma.m16n8k16.f32.f16.f16.f32");
  const mmaspec::DotModel model(mma.algorithm, mma.formats);

  mmaspec::DotValues values;
  values.a.assign(16, 0x3c00);  // 1.0
  values.b.assign(16, 0x3c00);
  values.c = 0x3f000000;  // 0.5

  const mmaspec::Integer d = model.run(values);
  fmt::print("{}: 0x{}\n", mma.name(), d.str(0, std::ios_base::hex));
  return d == 0x41840000 ? 0 : 1;  // 16.5
}
