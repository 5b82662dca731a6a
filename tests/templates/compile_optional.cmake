# Compiles the sources of a template with its optional methods, but makes no code: they have no
# bodies.
#
#   cmake -DFOLDER=<template> -DLANGUAGE=<c|cpp> -DINCLUDE=<sdk/include> -DCOMPILER=<compiler>
#         -DSCRATCH=<folder> -P compile_optional.cmake
cmake_minimum_required(VERSION 3.25)
set(flags -std=c++20 -w)
if(LANGUAGE STREQUAL "c")
  # A function of another type in a table is a warning in C, which -w would switch off.
  set(flags -std=c99 -Werror=incompatible-pointer-types)
endif()
file(REMOVE_RECURSE ${SCRATCH})
file(COPY ${FOLDER}/ DESTINATION ${SCRATCH})
file(GLOB sources ${SCRATCH}/*.${LANGUAGE})
set(blocks 0)
foreach(source IN LISTS sources)
  file(READ ${source} text)
  string(REGEX MATCHALL "\n#if 0[ \n]" found "${text}")
  list(LENGTH found count)
  math(EXPR blocks "${blocks} + ${count}")
  string(REPLACE "\n#if 0" "\n#if 1" text "${text}")
  file(WRITE ${source} "${text}")
  execute_process(COMMAND ${COMPILER} ${flags} -fsyntax-only -I ${INCLUDE} ${source}
    COMMAND_ERROR_IS_FATAL ANY)
endforeach()
if(blocks EQUAL 0)
  message(FATAL_ERROR "${FOLDER} has no block of optional methods in ${LANGUAGE}")
endif()
