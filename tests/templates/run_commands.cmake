# Makes a plugin with `sculpt new`, and runs exactly the commands that it prints.
#
#   cmake -DPREFIX=<prefix with bin/sculpt> -DKIND=<kind> -DLANGUAGE=<c|cpp> -DSCRATCH=<folder>
#         -P run_commands.cmake
#
# The program is on the PATH for C++, and is not for C.
cmake_minimum_required(VERSION 3.25)
set(name strangers_${KIND})
set(option)
if(LANGUAGE STREQUAL "c")
  set(option --c)
else()
  set(ENV{PATH} "${PREFIX}/bin:$ENV{PATH}")
endif()
file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH})
execute_process(COMMAND ${PREFIX}/bin/sculpt new ${name} --kind ${KIND} ${option}
  WORKING_DIRECTORY ${SCRATCH} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)

# The commands are the lines that begin with four spaces.
set(commands "set -ex\n")
set(count 0)
string(REPLACE ";" "\\;" lines "${printed}")
string(REPLACE "\n" ";" lines "${lines}")
foreach(line IN LISTS lines)
  if(line MATCHES "^    (.*)")
    string(APPEND commands "${CMAKE_MATCH_1}\n")
    math(EXPR count "${count} + 1")
  endif()
endforeach()
if(NOT count EQUAL 8)
  message(FATAL_ERROR "${count} commands, not 8: ${printed}")
endif()
file(WRITE ${SCRATCH}/commands "${commands}")
execute_process(COMMAND sh ${SCRATCH}/commands WORKING_DIRECTORY ${SCRATCH}
  OUTPUT_VARIABLE output ECHO_OUTPUT_VARIABLE COMMAND_ERROR_IS_FATAL ANY)

# What the commands must have done: ctest has run a test, and the last command has predicted.
if(NOT output MATCHES "100% tests passed, 0 tests failed out of 1")
  message(FATAL_ERROR "ctest has run no test")
endif()
if(NOT output MATCHES "certified, target reached")
  message(FATAL_ERROR "no certified run")
endif()
execute_process(COMMAND ${PREFIX}/bin/sculpt describe ${SCRATCH}/${name}/runs/${name}
  COMMAND_ERROR_IS_FATAL ANY)
