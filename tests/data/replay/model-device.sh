#!/bin/sh
# In place of a device program: computes like the model $MMASPEC_TEST_MODEL. $MMASPEC_TEST_EDIT, a
# sed script, changes its output; $MMASPEC_TEST_FAIL, a status, makes it fail like a machine without
# a GPU.
[ "${1:-}" != --device ] || [ "$2" != 7 ] || { echo "mmaspec-replay-cuda: no device 7" >&2; exit 3; }
if [ -n "${MMASPEC_TEST_FAIL:-}" ]; then
  echo "mmaspec-replay-cuda: no CUDA-capable device is detected" >&2
  exit "$MMASPEC_TEST_FAIL"
fi
out=$(mktemp)
trap 'rm -f "$out"' EXIT
"$MMASPEC_BINARY" replay - --device "$MMASPEC_TEST_MODEL" --out "$out" >/dev/null 2>&1
case $? in
  0 | 1) ;;
  *) echo "model-device.sh: the model does not run these rows" >&2; exit 1 ;;
esac
sed "1s/.*/{\"device\":\"a script\",\"driver\":\"1.0\"}/
${MMASPEC_TEST_EDIT:-}" "$out"
