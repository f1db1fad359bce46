#!/bin/sh
# Builds mmaspec-replay-cuda with nvcc alone: build.sh [OUTPUT], default ./mmaspec-replay-cuda
#
# NVCC                 the compiler (default: nvcc on the PATH, else in CUDA_HOME or /usr/local/cuda)
# MMASPEC_CUDA_ARCHS   what to build for, such as "80 90a": default everything below that the toolkit knows;
#                      "native": only what the GPUs of this machine need
set -eu
root=$(cd "$(dirname "$0")/../../../.." && pwd)
output=${1:-mmaspec-replay-cuda}

nvcc=${NVCC:-}
if [ -z "$nvcc" ]; then
  for candidate in nvcc "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc"; do
    if command -v "$candidate" >/dev/null 2>&1; then nvcc=$candidate; break; fi
  done
fi
[ -n "$nvcc" ] || { echo "build.sh: no nvcc; set NVCC, or CUDA_HOME" >&2; exit 2; }

# For chips with specific instructions (wgmma, tcgen05, block-scaled mma), only the "a" target has
# them.
all="70 75 80 86 89 90a 100a 103a 120a 121a"
archs=${MMASPEC_CUDA_ARCHS:-$all}
if [ "$archs" = native ]; then
  archs=
  for capability in $(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | sort -u | tr -d .); do
    case " $all " in
      *" ${capability}a "*) archs="$archs ${capability}a" ;;
      *) archs="$archs $capability" ;;
    esac
  done
fi

# The lowest architecture that can be compiled decides which of the list this toolkit supports.
known=$("$nvcc" --list-gpu-code 2>/dev/null || echo "sm_70 sm_75 sm_80 sm_86")
generate=
for arch in $archs; do
  case $(echo $known) in
    *sm_${arch%a}*) generate="$generate -gencode arch=compute_$arch,code=sm_$arch" ;;
    *) echo "build.sh: $("$nvcc" --version | sed -n 's/.*release \([^,]*\).*/CUDA \1/p') does not know sm_$arch: left out" >&2 ;;
  esac
done
[ -n "$generate" ] || { echo "build.sh: nothing to build for in '$archs'" >&2; exit 2; }

# shellcheck disable=SC2086
exec "$nvcc" -std=c++17 -O2 -Wno-deprecated-gpu-targets -I "$root" $generate -o "$output" \
  "$root"/hardware/replay/device/common/*.cpp "$root"/hardware/replay/device/cuda/*.cpp "$root"/hardware/replay/device/cuda/*.cu
