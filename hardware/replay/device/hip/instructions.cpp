#include "hardware/replay/device/hip/instructions.h"

#include <unordered_map>

namespace mmaspec::replay::hip {
namespace {

class Table {
 public:
  Table() {
    const char* const any = "gfx908, gfx90a or gfx942";
    const char* const first = "gfx908 or gfx90a";
    const char* const later = "gfx90a or gfx942";
    const char* const third = "gfx942";
    for (const auto& [shape, k, blocks] :
         {Shape{"32x32x1", 1, 2}, Shape{"16x16x1", 1, 4}, Shape{"4x4x1", 1, 16},
          Shape{"32x32x2", 2, 1}, Shape{"16x16x4", 4, 1}}) {
      add("f32_", shape, "f32", "f32", k, blocks, 32, any);
    }
    for (const auto& [shape, k, blocks] :
         {Shape{"32x32x4", 4, 2}, Shape{"16x16x4", 4, 4}, Shape{"4x4x4", 4, 16},
          Shape{"32x32x8", 8, 1}, Shape{"16x16x16", 16, 1}}) {
      add("f32_", shape, "f16", "f16", k, blocks, 16, any);
      add("f32_", shape, "bf16_1k", "bf16", k, blocks, 16, later);
    }
    for (const auto& [shape, k, blocks] :
         {Shape{"32x32x2", 2, 2}, Shape{"16x16x2", 2, 4}, Shape{"4x4x2", 2, 16},
          Shape{"32x32x4", 4, 1}, Shape{"16x16x8", 8, 1}}) {
      add("f32_", shape, "bf16", "", k, blocks, 16, first);
    }
    add("f64_", "16x16x4", "f64", "f64", 4, 1, 64, later);
    add("f64_", "4x4x4", "f64", "f64", 4, 4, 64, later);
    add("f32_", "16x16x8", "_xf32", "", 8, 1, 32, third);
    add("f32_", "32x32x4", "_xf32", "", 4, 1, 32, third);
    for (const std::string a : {"fp8", "bf8"}) {
      for (const std::string b : {"fp8", "bf8"}) {
        add("f32_", "16x16x32", "_" + a + "_" + b, "", 32, 1, 8, third);
        add("f32_", "32x32x16", "_" + a + "_" + b, "", 16, 1, 8, third);
      }
    }
  }

  std::vector<Instruction> all;
  std::unordered_map<std::string, int> by_name;

 private:
  struct Shape {
    const char* shape;
    int k, blocks;
  };

  /// `type` is the suffix of CDNA1 and CDNA2; `third_type`, if not empty, is CDNA3's, which also
  /// names several blocks.
  void add(const std::string& result, const std::string& shape, const std::string& type,
           const std::string& third_type, int k, int blocks, int bits, const char* needs) {
    Instruction added;
    added.operation = result + shape + type;
    added.name = "v_mfma_" + added.operation;
    added.layout.k = k;
    added.layout.a = added.layout.b = Packing::dense(bits);
    added.layout.c_bits = added.layout.d_bits = result == "f64_" ? 64 : 32;
    added.needs = needs;
    const int index = static_cast<int>(all.size());
    by_name.emplace(added.name, index);
    if (!third_type.empty()) {
      by_name.emplace("v_mfma_" + result + shape +
                          (blocks > 1 ? "_" + std::to_string(blocks) + "b_" : "_") + third_type,
                      index);
    }
    all.push_back(added);
  }
};

const Table& table() {
  static const Table the_table;
  return the_table;
}

}  // namespace

const std::vector<Instruction>& instructions() { return table().all; }

int find_instruction(std::string_view instr) {
  const std::size_t slash = instr.find('/');
  if (slash == std::string_view::npos) return -1;
  const std::string mnemonic(instr.substr(slash + 1, instr.find('@') - slash - 1));
  for (const char* const family : {"mma.", "wgmma.", "tcgen05."}) {
    if (mnemonic.rfind(family, 0) == 0) return -2;
  }
  const auto found = table().by_name.find(mnemonic);
  return found == table().by_name.end() ? -1 : found->second;
}

}  // namespace mmaspec::replay::hip
