# Checks that every plugin exports sculpt_entry and nothing else.
#
#   cmake -DNM=<nm> -DFOLDERS=<folder>... -P exports.cmake
set(libraries)
foreach(folder IN LISTS FOLDERS)
  file(GLOB found ${folder}/*.so)
  list(APPEND libraries ${found})
endforeach()
if(NOT libraries)
  message(FATAL_ERROR "no plugin in ${FOLDERS}")
endif()
foreach(library IN LISTS libraries)
  execute_process(
    COMMAND ${NM} --dynamic --defined-only --format=posix ${library}
    OUTPUT_VARIABLE symbols OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  if(NOT symbols MATCHES "^sculpt_entry T [0-9a-f ]+$")
    message(SEND_ERROR "${library} exports:\n${symbols}")
  endif()
endforeach()
