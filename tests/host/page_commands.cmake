# Builds the program that sdk/host.md names by the commands of that page, in an installation of its
# own prefix, and runs it.
#
#   cmake -DPREFIX=<installation> -DSCRATCH=<folder> -P page_commands.cmake
cmake_minimum_required(VERSION 3.25)
set(pages ${PREFIX}/share/doc/sculpt)
file(STRINGS ${pages}/sdk/host.md lines REGEX "^    (export|cc) .*PREFIX")
list(LENGTH lines count)
if(NOT count EQUAL 2)
  message(FATAL_ERROR "sdk/host.md has ${count} commands with PREFIX, not 2: ${lines}")
endif()
list(JOIN lines "\n" commands)
file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH})
configure_file(${pages}/tests/host/train_and_predict.c ${SCRATCH}/my.c COPYONLY)
file(WRITE ${SCRATCH}/commands "set -e\n${commands}\n./my\n")
unset(ENV{LD_LIBRARY_PATH})
set(ENV{PREFIX} ${PREFIX})
execute_process(COMMAND sh ${SCRATCH}/commands WORKING_DIRECTORY ${SCRATCH}
  OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
if(NOT output STREQUAL "reached, gap below 1e-06\n1 2 2 1\n")
  message(FATAL_ERROR "the program printed: ${output}")
endif()
