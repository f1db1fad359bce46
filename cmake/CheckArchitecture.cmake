# Fails where a room includes what stands above it: cmake -D SOURCE_DIR=... -P CheckArchitecture.cmake
#
# One include root serves all folders, so the compiler alone would let any folder see any other. docs/architecture.md
# says what each room is for.

cmake_minimum_required(VERSION 3.25)

# room(FOLDER [ROOM...]): FOLDER may include itself and these rooms, which must come before it. A
# file belongs to the innermost room. A name that ends in /* means all rooms of that folder.
set(rooms "")
macro(room folder)
  set("${folder}_may_use" "")
  foreach(used IN ITEMS ${ARGN})
    if(used MATCHES "^(.*)/\\*$")
      set(prefix "${CMAKE_MATCH_1}/")
      foreach(other IN LISTS rooms)
        string(FIND "${other}" "${prefix}" at)
        if(at EQUAL 0)
          list(APPEND "${folder}_may_use" "${other}")
        endif()
      endforeach()
    elseif(used IN_LIST rooms)
      list(APPEND "${folder}_may_use" "${used}")
    else()
      message(FATAL_ERROR "the room ${folder} names ${used}, which does not come before it")
    endif()
  endforeach()
  list(APPEND rooms "${folder}")
endmacro()

