# find_package(sculpt): the target sculpt::sdk (the headers) and sculpt_add_plugin(). The same file
# serves an installation, which has sculptTargets.cmake beside it, and the folder sdk/ of a source
# tree. The target sculpt::host is libsculpt, if it is in the same prefix.
include(${CMAKE_CURRENT_LIST_DIR}/sculptTargets.cmake OPTIONAL)
include(${CMAKE_CURRENT_LIST_DIR}/SculptPlugin.cmake)

if(NOT DEFINED sculpt_libraries) # the build tree sets it
  cmake_path(SET sculpt_libraries NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../..)
endif()
if(NOT TARGET sculpt::host AND EXISTS ${sculpt_libraries}/libsculpt.so)
  add_library(sculpt::host SHARED IMPORTED)
  set_target_properties(sculpt::host PROPERTIES IMPORTED_LOCATION ${sculpt_libraries}/libsculpt.so)
  target_link_libraries(sculpt::host INTERFACE sculpt::sdk)
endif()
unset(sculpt_libraries)
