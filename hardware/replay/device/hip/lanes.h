#pragma once

/// Where a lane of an MFMA instruction finds its share of a row of A (or of a column of B). AMD
/// CDNA ISA guides, "Matrix arithmetic instructions": a lane holds neighbouring k, and the wave's
/// 64 lanes, ascending, are divided evenly among the groups of neighbouring k; within a group's
/// lanes come the rows and the blocks, which here are all alike. Plain C++ for a host compiler,
/// checked there by tests/replay/device/hip_test.cpp.
#ifdef __HIP__
#define MMASPEC_HIP_HOST_DEVICE __host__ __device__
#else
#define MMASPEC_HIP_HOST_DEVICE
#endif

namespace mmaspec::replay::hip {

constexpr int wave = 64;

/// The first word of the lane's share, in a row of `row_words` words of which a lane holds
/// `words_per_lane`.
MMASPEC_HIP_HOST_DEVICE constexpr int lane_word(int lane, int row_words, int words_per_lane) {
  const int groups = row_words / words_per_lane;
  return lane / (wave / groups) * words_per_lane;
}

}  // namespace mmaspec::replay::hip
