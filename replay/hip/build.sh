#!/bin/sh
# Builds mmaspec-replay-hip with hipcc alone: build.sh [OUTPUT], default ./mmaspec-replay-hip
#
# HIPCC               the compiler (default: hipcc on the PATH, else in ROCM_PATH or /opt/rocm)
# MMASPEC_HIP_ARCHS   what to build for, such as "gfx90a": default those below that the compiler knows
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
output=${1:-mmaspec-replay-hip}

hipcc=${HIPCC:-}
if [ -z "$hipcc" ]; then
  for candidate in hipcc "${ROCM_PATH:-/opt/rocm}/bin/hipcc"; do
    if command -v "$candidate" >/dev/null 2>&1; then hipcc=$candidate; break; fi
  done
fi
[ -n "$hipcc" ] || { echo "build.sh: no hipcc; set HIPCC, or ROCM_PATH" >&2; exit 2; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
: > "$scratch/empty.hip"
generate=
for arch in ${MMASPEC_HIP_ARCHS:-gfx908 gfx90a gfx942}; do
  if "$hipcc" --offload-arch="$arch" --cuda-device-only -S -o "$scratch/empty.s" "$scratch/empty.hip" >/dev/null 2>&1; then
    generate="$generate --offload-arch=$arch"
  else
    echo "build.sh: this hipcc does not know $arch: left out" >&2
  fi
done
[ -n "$generate" ] || { echo "build.sh: nothing to build for" >&2; exit 2; }

# shellcheck disable=SC2086
"$hipcc" -std=c++17 -O2 -I "$root" $generate -o "$output" \
  "$root"/replay/hip/mfma.hip "$root"/replay/hip/instructions.cpp "$root"/replay/common/*.cpp
