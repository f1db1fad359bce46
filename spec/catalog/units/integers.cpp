// Integer instructions of tensor cores, matrix cores and CPUs.

#include <deque>

#include "spec/algorithms/vector/integer_dot_add.h"
#include "spec/catalog/parameter_sets.h"

namespace mmaspec {
namespace {

Algorithm make_wrapping(const DotFormats& formats, std::string_view) {
  return IntegerDotAdd{IntegerOverflow::wrap, formats.k};
}

Algorithm make_saturating(const DotFormats& formats, std::string_view) {
  return IntegerDotAdd{IntegerOverflow::saturate, formats.k};
}

std::vector<Provenance> wrapping(const DotFormats& formats, Evidence evidence,
                                 const std::string& source) {
  return all_from(make_wrapping(formats, ""), evidence, source);
}

/// For manuals that do not say how many products are added before the sum saturates.
std::vector<Provenance> saturating(const DotFormats& formats, Evidence evidence,
                                   const std::string& source, const std::string& of_group) {
  std::vector<Provenance> all = all_from(make_saturating(formats, ""), evidence, source);
  if (of_group.empty()) return all;
  for (Provenance& p : all) {
    if (p.parameter == "group") p = {p.parameter, Evidence::open, of_group};
  }
  return all;
}

// NVIDIA

const std::string kPtx =
    "NVIDIA PTX ISA, mma, wgmma.mma_async and tcgen05.mma, integer operations: ";

std::vector<Provenance> nvidia_sources(const DotFormats& formats, std::string_view) {
  return wrapping(formats, Evidence::documented,
                  kPtx + "without .satfinite the accumulated value is wrapped");
}

std::vector<Provenance> nvidia_satfinite_sources(const DotFormats& formats, std::string_view) {
  return saturating(formats, Evidence::documented,
                    kPtx + "with .satfinite it is limited to MIN_INT32..MAX_INT32 on overflow",
                    "the manual does not say where; taken: once, of the exact sum");
}

const std::string kIntegersOfH100 = "results of an H100 (docs/replay.md); ";

std::vector<Provenance> hopper_sources(const DotFormats& formats, std::string_view) {
  return wrapping(formats, Evidence::hardware, kIntegersOfH100 + "NVIDIA PTX ISA");
}

std::vector<Provenance> hopper_satfinite_sources(const DotFormats& formats, std::string_view) {
  return saturating(formats, Evidence::hardware, kIntegersOfH100 + "NVIDIA PTX ISA", "");
}

// AMD

const std::string kRocjitsuIntegers =
    "rocjitsu (ROCm/rocm-systems, emulation/rocjitsu, isa/arch/amdgpu/shared/mma): ";

std::vector<Provenance> mfma_sources(const DotFormats& formats, std::string_view) {
  return wrapping(formats, Evidence::emulator,
                  kRocjitsuIntegers + "i8 MFMA adds in 32 bits, which wrap");
}

std::vector<Provenance> wmma_sources(const DotFormats& formats, std::string_view) {
  return wrapping(formats, Evidence::emulator,
                  kRocjitsuIntegers +
                      "without CLAMP integer WMMA keeps the sum's 32 lowest bits; NEG_LO "
                      "says which operand is signed");
}

std::vector<Provenance> recorded_wmma_sources(const DotFormats& formats, std::string_view) {
  return wrapping(formats, Evidence::hardware,
                  "results of a gfx1151 (tests/data/hardware/rdna3.5-gfx1151.jsonl.gz)");
}

std::vector<Provenance> wmma_clamp_sources(const DotFormats& formats, std::string_view) {
  return saturating(formats, Evidence::emulator,
                    kRocjitsuIntegers +
                        "with CLAMP integer WMMA clamps the exact sum, once; NEG_LO says "
                        "which operand is signed",
                    "");
}

// x86

const std::string kIntegersOfEpyc =
    "results of an AMD EPYC (family 25, model 17), tests/data/hardware/x86-integers-epyc.jsonl; ";

std::vector<Provenance> vnni_sources(const DotFormats& formats, std::string_view) {
  return wrapping(formats, Evidence::hardware,
                  kIntegersOfEpyc + "Intel SDM volume 2, VPDPBUSD and VPDPWSSD");
}

std::vector<Provenance> vnni_saturating_sources(const DotFormats& formats, std::string_view) {
  return saturating(formats, Evidence::hardware,
                    kIntegersOfEpyc + "Intel SDM volume 2, VPDPBUSDS and VPDPWSSDS", "");
}

std::vector<Provenance> amx_integer_sources(const DotFormats& formats, std::string_view) {
  return wrapping(formats, Evidence::documented,
                  "Intel SDM volume 2, TDPBSSD, TDPBSUD, TDPBUSD and TDPBUUD");
}

std::vector<Provenance> ace_integer_sources(const DotFormats& formats, std::string_view) {
  return wrapping(formats, Evidence::emulator,
                  "Bochs, cpu/avx/amx_top.cc, top4b_execute(), after section 14.4 of the "
                  "specification of ACE v1");
}

const ParameterSet kInteger = {"integer", make_wrapping, nvidia_sources, no_variants};
const ParameterSet kIntegerSatfinite = {"integer-satfinite", make_saturating,
                                        nvidia_satfinite_sources, no_variants};
const ParameterSet kHopperInteger = {"hopper-integer", make_wrapping, hopper_sources, no_variants};
const ParameterSet kHopperIntegerSatfinite = {"hopper-integer-satfinite", make_saturating,
                                              hopper_satfinite_sources, no_variants};
const ParameterSet kMfma = {"mfma-integer", make_wrapping, mfma_sources, no_variants};
const ParameterSet kWmma = {"wmma-integer", make_wrapping, wmma_sources, no_variants};
const ParameterSet kRecordedWmma = {"wmma-integer-recorded", make_wrapping, recorded_wmma_sources,
                                    no_variants};
const ParameterSet kWmmaClamp = {"wmma-integer-clamp", make_saturating, wmma_clamp_sources,
                                 no_variants};
const ParameterSet kVnni = {"x86-vnni", make_wrapping, vnni_sources, no_variants};
const ParameterSet kVnniSaturating = {"x86-vnni-saturating", make_saturating,
                                      vnni_saturating_sources, no_variants};
const ParameterSet kAmxIntegers = {"x86-amx-integer", make_wrapping, amx_integer_sources,
                                   no_variants};

const ParameterSet kAceIntegers = {"x86-ace-integer", make_wrapping, ace_integer_sources,
                                   no_variants};

/// Rows whose mnemonics are composed from formats; the object owns them.
class Rows {
 public:
  std::vector<CatalogueRow> all;

