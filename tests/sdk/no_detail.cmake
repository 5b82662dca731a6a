# Checks that plugins use only what the SDK offers: no file names the namespace sculpt::detail.
#
#   cmake "-DFOLDERS=<folders>" -P no_detail.cmake
cmake_minimum_required(VERSION 3.25)
set(count 0)
foreach(folder IN LISTS FOLDERS)
  file(GLOB_RECURSE files ${folder}/*.cpp ${folder}/*.hpp)
  foreach(file IN LISTS files)
    math(EXPR count "${count} + 1")
    file(STRINGS ${file} uses REGEX "detail::")
    if(uses)
      message(SEND_ERROR "${file} uses the inside of the SDK: ${uses}")
    endif()
  endforeach()
endforeach()
if(count LESS 50)
  message(FATAL_ERROR "only ${count} files were read")
endif()
