# Checks that `sculpt check` knows each extension of the SDK, so that it finds one that is not
# declared or belongs to another kind.
#
#   cmake -DINCLUDE=<sdk/include/sculpt/ext> -DTABLE=<known_extensions.cpp>
#         -P known_extensions.cmake
cmake_minimum_required(VERSION 3.25)
file(READ ${TABLE} known)
string(REGEX REPLACE "{[ \n]+" "{" known "${known}") # a long row has several lines
set(count 0)
file(GLOB_RECURSE headers ${INCLUDE}/*.h)
foreach(header IN LISTS headers)
  file(STRINGS ${header} ids REGEX "^#define SCULPT_(EXT|HOST)_[A-Z_]+ +\"sculpt\\.")
  foreach(id IN LISTS ids)
    string(REGEX REPLACE "^#define ([A-Z_]+).*" "\\1" name "${id}")
    math(EXPR count "${count} + 1")
    string(FIND "${known}" "{${name}," place)
    if(place EQUAL -1)
      message(SEND_ERROR "${TABLE} lacks ${name} of ${header}; add it with the kinds that offer it")
    endif()
  endforeach()
endforeach()
if(count LESS 45)
  message(FATAL_ERROR "${count} ids were found; has their form changed?")
endif()
