# cmake -DSIDECAR=<program> -DLIBRARY=<plugin> -DOUTPUT=<file> -P read_sidecar.cmake
execute_process(COMMAND ${SIDECAR} ${LIBRARY} ${OUTPUT} COMMAND_ERROR_IS_FATAL ANY)
file(READ ${OUTPUT} text)
string(JSON version GET "${text}" sculpt_sidecar)
string(JSON summary GET "${text}" components 0 summary)
string(JSON choice GET "${text}" components 0 parameters 0 choices 1)
string(JSON default GET "${text}" components 0 parameters 0 default)
string(ASCII 1 control)
if(NOT version EQUAL 1 OR NOT choice STREQUAL "green" OR NOT default STREQUAL "red"
   OR NOT summary STREQUAL "a \"loss\" \\ for tests\n${control}")
  message(FATAL_ERROR "not what the catalogue says: ${text}")
endif()
