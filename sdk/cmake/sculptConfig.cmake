# find_package(sculpt): the target sculpt::sdk (the headers) and sculpt_add_plugin(). The same file
# serves an installation, which has sculptTargets.cmake beside it, and the folder sdk/ of a source
# tree.
include(${CMAKE_CURRENT_LIST_DIR}/sculptTargets.cmake OPTIONAL)
include(${CMAKE_CURRENT_LIST_DIR}/SculptPlugin.cmake)
