# Fails where a room includes what stands above it: cmake -D SOURCE_DIR=... -P CheckArchitecture.cmake
#
# One include root serves all folders, so the compiler alone would let any folder see any other. docs/architecture.md
# says what each room is for.

cmake_minimum_required(VERSION 3.25)

# room(FOLDER [ROOM...]): FOLDER may include itself and these rooms, which come before it. A file belongs to the
# innermost room; a name ending in /* stands for all rooms of that folder.
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
room(spec/algorithms util spec/lang spec/formats spec/parts)
room(spec/catalog util spec/*)
room(concrete util spec/lang)
room(concrete/batch util spec/lang concrete)
room(concrete/dot util spec/* concrete concrete/batch)
room(vectors util spec/* concrete/dot)
room(encoder util spec/lang)
room(solver util spec/lang encoder)
room(queries/numbers util spec/* concrete concrete/* vectors)
room(queries/draw util spec/* concrete concrete/* vectors queries/numbers)
room(queries/arguments util spec/* queries/numbers)
room(queries/ask util spec/* concrete concrete/* vectors encoder solver queries/numbers queries/draw)
room(queries/property util spec/* concrete/dot queries/numbers queries/ask)
room(queries/properties util spec/* queries/numbers queries/arguments queries/ask queries/property)
room(queries/prove util spec/* concrete concrete/* vectors solver queries/numbers queries/draw queries/arguments
  queries/ask queries/property)
room(queries/audit util spec/* concrete concrete/* vectors encoder solver queries/numbers queries/draw queries/ask)
room(queries/table util vectors queries/prove queries/audit)
room(replay/device)
room(replay/host util spec/* concrete concrete/* vectors solver queries/*)
# Its rows carry every class's answer, as those that decide between hypotheses do.
room(queries/suite util spec/* concrete concrete/* vectors solver queries/numbers queries/draw queries/arguments
  queries/ask queries/prove replay/host)
room(cli util spec/* concrete/dot vectors encoder solver queries/* replay/host)
room(cli/text util spec/* concrete/dot vectors queries/* replay/host cli)
room(cli/commands util spec/* concrete/dot vectors encoder solver queries/* replay/host cli cli/text)
room(examples util spec/* concrete/dot)
room(tools util spec/* concrete/dot)
room(bench util spec/* concrete concrete/* queries/*)
# The independent evaluator: what judges the project's answers shares no code with it.
room(tests/support/reference)
room(tests util spec/* concrete concrete/* vectors encoder solver queries/* replay/device replay/host examples
  tests/support/reference)

# The vector format's drawn rows are all that the GPU programs know of the project.
set(vector_format "vectors/drawn_rows.h")

set(solver_headers "^(z3|cvc5|bitwuzla|cadical)")

# room_of(RESULT PATH): the innermost room, or nothing.
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
      if(path MATCHES "(^|/)\\.\\.?/")
        list(APPEND faults "${file}: \"${path}\" is spelled from the file's own folder, not from the repository's root")
      elseif(root IN_LIST folders)
        room_of(used "${path}")
        if(NOT used STREQUAL room AND NOT used IN_LIST ${room}_may_use
            AND NOT (room STREQUAL "replay/device" AND path STREQUAL vector_format))
          list(JOIN ${room}_may_use ", " allowed)
          list(APPEND faults "${file}: \"${path}\": ${room} may use only itself and [${allowed}]")
        endif()
      elseif(path MATCHES "${solver_headers}" AND NOT room MATCHES "^(solver|tools)$")
        list(APPEND faults "${file}: <${path}>: only solver/ speaks to a solver's library")
      endif()
    endforeach()
  endforeach()
endforeach()

# Whoever reads a folder wants to see it at a glance, and a file to be one idea.
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
