// A minimal program that uses the installed library: one dot product.

#include <mmaspec/mmaspec.h>

#include <cstdio>

int main() {
  const mmaspec::Unit unit = mmaspec::find_unit("h100/mma.m16n8k16.f32.f16.f16.f32");
  const mmaspec::UnitFormats formats = unit.formats();

  mmaspec::DotProduct x;
  x.a.assign(16, formats.a.encode(1.0));
  x.b.assign(16, formats.b.encode(1.0));
  x.c = formats.c.encode(0.5);

  const std::uint64_t d = mmaspec::evaluate(unit, x);
  std::printf("%s: %s\n", unit.name().c_str(), formats.d.decimal(d).c_str());
  return formats.d.value(d) == 16.5 ? 0 : 1;
}
