# Checks that each method, list and constant that the SDK looks for has a case among the refused
# classes: a line `//   expect: ` of a file of this folder begins with its name.
#
#   cmake "-DHEADERS=<the headers with the tables>" -DFOLDER=<this folder> -P every_method.cmake
cmake_minimum_required(VERSION 3.25)
file(GLOB cases ${FOLDER}/*.cpp)
set(expected "")
foreach(file IN LISTS cases)
  file(STRINGS ${file} lines REGEX "//   expect: ")
  string(APPEND expected "${lines}")
endforeach()
set(count 0)
foreach(header IN LISTS HEADERS)
  file(STRINGS ${header} rows REGEX "^ *SCULPT_.*\\)$")
  list(FILTER rows EXCLUDE REGEX "\\(NAME,") # inside of a macro
  foreach(row IN LISTS rows)
    # A method, `, NAME, (`; a list, `, NAME)`; or one with further arguments, `, NAME, true`.
    string(REGEX MATCH ", ([a-z_]+)(, \\(|\\)$|, true|, false)" name "${row}")
    set(name "${CMAKE_MATCH_1}")
    math(EXPR count "${count} + 1")
    string(FIND "${expected}" "//   expect: `${name}` " place)
    if(name STREQUAL "")
      message(SEND_ERROR "this row names nothing: ${row}")
    elseif(place EQUAL -1)
      message(SEND_ERROR "no class is refused because of its `${name}`; add a case")
    endif()
  endforeach()
endforeach()
if(count LESS 80)
  message(SEND_ERROR "only ${count} rows were found")
endif()
