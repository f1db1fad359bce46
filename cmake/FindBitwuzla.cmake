# Finds Bitwuzla's library by its pkg-config file: the target Bitwuzla::Bitwuzla. CMAKE_PREFIX_PATH says where to look
# first. Nothing needs it: mmaspec takes the program `bitwuzla` too.

include(FindPackageHandleStandardArgs)

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  # Older versions have another interface.
  pkg_check_modules(Bitwuzla QUIET IMPORTED_TARGET bitwuzla>=0.8)
endif()

find_package_handle_standard_args(Bitwuzla
  REQUIRED_VARS Bitwuzla_LINK_LIBRARIES
  VERSION_VAR Bitwuzla_VERSION)

if(Bitwuzla_FOUND AND NOT TARGET Bitwuzla::Bitwuzla)
  add_library(Bitwuzla::Bitwuzla INTERFACE IMPORTED)
  target_link_libraries(Bitwuzla::Bitwuzla INTERFACE PkgConfig::Bitwuzla)
endif()
