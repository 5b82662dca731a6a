# cmake -DCORE=<folder> -P include_order.cmake: checks the includes of the host's sources. It fails if
# a source includes a header of a folder later in the order below, or if a folder is not in the order.
# Code that several folders need belongs into the first of them, or into an earlier one.
cmake_minimum_required(VERSION 3.25)
set(order
  base base/text base/file base/memory linalg parallel parallel/ranks
  qp/plane qp/working_set qp/block qp/interior qp
  objective
  solver solver/cutting_plane solver/n_slack solver/one_slack solver/frank_wolfe solver/online solver/crf
  solver/moments solver/generative solver/catalogue
  problem/plugin problem/components problem/cache problem/kernel problem/oracle problem/map_oracle problem
  problem/separation problem/sources problem/outputs problem/prediction
  experiment registry model run verify launch batch
  sweep/plan sweep/runs sweep/results sweep/slurm
  check/system check/fixture check/answers check/small_graphs check/tests check/variants check
  leave_one_out
  report/markup report/figure report/record report/output report/sections report
  command/data command/plan command/training command/inputs command/new command/task command/reports command/comparison
  command/reporting command/sweeping command/manual command library)

set(faults)
file(GLOB_RECURSE files RELATIVE ${CORE} ${CORE}/*.hpp ${CORE}/*.cpp)
foreach(file IN LISTS files)
  cmake_path(GET file PARENT_PATH folder)
  if(NOT folder)
    if(NOT file STREQUAL "main.cpp")
      string(APPEND faults "${file}: only main.cpp stands outside the folders\n")
    endif()
    continue()
  endif()
  list(FIND order ${folder} place)
  if(place EQUAL -1)
    string(APPEND faults "${file}: ${folder}/ is not in the order of include_order.cmake\n")
    continue()
  endif()
  file(STRINGS ${CORE}/${file} includes REGEX "^#include \"")
  foreach(include IN LISTS includes)
    string(REGEX MATCH "\"([a-z_/]+)/[^/]*\"" of_folder "${include}")
    list(FIND order "${CMAKE_MATCH_1}" included)
    if(NOT of_folder OR included EQUAL -1)
      string(APPEND faults "${file}: ${include}: no header of a folder in the order of include_order.cmake\n")
    elseif(included GREATER place)
      string(APPEND faults "core/${folder} may not include core/${CMAKE_MATCH_1} (${file}: ${include}): "
        "folders may include only those before them in the order of include_order.cmake\n")
    endif()
  endforeach()
endforeach()
if(NOT files)
  set(faults "${CORE}: no sources\n")
endif()
if(faults)
  message(FATAL_ERROR "${faults}")
endif()
