# Checks that the library exports the functions of a list and nothing else. A function that goes or
# changes its arguments breaks programs: then raise SCULPT_HOST_MINOR while MAJOR is 0.
#
#   cmake -DNM=<nm> -DLIBRARY=<file> -DEXPECTED=<list> -P functions.cmake
execute_process(COMMAND ${NM} --dynamic --defined-only --format=posix ${LIBRARY}
  OUTPUT_VARIABLE symbols OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE " [A-Z] [0-9a-f ]*" "" symbols "${symbols}")
string(REPLACE "\n" ";" symbols "${symbols}")
list(SORT symbols)
file(STRINGS ${EXPECTED} expected)
if(NOT symbols STREQUAL expected)
  message(FATAL_ERROR "${LIBRARY} exports:\n${symbols}\nexpected:\n${expected}")
endif()
