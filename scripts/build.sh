# shellcheck shell=bash disable=SC2034  # the lists of packages are read by those who source this
# Sourced by scripts/run, scripts/test, apps/python/build-wheel and others: gets what is missing from Debian and builds.
#
#   MMASPEC_PRESET      release (default), dev, debug or fuzz: see CMakePresets.json
#   MMASPEC_NO_INSTALL  set: install no packages, neither Debian's nor Python's, take what is there
#
# All that these functions say goes to standard error; they read nothing from standard input.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
preset=${MMASPEC_PRESET:-release}
build_dir=$root/build/$preset

# Different from mmaspec's own statuses 0, 1, 2, 3 and 70.
readonly failed_to_build=125

build_packages=(g++ cmake ninja-build pkg-config git libz3-dev libcvc5-dev libboost-dev libcli11-dev libfmt-dev
  nlohmann-json3-dev zlib1g-dev cadical)
[[ $(uname -m) != x86_64 ]] || build_packages+=(libxbyak-dev)
test_packages=(libgtest-dev libgmock-dev z3 cvc5)
# For hardware/replay/device/qemu; tests that need them report what they skip.
emulator_packages=(qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-powerpc64le-linux-gnu
  libc6-dev-ppc64el-cross)
# For tests/campaign, which starts its own cluster.
cluster_packages=(slurm-wlm munge)
# For scripts/web.
web_packages=(emscripten esbuild nodejs python3)
browser_packages=(chromium-headless-shell nodejs python3-venv)
browser_wheels=(playwright==1.65.2 axe-playwright-python==0.1.8)
# For tests of documents: JSON compared with its schema, SVG as XML, manual pages.
document_packages=(python3-jsonschema libxml2-utils man-db)
# For the C++ API: its exported symbols, and its documentation.
api_packages=(abigail-tools doxygen)
# For exported designs and for RTL; tests that need them report what they skip.
hardware_packages=(yosys iverilog verilator ghdl)
# For kernels on an OpenCL device (this machine's processor); tests that need them report what they
# skip.
opencl_packages=(ocl-icd-libopencl1 pocl-opencl-icd)
# For the Python package.
python_packages=(python3-venv python3-dev)
lint_packages=(clang-format clang-tidy shellcheck)
# For scripts/fuzz: the compiler with sanitizers and libFuzzer.
fuzz_packages=(clang libclang-rt-dev)

bitwuzla_wheel=bitwuzla==0.9.1
torch_wheel=torch==2.15.0
jax_wheel=jax==0.10.2

say() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
}

die() {
  say "$@"
  exit "$failed_to_build"
}

# One build at a time in a build folder: other invocations wait here.
lock_build() {
  mkdir -p "$build_dir" || die "cannot create $build_dir"
  exec 9>"$build_dir/.lock" || die "cannot write to $build_dir"
  flock 9 || die "cannot lock $build_dir"
}

unlock_build() {
  exec 9>&-
}

