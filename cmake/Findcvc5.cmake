# Finds cvc5 and its C++ interface: the target cvc5::cvc5.
#
# First cvc5's own CMake package, then a plain search for cvc5/cvc5.h and libcvc5 (Debian). cvc5_ROOT and
# CMAKE_PREFIX_PATH say where to look first.

include(FindPackageHandleStandardArgs)

# A root given by the user has precedence: a package elsewhere must not replace a root without a
# CMake package.
if(cvc5_ROOT OR DEFINED ENV{cvc5_ROOT})
  find_package(cvc5 CONFIG QUIET PATHS "${cvc5_ROOT}" "$ENV{cvc5_ROOT}" NO_DEFAULT_PATH)
else()
  find_package(cvc5 CONFIG QUIET)
endif()

if(NOT TARGET cvc5::cvc5 AND TARGET cvc5::cvc5-shared)
  add_library(cvc5::cvc5 INTERFACE IMPORTED)
  target_link_libraries(cvc5::cvc5 INTERFACE cvc5::cvc5-shared)
endif()
if(TARGET cvc5::cvc5)
  find_package_handle_standard_args(cvc5 REQUIRED_VARS cvc5_DIR VERSION_VAR cvc5_VERSION)
  return()
endif()

find_path(cvc5_INCLUDE_DIR NAMES cvc5/cvc5.h PATH_SUFFIXES include)
find_library(cvc5_LIBRARY NAMES cvc5 PATH_SUFFIXES lib)
mark_as_advanced(cvc5_INCLUDE_DIR cvc5_LIBRARY)

find_package_handle_standard_args(cvc5
  REQUIRED_VARS cvc5_LIBRARY cvc5_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "Debian: apt install libcvc5-dev. Elsewhere set cvc5_ROOT to the folder that holds include/ and lib/")

if(cvc5_FOUND)
  add_library(cvc5::cvc5 UNKNOWN IMPORTED)
  set_target_properties(cvc5::cvc5 PROPERTIES
    IMPORTED_LOCATION "${cvc5_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${cvc5_INCLUDE_DIR}")
endif()
