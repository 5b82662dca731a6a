# Compiles a file that must be refused, with the words behind `// expect:` in its first line.
#
#   cmake "-DCOMPILE=<c++ and options>" -DFILE=<file> -P compile.cmake
file(STRINGS ${FILE} first LIMIT_COUNT 1)
string(REPLACE "// expect: " "" expected "${first}")
execute_process(
  COMMAND ${COMPILE} -fsyntax-only ${FILE}
  RESULT_VARIABLE status ERROR_VARIABLE messages)
string(FIND "${messages}" "${expected}" place)
if(status EQUAL 0 OR place EQUAL -1)
  message(FATAL_ERROR "not refused with `${expected}`:\n${messages}")
endif()
