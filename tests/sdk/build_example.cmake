# Copies an example out of the source tree and builds it with the SDK alone, with the same
# optimization as other tests.
#
#   cmake -DEXAMPLE=<folder> -DNAME=<plugin> -DSCRATCH=<folder> -DSDK=<prefix> -DGENERATOR=...
#         -DC_COMPILER=... -DCXX_COMPILER=... -P build_example.cmake
file(REMOVE_RECURSE ${SCRATCH})
file(COPY ${EXAMPLE}/ DESTINATION ${SCRATCH})
execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${SCRATCH} -B ${SCRATCH}/build -G ${GENERATOR}
    -DCMAKE_PREFIX_PATH=${SDK} -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1
    -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${SCRATCH}/build COMMAND_ERROR_IS_FATAL ANY)

file(READ ${SCRATCH}/build/${NAME}.sculpt.json sidecar)
string(JSON component_count ERROR_VARIABLE problem LENGTH "${sidecar}" components)
if(problem OR component_count EQUAL 0)
  message(FATAL_ERROR "${NAME}.sculpt.json lists no component: ${problem}")
endif()