room(util)
room(spec/lang util)
room(spec/formats util spec/lang)
room(spec/parts util spec/lang spec/formats)
room(spec/algorithms/vector util spec/lang spec/formats spec/parts)
room(spec/algorithms util spec/lang spec/formats spec/parts spec/algorithms/vector)
room(spec/plans util spec/lang spec/formats spec/parts spec/algorithms spec/algorithms/vector)
room(spec/plans/instructions util spec/lang spec/formats spec/parts spec/algorithms spec/algorithms/vector)
room(spec/own util spec/lang spec/formats spec/parts spec/algorithms spec/algorithms/vector)
room(spec/catalog/names util spec/lang spec/formats spec/parts)
room(spec/catalog util spec/*)
room(spec/conversions util spec/*)
# A plugin's side of --plugin, which is linked into users' shared objects.
room(api/plugin util spec/*)
room(concrete util spec/lang)
room(concrete/batch/kernels)
room(concrete/batch/native util concrete/batch/kernels)
room(concrete/batch util spec/lang concrete concrete/batch/kernels concrete/batch/native)
room(concrete/aligned/kernels)
room(concrete/aligned util spec/* concrete/aligned/kernels)
room(concrete/dot util spec/* concrete concrete/batch concrete/aligned)
room(concrete/matrix util spec/* concrete concrete/batch concrete/aligned concrete/aligned/kernels concrete/dot)
room(concrete/device util spec/* concrete concrete/batch concrete/batch/kernels concrete/dot concrete/matrix)
room(concrete/rows util spec/* concrete/dot concrete/matrix)
# Also compiled to WebAssembly: no files, no processes, no JSON.
room(report/picture util spec/* concrete concrete/dot)
room(encoder util spec/lang)
room(encoder/export util spec/lang encoder)
room(solver util spec/lang encoder)
room(proof/sat)
room(proof/kernel util spec/lang proof/sat)
room(proof/recorded util spec/lang encoder solver proof/sat)
room(queries/numbers util spec/*)
room(queries/values util spec/* concrete/dot queries/numbers)
room(queries/draw util spec/* concrete concrete/* queries/numbers queries/values)
room(queries/theorems util spec/* queries/numbers)
room(queries/theorems/steps util spec/* queries/theorems)
room(queries/errors util spec/* queries/numbers queries/theorems)
room(queries/statement util spec/* concrete concrete/batch concrete/dot queries/theorems)
room(queries/property util spec/* concrete/dot queries/numbers queries/theorems queries/errors queries/statement)
room(queries/properties util spec/* queries/numbers queries/theorems queries/errors queries/statement queries/property)
room(queries/counterexamples util spec/* concrete concrete/dot queries/values queries/theorems queries/property)
room(queries/goals util spec/* concrete/dot queries/numbers queries/statement queries/property)
# The check of certificates of goals: no strategy, no solver, no encoder.
room(proof/certify util spec/* proof/sat proof/kernel queries/numbers queries/statement queries/property
  queries/goals)
room(queries/ask util spec/* concrete concrete/* encoder solver queries/numbers queries/draw
  queries/theorems queries/statement)
room(queries/compare util spec/* concrete concrete/* queries/numbers queries/values queries/statement queries/ask)
room(queries/studies/explain util spec/* concrete concrete/* queries/numbers queries/statement queries/ask queries/compare)
room(queries/derive util spec/* concrete concrete/* encoder solver queries/numbers queries/draw queries/statement queries/ask
  queries/property)
room(queries/relations util spec/* concrete concrete/* encoder solver queries/numbers queries/draw queries/statement queries/ask
  queries/derive)
room(queries/error_bounds util spec/* queries/ask queries/derive queries/relations)
room(queries/distance util spec/* concrete concrete/* solver queries/numbers queries/values queries/draw queries/statement queries/ask
  queries/theorems queries/errors)
room(queries/prove util spec/* concrete concrete/* solver queries/numbers queries/values queries/counterexamples queries/draw queries/theorems
  queries/errors queries/statement queries/ask queries/property queries/goals queries/derive queries/relations queries/error_bounds queries/distance)
room(queries/audit util spec/* concrete concrete/* encoder solver queries/numbers queries/draw queries/statement queries/ask)
room(queries/studies/machines util spec/* concrete/dot concrete/rows solver queries/numbers queries/values queries/draw
  queries/errors queries/statement queries/ask queries/goals queries/prove)
room(queries/request util spec/* solver queries/numbers queries/draw queries/statement queries/ask queries/prove queries/audit
  queries/studies/machines)
room(queries/results util spec/* concrete/rows)
room(queries/studies/table util spec/conversions concrete/rows queries/counterexamples queries/prove queries/audit queries/results)
room(queries/studies/matrix util spec/* concrete concrete/* solver queries/numbers queries/values queries/draw queries/statement queries/ask
  queries/prove queries/audit queries/results)
room(proof/store util spec/* concrete concrete/batch concrete/dot solver proof/* queries/*)
room(hardware/rtl/equivalence util spec/lang encoder solver)
room(hardware/rtl/cases util spec/lang spec/formats encoder solver hardware/rtl/equivalence)
room(hardware/rtl/circuit util spec/*)
room(hardware/rtl/vhdl util)
room(hardware/rtl/fixed_point util spec/*)
room(hardware/rtl/flags util spec/*)
room(hardware/rtl util spec/* concrete concrete/* encoder encoder/export solver queries/* hardware/rtl/equivalence
  hardware/rtl/cases hardware/rtl/circuit)
room(hardware/rtl/members util spec/* hardware/rtl hardware/rtl/circuit)
room(queries/studies/explore util spec/* concrete concrete/* solver queries/* hardware/rtl)
room(hardware/replay/device)
room(hardware/replay/host util spec/* concrete concrete/* solver queries/*)
room(queries/studies/suite util spec/* concrete concrete/* solver queries/* hardware/replay/host)
room(queries/studies/identify/space util spec/* concrete concrete/* queries/*)
room(queries/studies/identify util spec/* concrete concrete/* solver queries/* hardware/replay/host)
room(report util spec/* concrete/dot concrete/rows queries/*)
room(report/text util spec/* concrete/dot concrete/matrix concrete/device report/picture concrete/rows encoder
  encoder/export queries/* hardware/replay/host report)
room(report/tables util spec/* concrete/dot report/picture concrete/rows queries/* hardware/rtl report report/text)
# The headers for programs: they include only each other and no other header of the project.
room(api/include/mmaspec)
room(api util spec/* concrete concrete/* solver queries/* api/include/mmaspec)
room(apps/certify proof/certify)
room(apps/cli util spec/* concrete/dot concrete/matrix report/picture concrete/rows encoder solver proof/* queries/*
  report)
room(apps/cli/options util spec/* concrete/rows encoder/export solver queries/* proof/store hardware/rtl
  hardware/rtl/circuit hardware/rtl/equivalence hardware/rtl/members hardware/rtl/vhdl apps/cli)
room(apps/cli/report util spec/* concrete/dot report/picture concrete/rows queries/* report apps/cli)
room(apps/cli/commands util spec/* concrete/dot concrete/matrix concrete/device report/picture concrete/rows encoder
  encoder/export solver proof/* queries/* hardware/rtl hardware/rtl/equivalence hardware/rtl/fixed_point
  hardware/rtl/flags hardware/rtl/members hardware/replay/host report report/* apps/cli apps/cli/*)
room(apps/cli/program util spec/* queries/* apps/cli)
room(apps/python/bindings util spec/* concrete concrete/* encoder solver queries/* hardware/replay/host report
  report/* apps/cli/program)
room(apps/web/engine util spec/* concrete concrete/* report/picture queries/*)
room(examples util spec/* api/plugin concrete/dot)
room(tools util spec/* concrete/dot queries/*)
room(bench util spec/* concrete concrete/* queries/*)
# The independent evaluator: tests compare the project's answers with it, so it shares no code with
# the project.
room(tests/support/reference)
room(tests util spec/* api/plugin concrete concrete/* report/picture encoder solver proof/* queries/* hardware/rtl
  hardware/rtl/cases hardware/rtl/circuit hardware/rtl/equivalence hardware/rtl/vhdl hardware/rtl/fixed_point
  hardware/rtl/flags hardware/replay/device hardware/replay/host apps/web/engine examples
  tests/support/reference)

# The GPU programs use only this header of the project, which defines the vector format's drawn
# rows.
set(vector_format "concrete/rows/drawn_rows.h")

set(solver_headers "^(z3|cvc5|bitwuzla|cadical)")

# room_of(RESULT PATH): the innermost room; empty if there is none.
function(room_of result path)
  cmake_path(GET path PARENT_PATH folder)
  while(folder AND NOT folder IN_LIST rooms)
    cmake_path(GET folder PARENT_PATH folder)
  endwhile()
  set(${result} "${folder}" PARENT_SCOPE)
endfunction()

set(faults "")
set(folders ${rooms})
list(TRANSFORM folders REPLACE "/.*" "")
list(REMOVE_DUPLICATES folders)
foreach(folder IN LISTS folders)
  file(GLOB_RECURSE files RELATIVE "${SOURCE_DIR}"
    "${SOURCE_DIR}/${folder}/*.h" "${SOURCE_DIR}/${folder}/*.cpp"
    "${SOURCE_DIR}/${folder}/*.cu" "${SOURCE_DIR}/${folder}/*.cuh" "${SOURCE_DIR}/${folder}/*.hip")
  foreach(file IN LISTS files)
    room_of(room "${file}")
    if(NOT room)
      list(APPEND faults "${file}: stands in no room of cmake/CheckArchitecture.cmake")
      continue()
    endif()
    file(STRINGS "${SOURCE_DIR}/${file}" includes REGEX "^[ \t]*#[ \t]*include")
    foreach(include IN LISTS includes)
      if(NOT include MATCHES "[<\"]([^>\"]+)[>\"]")
        continue()
      endif()
      set(path "${CMAKE_MATCH_1}")
      string(REGEX MATCH "^[^/]+" root "${path}")
      if(room STREQUAL "api/include/mmaspec" AND NOT path MATCHES "^(mmaspec/)?[a-z_]+(\\.h)?$")
        list(APPEND faults "${file}: <${path}>: headers of the API include the standard library and each other alone")
      elseif(path MATCHES "(^|/)\\.\\.?/")
        list(APPEND faults "${file}: \"${path}\" is spelled from the file's own folder, not from the repository's root")
      elseif(root IN_LIST folders)
        room_of(used "${path}")
        if(NOT used STREQUAL room AND NOT used IN_LIST ${room}_may_use
            AND NOT (room STREQUAL "hardware/replay/device" AND path STREQUAL vector_format))
          list(JOIN ${room}_may_use ", " allowed)
          list(APPEND faults "${file}: \"${path}\": ${room} may use only itself and [${allowed}]")
        endif()
      elseif(path MATCHES "${solver_headers}" AND NOT room MATCHES "^(solver|tools)$")
        list(APPEND faults "${file}: <${path}>: only solver/ speaks to a solver's library")
      endif()
    endforeach()
  endforeach()
endforeach()

# A folder must be easy to survey, and a file must have a single topic.
foreach(folder IN LISTS rooms)
  file(GLOB files "${SOURCE_DIR}/${folder}/*.h" "${SOURCE_DIR}/${folder}/*.cpp")
  list(LENGTH files count)
  if(count GREATER 20)
    list(APPEND faults "${folder}: ${count} sources; more than 20 are two rooms")
  endif()
endforeach()

if(faults)
  list(JOIN faults "\n  " text)
  message(FATAL_ERROR "The rooms are not in order:\n  ${text}")
endif()