  /// For signed and unsigned operands of this many bits: BEFORE BETWEEN A.B AFTER, without spaces.
  void add(std::string_view architecture, const std::string& before, const std::string& between,
           int bits, const std::string& after, const ParameterSet& parameters) {
    const std::string width = std::to_string(bits);
    for (const std::string& a : {"s" + width, "u" + width}) {
      for (const std::string& b : {"s" + width, "u" + width}) {
        mnemonics_.push_back(before + between + a + "." + b + after);
        all.push_back({architecture, mnemonics_.back(), &parameters});
      }
    }
  }

 private:
  std::deque<std::string> mnemonics_;
};

/// mma.SHAPE[.satfinite].s32.A.B.s32; wgmma and tcgen05.mma without the last type.
void add_nvidia(Rows& rows) {
  const auto add = [&](std::string_view architecture, const std::string& shape, int bits,
                       const std::string& after) {
    const bool hopper = architecture == "hopper";
    rows.add(architecture, shape, ".s32.", bits, after, hopper ? kHopperInteger : kInteger);
    rows.add(architecture, shape, ".satfinite.s32.", bits, after,
             hopper ? kHopperIntegerSatfinite : kIntegerSatfinite);
  };
  for (const std::string_view architecture :
       {"turing", "ampere", "ada", "hopper", "blackwell", "rtx-blackwell"}) {
    add(architecture, "mma.m8n8k16", 8, ".s32");
    if (architecture != "turing") {
      add(architecture, "mma.m16n8k16", 8, ".s32");
      add(architecture, "mma.m16n8k32", 8, ".s32");
    }
    add(architecture, "mma.m8n8k32", 4, ".s32");
    if (architecture != "turing") {
      add(architecture, "mma.m16n8k32", 4, ".s32");
      add(architecture, "mma.m16n8k64", 4, ".s32");
    }
  }
  add("hopper", "wgmma.m64n8k32", 8, "");
  add("blackwell", "tcgen05.mma.m64n8k32", 8, "");
}

/// v_wmma_i32_SHAPE_iuN.A.B[.clamp]: NEG_LO makes A and B signed, CLAMP saturates.
void add_wmma(Rows& rows) {
  const auto add = [&](std::string_view architecture, const std::string& name, int bits) {
    rows.add(architecture, name, ".", bits, "", kWmma);
    rows.add(architecture, name, ".", bits, ".clamp", kWmmaClamp);
  };
  add("cdna5", "v_wmma_i32_16x16x64_iu8", 8);
  for (const std::string_view architecture : {"rdna3", "rdna3.5", "rdna4"}) {
    if (architecture == "rdna3.5") {
      rows.add(architecture, "v_wmma_i32_16x16x16_iu8", ".", 8, "", kRecordedWmma);
      rows.add(architecture, "v_wmma_i32_16x16x16_iu8", ".", 8, ".clamp", kWmmaClamp);
    } else {
      add(architecture, "v_wmma_i32_16x16x16_iu8", 8);
    }
    add(architecture, "v_wmma_i32_16x16x16_iu4", 4);
  }
  add("rdna4", "v_wmma_i32_16x16x32_iu4", 4);
}

}  // namespace

const std::vector<CatalogueRow>& integer_rows() {
  static const Rows rows = [] {
    Rows made;
    add_nvidia(made);
    for (const std::string_view architecture : {"cdna1", "cdna2"}) {
      for (const std::string_view mnemonic :
           {"v_mfma_i32_32x32x8i8", "v_mfma_i32_32x32x4i8", "v_mfma_i32_16x16x16i8",
            "v_mfma_i32_16x16x4i8", "v_mfma_i32_4x4x4i8"}) {
        made.all.push_back({architecture, mnemonic, &kMfma});
      }
    }
    for (const std::string_view mnemonic :
         {"v_mfma_i32_32x32x16_i8", "v_mfma_i32_16x16x32_i8", "v_mfma_i32_32x32x4_2b_i8",
          "v_mfma_i32_16x16x4_4b_i8", "v_mfma_i32_4x4x4_16b_i8"}) {
      made.all.push_back({"cdna3", mnemonic, &kMfma});
      made.all.push_back({"cdna4", mnemonic, &kMfma});
    }
    made.all.push_back({"cdna4", "v_mfma_i32_32x32x32_i8", &kMfma});
    made.all.push_back({"cdna4", "v_mfma_i32_16x16x64_i8", &kMfma});
    add_wmma(made);
    made.all.push_back({"x86", "vpdpbusd", &kVnni});
    made.all.push_back({"x86", "vpdpbusds", &kVnniSaturating});
    made.all.push_back({"x86", "vpdpwssd", &kVnni});
    made.all.push_back({"x86", "vpdpwssds", &kVnniSaturating});
    for (const std::string_view mnemonic : {"tdpbssd", "tdpbsud", "tdpbusd", "tdpbuud"}) {
      made.all.push_back({"x86", mnemonic, &kAmxIntegers});
    }
    for (const std::string_view mnemonic : {"top4bssd", "top4bsud", "top4busd", "top4buud"}) {
      made.all.push_back({"x86", mnemonic, &kAceIntegers});
    }
    return made;
  }();
  return rows.all;
}

}  // namespace mmaspec
