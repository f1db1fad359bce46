#pragma once

/// The part of a row of A (or of a column of B) that a lane of an MFMA instruction holds. AMD CDNA
/// ISA guides, "Matrix arithmetic instructions": a lane holds consecutive k, and the 64 lanes of
/// the wave, in ascending order, are divided evenly among the groups of consecutive k. Rows and
/// blocks vary among the lanes of a group; here they are all equal. A host compiler can compile
/// this file; tests/replay/device/hip_test.cpp checks it.
#ifdef __HIP__
#define MMASPEC_HIP_HOST_DEVICE __host__ __device__
#else
#define MMASPEC_HIP_HOST_DEVICE
#endif

namespace mmaspec::replay::hip {

constexpr int wave = 64;

/// The first word of the lane's part in a row of `row_words` words, of which each lane holds
/// `words_per_lane`.
MMASPEC_HIP_HOST_DEVICE constexpr int lane_word(int lane, int row_words, int words_per_lane) {
  const int groups = row_words / words_per_lane;
  return lane / (wave / groups) * words_per_lane;
}

}  // namespace mmaspec::replay::hip
