#pragma once
/// Parameter sets of NVIDIA's tensor cores.

#include "spec/catalog/parameter_sets.h"

namespace mmaspec {

extern const ParameterSet kVolta;
extern const ParameterSet kTuring;
extern const ParameterSet kTuringM8n8k4;
extern const ParameterSet kAmpere;
extern const ParameterSet kAdaFp8;
extern const ParameterSet kHopper;
extern const ParameterSet kHopperFp8;
extern const ParameterSet kBlackwell;
extern const ParameterSet kHopperSplitFp8;
extern const ParameterSet kHopperSplitFp8OfCuda126;
extern const ParameterSet kBlackwellSplitFp8;
extern const ParameterSet kBlackwellFp4;
extern const ParameterSet kFmaF64;
extern const ParameterSet kHopperFmaF64;
extern const ParameterSet kSplitFmaF64;

}  // namespace mmaspec
