# sculpt_add_mutant(<name> <source> <from> <to> [<other source>...]): builds a plugin from a copy of
# <source>, in which the text <from> is replaced by <to>. Each mutant has its own folder, because
# many mutants offer the same component.
#
# Configuring fails if <source> does not hold <from> exactly once. So no mutant equals its original.
function(sculpt_add_mutant name source from to)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(READ ${source} text)
  string(FIND "${text}" "${from}" first)
  string(FIND "${text}" "${from}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "mutant ${name}: ${source} does not hold exactly once: ${from}")
  endif()
  string(REPLACE "${from}" "${to}" text "${text}")
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${name}/${name}.cpp)
  file(CONFIGURE OUTPUT ${file} CONTENT "@text@" @ONLY)
  set(SCULPT_PLUGIN_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${name})
  get_filename_component(folder ${source} DIRECTORY)
  sculpt_add_plugin(mutant_${name} NO_INSTALL SOURCES ${file} ${ARGN})
  target_include_directories(mutant_${name} PRIVATE ${folder})
  target_compile_options(mutant_${name} PRIVATE -O0 -w) # speed does not matter; some have warnings
  if(SCULPT_SANITIZE) # the host that checks them is instrumented; without it they compile in half the time
    target_compile_options(mutant_${name} PRIVATE -fno-sanitize=all)
  endif()
  _sculpt_share_headers(mutant_${name})
  set_property(GLOBAL APPEND PROPERTY SCULPT_MUTANTS mutant_${name})
endfunction()

# Lets all mutants read the headers of the SDK as compiled for the first mutant, which saves a third
# of their time. ccache would keep no mutant then, so not behind a launcher.
function(_sculpt_share_headers target)
  if(CMAKE_CXX_COMPILER_LAUNCHER OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  set_target_properties(${target} PROPERTIES DEFINE_SYMBOL "") # all have the same flags
  get_property(mutants GLOBAL PROPERTY SCULPT_MUTANTS)
  if(mutants)
    list(GET mutants 0 first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE <sculpt/sculpt.hpp> <algorithm> <array> <cmath>
      <functional> <map> <numeric> <random> <string> <vector>)
  endif()
endfunction()

# sculpt_add_unchanged_sources(<name> <source>...): compiles sources once for all mutants that do
# not change them. Give ${<name>_unchanged} to sculpt_add_mutant() in place of these sources.
function(sculpt_add_unchanged_sources name)
  set(sources ${ARGN})
  sculpt_join(unchanged_${name} sources)
  add_library(unchanged_${name} OBJECT ${sources})
  target_link_libraries(unchanged_${name} PRIVATE sculpt::sdk)
  set_target_properties(unchanged_${name} PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  set(${name}_unchanged $<TARGET_OBJECTS:unchanged_${name}> PARENT_SCOPE)
endfunction()
