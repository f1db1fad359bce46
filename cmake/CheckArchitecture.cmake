# Fails where a folder includes what stands above it: cmake -D SOURCE_DIR=... -P CheckArchitecture.cmake
#
# One include root serves all folders, so the compiler alone would let any folder see any other.

cmake_minimum_required(VERSION 3.25)

set(folders spec concrete encoder solver queries replay cli)

# A folder may include itself and these.
set(spec_may_use "")
set(concrete_may_use spec)
set(encoder_may_use spec)
set(solver_may_use spec encoder)
set(queries_may_use spec concrete encoder solver)
set(replay_may_use "")
set(cli_may_use spec concrete encoder solver queries)

# Part of the vector format, which is all that replay/ may know. The bundle of `mmaspec replay` takes it along.
set(vector_format "queries/drawn_rows.h")

set(solver_headers "^(z3|cvc5|bitwuzla|cadical)")

set(faults "")
foreach(folder IN LISTS folders)
  file(GLOB_RECURSE files RELATIVE "${SOURCE_DIR}"
    "${SOURCE_DIR}/${folder}/*.h" "${SOURCE_DIR}/${folder}/*.cpp"
    "${SOURCE_DIR}/${folder}/*.cu" "${SOURCE_DIR}/${folder}/*.cuh" "${SOURCE_DIR}/${folder}/*.hip")
  foreach(file IN LISTS files)
    file(STRINGS "${SOURCE_DIR}/${file}" includes REGEX "^[ \t]*#[ \t]*include")
    foreach(include IN LISTS includes)
      if(NOT include MATCHES "[<\"]([^>\"]+)[>\"]")
        continue()
      endif()
      set(path "${CMAKE_MATCH_1}")
      string(REGEX MATCH "^[^/]+" root "${path}")
      if(path MATCHES "(^|/)\\.\\.?/")
        list(APPEND faults "${file}: \"${path}\" is spelled from the file's own folder, not from the repository's root")
      elseif(root IN_LIST folders OR root MATCHES "^(tests|bench)$")
        if(NOT root STREQUAL folder AND NOT root IN_LIST ${folder}_may_use
            AND NOT (folder STREQUAL "replay" AND path STREQUAL vector_format))
          list(JOIN ${folder}_may_use "/, " allowed)
          list(APPEND faults "${file}: \"${path}\": ${folder}/ may use only itself and [${allowed}]")
        endif()
      elseif(path MATCHES "${solver_headers}" AND NOT folder STREQUAL "solver")
        list(APPEND faults "${file}: <${path}>: only solver/ speaks to a solver's library")
      endif()
    endforeach()
  endforeach()
endforeach()

if(faults)
  list(JOIN faults "\n  " text)
  message(FATAL_ERROR "An include points up the table of folders:\n  ${text}")
endif()
