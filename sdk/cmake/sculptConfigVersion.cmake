# The version of this project, and which versions find_package(sculpt <version>) accepts. The same
# file serves an installation and the folder sdk/ of a source tree. The CMakeLists.txt of the project
# reads its version here, so that it is written once.
set(PACKAGE_VERSION 0.2.0)

# As the ABI: while the major version is 0, only an equal minor version is accepted. From 1.0 on, an
# older minor version is accepted too. A range (0.1...0.3) accepts the versions in it.
function(_sculpt_check_version)
  string(REGEX MATCH "^([0-9]+)\\.([0-9]+)" series ${PACKAGE_VERSION})
  set(major ${CMAKE_MATCH_1})
  if(major EQUAL 0)
    set(oldest ${series})
  else()
    set(oldest ${major})
  endif()
  set(compatible FALSE)
  if(PACKAGE_FIND_VERSION_RANGE)
    if(PACKAGE_VERSION VERSION_GREATER_EQUAL PACKAGE_FIND_VERSION_MIN
       AND (PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION_MAX
            OR (PACKAGE_FIND_VERSION_RANGE_MAX STREQUAL "INCLUDE"
                AND PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION_MAX)))
      set(compatible TRUE)
    endif()
  elseif(PACKAGE_FIND_VERSION STREQUAL "")
    set(compatible TRUE)
  elseif(PACKAGE_FIND_VERSION VERSION_GREATER_EQUAL oldest
         AND PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION)
    set(compatible TRUE)
  endif()
  set(PACKAGE_VERSION_COMPATIBLE ${compatible} PARENT_SCOPE)
  set(exact FALSE)
  if(compatible AND PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(exact TRUE)
  endif()
  set(PACKAGE_VERSION_EXACT ${exact} PARENT_SCOPE)
endfunction()
_sculpt_check_version()
