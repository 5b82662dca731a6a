# Trains a built example with the host, and predicts PREDICT with the model if it is given. Fails
# unless the run ends with a certified gap.
#
#   cmake -DSCULPT=<host> -DSCRATCH=<folder> -DNAME=<plugin> [-DPREDICT=<file>]
#         -P train_example.cmake
file(REMOVE_RECURSE ${SCRATCH}/run)
execute_process(
  COMMAND ${SCULPT} train ${SCRATCH}/${NAME}.json --output ${SCRATCH}/run
  COMMAND_ERROR_IS_FATAL ANY)

file(STRINGS ${SCRATCH}/run/events.jsonl events REGEX "\"event\":\"finished\"")
string(JSON certified GET "${events}" certified)
string(JSON gap GET "${events}" relative_gap)
if(NOT certified OR gap GREATER 0.001)
  message(FATAL_ERROR "no certified relative gap of 1e-3: ${events}")
endif()

if(PREDICT)
  # The model has no paths of plugins, so the search path must contain them.
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env SCULPT_PLUGIN_PATH=${SCRATCH}/build
      ${SCULPT} predict ${SCRATCH}/run ${SCRATCH}/${PREDICT}
    OUTPUT_VARIABLE guesses
    COMMAND_ERROR_IS_FATAL ANY)
  file(STRINGS ${SCRATCH}/${PREDICT} examples)
  list(LENGTH examples expected)
  string(REGEX MATCHALL "[0-9]+\n" guesses "${guesses}")
  list(LENGTH guesses found)
  if(NOT found EQUAL expected)
    message(FATAL_ERROR "${found} predictions for ${expected} examples")
  endif()
endif()
