# sculpt_add_mutant(<name> <source> <from> <to> [<other source>...]): the plugin of a source in which one piece of text is
# replaced by another one, in a folder of its own: many mutants offer the same component.
#
# Configuring fails when the text is not there exactly once, so that a mutant cannot turn into the
# original unnoticed.
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
  sculpt_add_plugin(zoo_${name} NO_INSTALL SOURCES ${file} ${ARGN})
  target_include_directories(zoo_${name} PRIVATE ${folder})
  target_compile_options(zoo_${name} PRIVATE -O0 -w) # never fast, and at times no good style
  set_property(GLOBAL APPEND PROPERTY SCULPT_MUTANTS zoo_${name})
endfunction()

# sculpt_add_right_sources(<name> <source>...): compiles sources that are not changed once, for all
# mutants that are linked with them: ${<name>_rest} is given to sculpt_add_mutant() in their place.
function(sculpt_add_right_sources name)
  set(sources ${ARGN})
  sculpt_join(zoo_${name}_rest sources)
  add_library(zoo_${name}_rest OBJECT ${sources})
  target_link_libraries(zoo_${name}_rest PRIVATE sculpt::sdk)
  set_target_properties(zoo_${name}_rest PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  set(${name}_rest $<TARGET_OBJECTS:zoo_${name}_rest> PARENT_SCOPE)
endfunction()
