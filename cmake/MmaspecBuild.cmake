# Definitions that the folders' CMakeLists.txt share: compiler settings, one library for each
# folder, the installed package.

# A default build type, so that a plain `cmake -B build` is optimized.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)  # for solvers outside the system's folders
# Finds libraries beside libmmaspec.so, also for its own dependencies, which requires the older tag.
set(CMAKE_INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
add_link_options(LINKER:--disable-new-dtags)

# With CMAKE_UNITY_BUILD: number of sources that are compiled together.
if(NOT DEFINED CMAKE_UNITY_BUILD_BATCH_SIZE)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 32)
endif()

find_program(MMASPEC_CCACHE ccache)
if(MMASPEC_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without these settings ccache does not cache sources that use a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${MMASPEC_CCACHE}")
endif()

# Headers of other libraries that most sources need and that take most of the time of a small
# source. Each source still includes what it uses: without this option, as for an installed header,
# all must compile.
option(MMASPEC_PRECOMPILE "Precompile headers of the standard library, Boost and GoogleTest" ON)
include("${CMAKE_CURRENT_LIST_DIR}/PrecompiledHeaders.cmake")

# Reduces optimization for code that is not time-critical, which compiles in four fifths of the
# time. Not with -O0, because the linker may choose that version of an inline function for other
# code.
function(mmaspec_optimise_less target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
endfunction()

# mmaspec_precompile(NAME HEADER...): an object library that only provides its precompiled headers.
function(mmaspec_precompile name)
  if(NOT MMASPEC_PRECOMPILE)
    return()
  endif()
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/precompiled/${name}.cpp" CONTENT "")
  add_library(${name} OBJECT "${PROJECT_BINARY_DIR}/precompiled/${name}.cpp")
  mmaspec_warnings(${name})
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()

# mmaspec_use_precompiled(TARGET NAME)
function(mmaspec_use_precompiled target name)
  if(MMASPEC_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

# Warnings only for the project's targets; every dependency's headers are SYSTEM.
function(mmaspec_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # False positives for the union inside a small Boost cpp_int.
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    # Required for ccache with precompiled headers.
    target_compile_options(${target} PRIVATE -fpch-preprocess)
    # Garbage collection took up to a tenth of the time; without it the largest source takes 1.5 GB.
    target_compile_options(${target} PRIVATE "SHELL:--param ggc-min-expand=300" "SHELL:--param ggc-min-heapsize=1000000")
    if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      # False positives for `"text" + std::string` in C++20 (GCC bug 105651).
      target_compile_options(${target} PRIVATE -Wno-restrict)
    endif()
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # It also reports structured bindings in a class's friends, which have no members to shadow.
    target_compile_options(${target} PRIVATE -Wno-shadow)
  endif()
endfunction()

# Sanitizers and coverage counters for all code compiled after this call. The programs of
# tests/libfuzzer link to libFuzzer.
function(mmaspec_instrument_for_fuzzing)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "MMASPEC_FUZZ needs clang, which has libFuzzer: cmake --preset fuzz")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow -fno-sanitize-recover=all
    -fno-omit-frame-pointer
    "-fsanitize-coverage-ignorelist=${CMAKE_CURRENT_FUNCTION_LIST_DIR}/fuzz_coverage_ignore.txt")
  add_link_options(-fsanitize=address,undefined)
endfunction()

# mmaspec_executable(TARGET SOURCE...)
function(mmaspec_executable target)
  add_executable(${target} ${ARGN})
  mmaspec_warnings(${target})
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*address")
    target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/leak_suppressions.cpp")
  endif()
endfunction()

# mmaspec_must_be_built(TARGET|FILE...): what must exist before anything is installed.
function(mmaspec_must_be_built)
  foreach(item IN LISTS ARGN)
    if(TARGET "${item}")
      set(item "$<TARGET_FILE:${item}>")
    endif()
    set_property(GLOBAL APPEND PROPERTY mmaspec_installed_files "${item}")
  endforeach()
endfunction()

# Call it before the first install(). `cmake --install` processes rules in order and does not build
# anything. Without this it would stop at the first missing file with half of the others installed,
# for example after `scripts/run`, which builds only mmaspec. mmaspec_install_package() writes the
# script.
function(mmaspec_install_all_or_nothing)
  install(SCRIPT "${PROJECT_BINARY_DIR}/package/require-all-$<CONFIG>.cmake" ALL_COMPONENTS)
endfunction()

# mmaspec_library(NAME [OPTIMISE_LESS] [FOR_PLUGINS] DEPENDENCY...)
# The current folder as the static library mmaspec_NAME, alias mmaspec::NAME, of every .cpp and .h below it, except for folders
# that have a CMakeLists.txt and so are libraries themselves.
# A folder that holds headers only, or nothing yet, is an interface library. FOR_PLUGINS: it is installed, for what --plugin
# loads.
function(mmaspec_library name)
  set(target mmaspec_${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
  file(GLOB_RECURSE others CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*/CMakeLists.txt")
  foreach(other IN LISTS others)
    cmake_path(GET other PARENT_PATH other)
    list(FILTER sources EXCLUDE REGEX "^${other}/")
    list(FILTER headers EXCLUDE REGEX "^${other}/")
  endforeach()
  cmake_parse_arguments(PARSE_ARGV 1 wanted "OPTIMISE_LESS;FOR_PLUGINS" "" "FOLDERS;WITHOUT")
  list(TRANSFORM wanted_FOLDERS PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  list(JOIN wanted_FOLDERS "|" folders)
  foreach(kind IN ITEMS sources headers)
    if(wanted_FOLDERS)
      list(FILTER ${kind} INCLUDE REGEX "^(${folders})/")
    endif()
    foreach(folder IN LISTS wanted_WITHOUT)
      list(FILTER ${kind} EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${folder}/")
    endforeach()
  endforeach()

  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
    mmaspec_warnings(${target})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    if(wanted_OPTIMISE_LESS)
      mmaspec_optimise_less(${target})
      mmaspec_use_precompiled(${target} mmaspec_precompiled_less)
    else()
      mmaspec_use_precompiled(${target} mmaspec_precompiled)
    endif()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(mmaspec::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_link_libraries(${target} ${scope} ${wanted_UNPARSED_ARGUMENTS})
  # "spec/lang/graph.h" is the spelling of includes here and in plugins.
  target_sources(${target} ${scope} FILE_SET HEADERS
    BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${headers})

  if(wanted_FOR_PLUGINS)
    mmaspec_must_be_built(${target})
    install(TARGETS ${target} EXPORT mmaspec_plugin
      ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT plugin
      FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/mmaspec-plugin" COMPONENT plugin)
  endif()
endfunction()

# The files for find_package(mmaspec CONFIG): the API's target, the targets of the component
# `plugin`, and the version.
function(mmaspec_install_package)
  include(CMakePackageConfigHelpers)
  set(destination "${CMAKE_INSTALL_LIBDIR}/cmake/mmaspec")
  set(generated "${PROJECT_BINARY_DIR}/package")
  get_property(files GLOBAL PROPERTY mmaspec_installed_files)
  file(GENERATE OUTPUT "${generated}/require-all-$<CONFIG>.cmake" CONTENT
"foreach(file IN ITEMS [==[$<JOIN:${files},]==] [==[>]==])
  if(NOT EXISTS \"\${file}\")
    cmake_path(GET file FILENAME name)
    string(APPEND missing \" \${name}\")
  endif()
endforeach()
if(missing)
  message(FATAL_ERROR \"not built:\${missing}. Nothing is installed. First: cmake --build '${PROJECT_BINARY_DIR}'\")
endif()
")
  configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/mmaspecConfig.cmake.in"
    "${generated}/mmaspecConfig.cmake" INSTALL_DESTINATION "${destination}")
  write_basic_package_version_file("${generated}/mmaspecConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
  install(EXPORT mmaspec NAMESPACE mmaspec:: FILE mmaspecTargets.cmake DESTINATION "${destination}"
    COMPONENT development)
  install(EXPORT mmaspec_plugin NAMESPACE mmaspec:: FILE mmaspecPluginTargets.cmake DESTINATION "${destination}"
    COMPONENT plugin)
  install(FILES
    "${generated}/mmaspecConfig.cmake"
    "${generated}/mmaspecConfigVersion.cmake"
    DESTINATION "${destination}" COMPONENT development)
endfunction()
