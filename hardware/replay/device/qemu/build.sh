#!/bin/sh
# build.sh FOLDER: builds the programs for Arm and Power10 there, with the commands that run them under QEMU:
# FOLDER/arm and FOLDER/power10, each a device for `mmaspec replay --device exec:FOLDER/arm`. Ends with status 3, and one
# line, where a tool is missing: gcc-aarch64-linux-gnu, gcc-powerpc64le-linux-gnu and qemu-user are Debian's packages.
set -eu
[ $# -eq 1 ] || { echo "usage: build.sh FOLDER" >&2; exit 2; }
source=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
for tool in aarch64-linux-gnu-gcc qemu-aarch64 powerpc64le-linux-gnu-gcc qemu-ppc64le; do
  command -v "$tool" > /dev/null || { echo "no $tool here" >&2; exit 3; }
done
aarch64-linux-gnu-gcc -static -O2 -o "$folder/arm.program" "$source/arm.c"
powerpc64le-linux-gnu-gcc -static -O2 -mcpu=power10 -o "$folder/power10.program" "$source/power10.c"
printf '#!/bin/sh\nexec qemu-aarch64 -cpu max "%s"\n' "$folder/arm.program" > "$folder/arm"
printf '#!/bin/sh\nexec qemu-ppc64le -cpu power10 "%s"\n' "$folder/power10.program" > "$folder/power10"
chmod +x "$folder/arm" "$folder/power10"
