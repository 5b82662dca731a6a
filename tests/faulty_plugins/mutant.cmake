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
  set_property(GLOBAL APPEND PROPERTY SCULPT_MUTANTS mutant_${name})
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
