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
