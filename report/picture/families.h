#pragma once
/// The steps of each family of algorithms.

#include "report/picture/steps.h"

namespace mmaspec {

/// Converts n, which must not be negative.
inline std::size_t as_size(int n) { return static_cast<std::size_t>(n); }

/// Collects steps, and counts the dull ones that were left out.
using RulerSteps = std::vector<RulerStep>;

/// Each analyzes one step of a chain: `part` has the products of one block, all operands finite,
/// and `run` is the design's evaluation on it. Throws Unexplained.
RulerSteps steps_of(const FusedDotAdd& design, const RulerPart& part, const MarkedRun& run);
RulerSteps steps_of(const GroupDotFusedSum& design, const RulerPart& part, const MarkedRun& run);
RulerSteps steps_of(const RoundDownDotAdd& design, const RulerPart& part, const MarkedRun& run);
RulerSteps steps_of(const ExactDotAdd& design, const RulerPart& part, const MarkedRun& run);
RulerSteps steps_of(const BulkNormalizedDotAdd& design, const RulerPart& part,
                    const MarkedRun& run);
RulerSteps steps_of(const OnesComplementDotAdd& design, const RulerPart& part,
                    const MarkedRun& run);
RulerSteps steps_of(const FlooredDotAdd& design, const RulerPart& part, const MarkedRun& run);
RulerSteps steps_of(const SequentialFma& design, const RulerPart& part, const MarkedRun& run);
RulerSteps steps_of(const GroupPairwiseSum& design, const RulerPart& part, const MarkedRun& run);
RulerSteps steps_of(const PairDotAdd& design, const RulerPart& part, const MarkedRun& run);
RulerSteps steps_of(const SplitFp8& design, const RulerPart& part, const MarkedRun& run);

}  // namespace mmaspec
