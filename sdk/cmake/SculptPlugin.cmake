# sculpt_add_plugin(<name> SOURCES <file>... [LINK <library>...] [NO_INSTALL])
#
# Builds <name>.so, a shared library that exports sculpt_entry and nothing else, and writes
# <name>.sculpt.json beside it: what the library offers, so that `sculpt describe` and the search for
# a component need not load it. The build fails with a sentence when the catalogue is faulty.
#
# Both files go to ${SCULPT_PLUGIN_DIRECTORY} if that is set, else where the project puts its
# libraries; `cmake --install` puts them into lib/sculpt/plugins, where a host under the same prefix
# looks. The libraries behind LINK stay private to the plugin.
#
# Used by this project, by find_package(sculpt) from an installation or from the folder sdk/ of a
# source tree, and by include(SculptPlugin) with this folder on CMAKE_MODULE_PATH.
include_guard(GLOBAL)

get_property(sculpt_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(NOT "C" IN_LIST sculpt_languages)
  enable_language(C) # the program that writes the sidecar
endif()
unset(sculpt_languages)

if(NOT TARGET sculpt::sdk)
  add_library(sculpt::sdk INTERFACE IMPORTED GLOBAL)
  target_include_directories(sculpt::sdk INTERFACE ${CMAKE_CURRENT_LIST_DIR}/../include)
endif()

# The program sculpt_sidecar, once in a build tree. Made with the first plugin, not when this file is
# read, so that it gets the same sanitizers: without them it could not load the plugin.
function(_sculpt_add_sidecar_program)
  if(TARGET sculpt_sidecar)
    return()
  endif()
  set(folder ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/sidecar)
  add_executable(sculpt_sidecar ${folder}/main.c ${folder}/check.c ${folder}/json.c
    ${folder}/pairings.c)
  target_compile_features(sculpt_sidecar PRIVATE c_std_99)
  target_link_libraries(sculpt_sidecar PRIVATE sculpt::sdk ${CMAKE_DL_LIBS})
  set_target_properties(sculpt_sidecar PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/sculpt_sidecar)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if("CXX" IN_LIST languages) # clang keeps part of its sanitizer runtime for C++ programs
    set_target_properties(sculpt_sidecar PROPERTIES LINKER_LANGUAGE CXX)
  endif()
endfunction()

# clang links its sanitizer runtimes into the executable alone, so a library has undefined symbols.
function(_sculpt_libraries_must_be_complete result)
  get_directory_property(compile_options COMPILE_OPTIONS)
  get_directory_property(link_options LINK_OPTIONS)
  set(flags "${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS} ${CMAKE_MODULE_LINKER_FLAGS}")
  string(APPEND flags " ${compile_options} ${link_options}")
  if("${CMAKE_C_COMPILER_ID} ${CMAKE_CXX_COMPILER_ID}" MATCHES "Clang"
     AND flags MATCHES "-fsanitize")
    set(${result} FALSE PARENT_SCOPE)
  else()
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

function(sculpt_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_INSTALL" "" "SOURCES;LINK")
  if(NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "sculpt_add_plugin(${name} SOURCES <file>... [LINK <library>...] [NO_INSTALL]): "
      "SOURCES is missing or there are words that belong to no key: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(version_script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/plugin.version)
  _sculpt_add_sidecar_program()

  add_library(${name} MODULE ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE sculpt::sdk ${arg_LINK})
  target_compile_features(${name} PRIVATE c_std_99)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if("CXX" IN_LIST languages)
    target_compile_features(${name} PRIVATE cxx_std_20)
  endif()
  # Without a build type compilers do not optimize, and templates are ten times as slow then.
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    target_compile_options(${name} PRIVATE -O2)
  endif()
  set_target_properties(${name} PROPERTIES
    PREFIX ""
    POSITION_INDEPENDENT_CODE ON
    C_VISIBILITY_PRESET hidden
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    LINK_DEPENDS "${version_script};$<TARGET_FILE:sculpt_sidecar>")
  target_link_options(${name} PRIVATE "LINKER:--version-script=${version_script}")
  _sculpt_libraries_must_be_complete(complete)
  if(complete)
    target_link_options(${name} PRIVATE "LINKER:-z,defs")
  endif()
  if(SCULPT_PLUGIN_DIRECTORY)
    set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${SCULPT_PLUGIN_DIRECTORY})
  endif()

  set(sidecar $<TARGET_FILE_DIR:${name}>/${name}.sculpt.json)
  add_custom_command(TARGET ${name} POST_BUILD
    COMMAND sculpt_sidecar $<TARGET_FILE:${name}> ${sidecar}
    COMMENT "Listing what ${name} offers"
    VERBATIM)
  set_property(DIRECTORY APPEND PROPERTY ADDITIONAL_CLEAN_FILES ${sidecar})

  if(NOT arg_NO_INSTALL)
    install(TARGETS ${name} LIBRARY DESTINATION lib/sculpt/plugins)
    install(FILES ${sidecar} DESTINATION lib/sculpt/plugins)
  endif()
endfunction()
