# cmake -DCORE=<folder> -P printing.cmake: only some files of the host print. All others print through
# them, so that text out of files cannot control the terminal. See core/base/text/text_out.hpp.
cmake_minimum_required(VERSION 3.25)
set(printing
  base/surroundings.cpp         # stdout, stderr
  launch/console.cpp            # asks for the width of the terminal
  base/open_calls.hpp base/signal_message.hpp launch/crash_report.cpp launch/stop_signal.cpp # signals
  check/system/forked_function.cpp sweep/runs/sculpt_process.cpp) # between fork and exec
set(words "std::(cout|cerr|clog|wcout)|STD(OUT|ERR)_FILENO|(^|[^a-z_])(stdout|stderr)($|[^a-z_])"
  "|(^|[^a-z_])(printf|puts|putchar|perror|psignal)\\(")
string(CONCAT words ${words})

set(faults)
file(GLOB_RECURSE files RELATIVE ${CORE} ${CORE}/*.hpp ${CORE}/*.cpp)
list(REMOVE_ITEM files ${printing})
foreach(file IN LISTS files)
  file(STRINGS ${CORE}/${file} lines REGEX "${words}")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "//.*" "" code "${line}")
    if(code MATCHES "${words}")
      string(APPEND faults "${file} prints (${code}): use base/text/text_out.hpp or launch/console.hpp\n")
    endif()
  endforeach()
endforeach()
if(NOT files)
  set(faults "${CORE}: no sources\n")
endif()
if(faults)
  message(FATAL_ERROR "${faults}")
endif()
