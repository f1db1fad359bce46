# Finds Z3 and its C++ interface: the target z3::libz3.
#
# First Z3's own CMake package, then its pkg-config file, then a plain search for z3++.h and libz3 (Debian, the
# archives of its releases, the Python wheel). Z3_ROOT and CMAKE_PREFIX_PATH say where to look first.

include(FindPackageHandleStandardArgs)

# A root given by the user has precedence: a package elsewhere must not replace a root without a
# CMake package.
if(Z3_ROOT OR DEFINED ENV{Z3_ROOT})
  find_package(Z3 CONFIG QUIET PATHS "${Z3_ROOT}" "$ENV{Z3_ROOT}" NO_DEFAULT_PATH)
else()
  find_package(Z3 CONFIG QUIET)
endif()

if(TARGET z3::libz3)
  if(NOT Z3_VERSION)
    set(Z3_VERSION "${Z3_VERSION_STRING}")
  endif()
  find_package_handle_standard_args(Z3 REQUIRED_VARS Z3_DIR VERSION_VAR Z3_VERSION)
  return()
endif()

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_Z3 QUIET z3)
endif()

find_path(Z3_INCLUDE_DIR NAMES z3++.h HINTS ${PC_Z3_INCLUDE_DIRS} PATH_SUFFIXES include z3 include/z3)
find_library(Z3_LIBRARY NAMES z3 libz3 HINTS ${PC_Z3_LIBRARY_DIRS} PATH_SUFFIXES lib bin)
mark_as_advanced(Z3_INCLUDE_DIR Z3_LIBRARY)

if(Z3_INCLUDE_DIR AND EXISTS "${Z3_INCLUDE_DIR}/z3_version.h")
  file(STRINGS "${Z3_INCLUDE_DIR}/z3_version.h" Z3_VERSION
    REGEX "#define Z3_(MAJOR|MINOR|BUILD)_(VERSION|NUMBER) ")
  list(TRANSFORM Z3_VERSION REPLACE "^.* ([0-9]+).*$" "\\1")
  list(JOIN Z3_VERSION "." Z3_VERSION)
endif()

find_package_handle_standard_args(Z3
  REQUIRED_VARS Z3_LIBRARY Z3_INCLUDE_DIR
  VERSION_VAR Z3_VERSION
  REASON_FAILURE_MESSAGE "Debian: apt install libz3-dev. Elsewhere set Z3_ROOT to the folder that holds include/ and lib/")

if(Z3_FOUND)
  add_library(z3::libz3 UNKNOWN IMPORTED)
  set_target_properties(z3::libz3 PROPERTIES
    IMPORTED_LOCATION "${Z3_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Z3_INCLUDE_DIR}")
endif()
