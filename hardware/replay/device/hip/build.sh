#!/bin/sh
# Builds mmaspec-replay-hip with hipcc alone: build.sh [OUTPUT], default ./mmaspec-replay-hip
#
# HIPCC               the compiler (default: hipcc on the PATH, else in ROCM_PATH or /opt/rocm)
# MMASPEC_HIP_ARCHS   what to build for, such as "gfx90a": default those below that the compiler knows
#
# Where hipcc does not know all of them, as Debian's does not know gfx942, the newest clang++-N on the PATH that does is
# taken instead, with hipcc's headers and libraries (of ROCM_PATH, default /usr).
set -eu
root=$(cd "$(dirname "$0")/../../../.." && pwd)
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

# compile ARGUMENT...: by $compiler, which is hipcc or a clang++ that is told what hipcc knows. No kernel here needs the
# device library; of the code objects' formats the older one is that which old and new runtimes load.
compiler=$hipcc
compile() {
  case $compiler in
    *clang++-[0-9]*) "$compiler" --rocm-path="${ROCM_PATH:-/usr}" -nogpulib -mcode-object-version=4 "$@" ;;
    *) "$compiler" "$@" ;;
  esac
}

# Sets `known` and `unknown`: the architectures of $1 that the compiler and its tools can and cannot
# build.
known=
unknown=
sort_out() {
  known=
  unknown=
  for arch in $1; do
    if compile --offload-arch="$arch" -c -o "$scratch/empty.o" "$scratch/empty.hip" >/dev/null 2>&1; then
      known="$known $arch"
    else
      unknown="$unknown $arch"
    fi
  done
}

archs=${MMASPEC_HIP_ARCHS:-gfx908 gfx90a gfx942}
sort_out "$archs"
if [ -n "$unknown" ]; then
  missing=$unknown
  version=25
  while [ -n "$unknown" ] && [ "$version" -gt 15 ]; do
    compiler=clang++-$version
    if command -v "$compiler" >/dev/null 2>&1; then sort_out "$archs"; fi
    version=$((version - 1))
  done
  if [ -z "$unknown" ]; then
    echo "build.sh: this hipcc does not know$missing: building with $compiler" >&2
  else
    compiler=$hipcc
    sort_out "$archs"
    echo "build.sh: this hipcc does not know$unknown: left out" >&2
  fi
fi
[ -n "$known" ] || { echo "build.sh: nothing to build for" >&2; exit 2; }

set --
for arch in $known; do set -- "$@" --offload-arch="$arch"; done
compile -std=c++17 -O2 -I "$root" "$@" -o "$output" \
  "$root"/hardware/replay/device/hip/mfma.hip "$root"/hardware/replay/device/hip/instructions.cpp "$root"/hardware/replay/device/common/*.cpp
