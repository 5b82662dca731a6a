# Checks that the compiler refuses a file. Its message must hold the text after `// expect:` in the
# first line of the file.
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