# install_packages PACKAGE...: installs those that are missing, on Debian and its derivatives.
install_packages() {
  [[ -z ${MMASPEC_NO_INSTALL:-} ]] && command -v dpkg-query >/dev/null || return 0

  local -A installed=()
  local package
  while read -r package; do
    installed[$package]=1
  done < <(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
    sed -n 's/^installed //p')

  local missing=()
  for package in "$@"; do
    [[ -n ${installed[$package]:-} ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || die "these packages are missing: ${missing[*]}
Install them as root (apt-get install ${missing[*]}),
or set MMASPEC_NO_INSTALL=1 if their contents are found elsewhere (CMAKE_PREFIX_PATH, Z3_ROOT, cvc5_ROOT)."
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
  # The package lists may be old or absent. After a failed update the existing lists may still
  # suffice.
  "${apt[@]}" update </dev/null >&2 || say "apt-get update failed; continuing with the existing lists"
  "${apt[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null >&2 ||
    die "apt-get could not install ${missing[*]}"
}

# configure with-tests|without-tests: configures the build folder if that was never done, was not
# completed, or was done for another location, other presets, or without the tests that are now
# required.
configure() {
  local cache=$build_dir/CMakeCache.txt tests=$1
  if [[ -f $cache && -f $build_dir/build.ninja && ! $root/CMakePresets.json -nt $build_dir/build.ninja ]] &&
    grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache" &&
    { [[ $tests == without-tests ]] || grep -qxF 'BUILD_TESTING:BOOL=ON' "$cache"; }; then
    return 0
  fi
  local options=()
  # Without tests GoogleTest need not be installed. A folder configured with tests keeps them.
  if [[ $tests == with-tests ]]; then
    options+=(-D BUILD_TESTING=ON)
  elif [[ ! -f $cache ]]; then
    options+=(-D BUILD_TESTING=OFF)
  fi
  # Several sources are compiled together, which halves the time. Users who configure by hand get
  # one object for each source, which is faster to rebuild after a change.
  [[ -f $cache ]] || options+=(-D CMAKE_UNITY_BUILD=ON)
  if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
    options+=(--fresh -D CMAKE_UNITY_BUILD=ON)
  fi
  local log
  if ! log=$(cmake -S "$root" --preset "$preset" "${options[@]}" </dev/null 2>&1); then
    printf '%s\n' "$log" >&2
    die "configuring failed"
  fi
  touch "$build_dir/build.ninja" # newer than the presets, even if it did not change
}

# make_bitwuzla FOLDER PROGRAM: PROGRAM, which runs the wheel of a new virtual environment in FOLDER.
make_bitwuzla() {
  local folder=$1 program=$2 wheel
  python3 -m venv --clear "$folder" &&
    "$folder/bin/python3" -m pip --disable-pip-version-check --no-input --retries 1 --timeout 20 \
      install --no-deps --only-binary :all: "$bitwuzla_wheel" &&
    wheel=$("$folder/bin/python3" -c 'import bitwuzla, os; print(os.path.dirname(bitwuzla.__file__))') &&
    mkdir -p "${program%/*}" &&
    # A relative path, so that the checkout may move. It uses the shell, because a path with spaces
    # is not allowed after #!.
    cat >"$program" <<END &&
#!/bin/sh
# Written by scripts/build.sh.
here=\${0%/*}
exec "\$here/../${folder##*/}/bin/python3" -I -S "\$here/../../../tools/bitwuzla_smtlib.py" \
  "\$here/../${folder##*/}${wheel#"$folder"}" "\$@"
END
    chmod +x "$program" &&
    [[ $(printf '(set-logic QF_BV)\n(check-sat)\n' | "$program") == sat ]]
}

# A third solver, which is not in Debian 12: the program mmaspec-bitwuzla next to mmaspec, unless
# Bitwuzla's library or program is installed. It is optional, so that a failure does not end a
# build; the next attempt is a day later.
get_bitwuzla() {
  local folder=$build_dir/bitwuzla program=$build_dir/bin/mmaspec-bitwuzla
  local made=$folder/made-$bitwuzla_wheel failed=$build_dir/bitwuzla.failed log
  [[ ! -e $made || ! -x $program ]] && [[ -z ${MMASPEC_NO_INSTALL:-} ]] || return 0
  ! command -v bitwuzla >/dev/null && ! pkg-config --exists bitwuzla 2>/dev/null || return 0
  [[ -z $(find "$failed" -mmin -1440 2>/dev/null) ]] || return 0

  say "getting the solver Bitwuzla (Python's package $bitwuzla_wheel, into build/$preset/bitwuzla)"
  if log=$({ (install_packages python3-venv) && make_bitwuzla "$folder" "$program"; } </dev/null 2>&1); then
    rm -f "$failed"
    touch "$made"
  else
    rm -f "$program"
    printf '%s\n' "$log" >"$failed"
    say "cannot get Bitwuzla (see build/$preset/bitwuzla.failed); continuing without it"
  fi
}

# The page and its test tools: a browser from Debian, and Playwright and axe-core from PyPI. A
# failure does not end a build.
get_explorer() {
  local folder=$root/build/web/venv log
  if ! { (install_packages "${browser_packages[@]}") && "$root/scripts/web" >&2; }; then
    say "continuing without the explorer"
    return 0
  fi
  [[ ! -x $folder/bin/playwright && -z ${MMASPEC_NO_INSTALL:-} ]] || return 0
  log=$({ python3 -m venv --clear "$folder" &&
    "$folder/bin/python3" -m pip --disable-pip-version-check --no-input --retries 1 --timeout 20 install \
      "${browser_wheels[@]}"; } </dev/null 2>&1) || say "continuing without Playwright: ${log##*$'\n'}"
}

# The dependencies of the Python package's tests: a virtual environment in the build folder. Without
# it they are skipped.
install_python_packages() {
  local folder=$build_dir/python-env log
  local packages=(nanobind numpy ml_dtypes pytest mypy)
  [[ ! -e $folder/made && -z ${MMASPEC_NO_INSTALL:-} ]] || return 0
  say "getting Python's packages ${packages[*]} (into build/$preset/python-env)"
  if log=$({ (install_packages "${python_packages[@]}") && python3 -m venv --clear "$folder" &&
    "$folder/bin/python3" -m pip --disable-pip-version-check --no-input --retries 1 --timeout 20 \
      install "${packages[@]}"; } </dev/null 2>&1); then
    touch "$folder/made"
    # For mmaspec.mcp and mmaspec.distributed, examples/cocotb, and files of releases and services: tests that
    # need these are skipped without them.
    "$folder/bin/python3" -m pip --quiet --disable-pip-version-check --no-input --retries 1 --timeout 20 \
      install 'mcp>=2' distributed 'cocotb>=2' pyyaml 'cyclonedx-python-lib[json-validation]' py-rattler-build check-jsonschema tree-sitter \
      tree-sitter-nix tree-sitter-ruby </dev/null >&2 || say "continuing without Python's packages for mmaspec mcp, mmaspec.distributed and releases"
  else
    printf '%s\n' "$log" >"$build_dir/python-env.failed"
    say "cannot get them (see build/$preset/python-env.failed); the Python package is not tested"
  fi
}

# get_framework WHEEL SIZE: PyTorch or JAX, for the tests of mmaspec.torch and mmaspec.jax.
# PyTorch's wheels contain the libraries of GPUs, a download of 2 GiB. Each is therefore installed
# once on a machine, in the user's cache, for all build folders. After a failure, the next attempt
# is a day later.
get_framework() {
  local wheel=$1 size=$2 name=${1%%=*} python=$build_dir/python-env/bin/python3 version site kept log
  [[ -x $python ]] && ! "$python" -c "import $name" 2>/dev/null || return 0
  version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  kept=${XDG_CACHE_HOME:-$HOME/.cache}/mmaspec/${wheel/==/-}-python$version
  mkdir -p "$kept" || return 0
  (
    flock 8
    [[ ! -e $kept/made && -z ${MMASPEC_NO_INSTALL:-} ]] || exit 0
    [[ -z $(find "$kept/failed" -mmin -1440 2>/dev/null) ]] || exit 0
    # pip stores the archives in addition to their contents.
    if (($(df --output=avail -B G "$kept" | tr -dc '0-9') < 20)); then
      say "continuing without $wheel: less than 20 GiB of the disk are free; mmaspec.$name is not tested"
      exit 0
    fi
    say "getting Python's package $wheel ($size, into $kept)"
    rm -rf "$kept/packages"
    if log=$(timeout 400 "$python" -m pip --disable-pip-version-check --no-input --retries 1 --timeout 20 \
      install --only-binary :all: --target "$kept/packages" "$wheel" </dev/null 2>&1); then
      rm -f "$kept/failed"
      touch "$kept/made"
    else
      rm -rf "$kept/packages"
      printf '%s\n' "$log" >"$kept/failed"
      say "cannot get $wheel (see $kept/failed); mmaspec.$name is not tested"
    fi
  ) 8>"$kept/lock"
  [[ -e $kept/made ]] || return 0
  site=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  printf '%s\n' "$kept/packages" >"$site/$name.pth"
}

# Also configures for the Python package if its tests have their dependencies.
configure_for_python() {
  local folder=$build_dir/python-env log
  [[ -e $folder/made ]] || return 0
  if ! log=$(cmake -S "$root" -B "$build_dir" -D MMASPEC_PYTHON=ON \
    -D Python_EXECUTABLE="$folder/bin/python3" </dev/null 2>&1); then
    printf '%s\n' "$log" >&2
    die "configuring for Python failed"
  fi
}

# Ninja's output in short form: one line that is rewritten on a terminal, one word elsewhere,
# nothing if there was nothing to do, and all messages of compilers.
show_progress() {
  local line announced='' clear=''
  while IFS= read -r line; do
    case $line in
      'ninja: Entering directory'* | 'ninja: no work to do.' | '['*' Re-checking globbed directories...' | '-- '*) ;;
      '['[0-9]*/[0-9]*']'*)
        if [[ -t 2 ]]; then
          printf '\r\033[K%.*s' "$((${COLUMNS:-80} - 1))" "$line" >&2
          clear=$'\r\033[K'
        elif [[ -z $announced ]]; then
          say "building (${build_dir#"$root"/})"
          announced=1
        fi
        ;;
      *)
        printf '%s%s\n' "$clear" "$line" >&2
        clear=''
        ;;
    esac
  done
  printf '%s' "$clear" >&2
}

# build TARGET...
build() {
  ninja -C "$build_dir" -j "$(nproc)" "$@" </dev/null 2>&1 | show_progress
  ((PIPESTATUS[0] == 0)) || die "the build failed"
}
