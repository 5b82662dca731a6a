# Every link of the installed README.md to a file or a folder must lead to one.
#
#   cmake -DPREFIX=<folder> -P installed_links.cmake
set(folder ${PREFIX}/share/doc/sculpt)
file(READ ${folder}/README.md text)
string(REPLACE "[" "(" text "${text}")  # brackets hide the ; of lists
string(REPLACE "]" ")" text "${text}")
string(REGEX MATCHALL "\\)\\([a-zA-Z][a-zA-Z0-9_./-]*" links "${text}")
list(LENGTH links count)
if(count LESS 8)
  message(FATAL_ERROR "${folder}/README.md: found ${count} links, which are too few")
endif()
foreach(link IN LISTS links)
  string(SUBSTRING "${link}" 2 -1 target)
  if(target MATCHES "^https?")
    continue()
  endif()
  if(NOT EXISTS ${folder}/${target})
    message(FATAL_ERROR "${folder}/README.md links ${target}, which is not installed")
  endif()
endforeach()
