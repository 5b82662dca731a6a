/* host_0_1.c - the sizes, offsets and numbers of libsculpt's C API, version 0.1, on 64-bit
 * machines. The test is that it compiles.
 *
 * A change here breaks programs that were built before: raise SCULPT_HOST_MINOR (host/api.h). */
#include <sculpt/host/host.h>

#include "layout.h"

/* host/api.h */
NUMBER(SCULPT_EXIT_REACHED, 0);
NUMBER(SCULPT_EXIT_CHECK_FAILED, 1);
NUMBER(SCULPT_EXIT_NOT_REACHED, 3);
NUMBER(SCULPT_EXIT_USAGE, 64);
NUMBER(SCULPT_EXIT_DATA, 65);
NUMBER(SCULPT_EXIT_MISSING, 66);
NUMBER(SCULPT_EXIT_PLUGIN, 69);
NUMBER(SCULPT_EXIT_INTERNAL, 70);
NUMBER(SCULPT_EXIT_MEMORY, 71);
NUMBER(SCULPT_EXIT_CANNOT_CREATE, 73);
NUMBER(SCULPT_EXIT_WRITE_FAILED, 74);
NUMBER(SCULPT_EXIT_CONFIG, 78);
NUMBER(SCULPT_EXIT_INTERRUPTED, 130);

/* host/session.h */
NUMBER(SCULPT_TEXT_RESULT, 0);
NUMBER(SCULPT_TEXT_MESSAGE, 1);
NUMBER(SCULPT_TEXT_HELP, 2);
SIZE(sculpt_session_options, 40);
OFFSET(sculpt_session_options, struct_size, 0);
OFFSET(sculpt_session_options, threads, 4);
OFFSET(sculpt_session_options, plugin_path, 8);
OFFSET(sculpt_session_options, plugin_path_count, 16);
OFFSET(sculpt_session_options, write, 24);
OFFSET(sculpt_session_options, user, 32);

/* host/lent_rows.h */
SIZE(sculpt_lent_rows, 16);
OFFSET(sculpt_lent_rows, name, 0);
OFFSET(sculpt_lent_rows, rows, 8);

/* host/training.h */
NUMBER(SCULPT_RUN_REFUSE, 0);
NUMBER(SCULPT_RUN_REPLACE, 1);
NUMBER(SCULPT_RUN_RESUME, 2);
SIZE(sculpt_pass, 64);
OFFSET(sculpt_pass, struct_size, 0);
OFFSET(sculpt_pass, is_certified, 4);
OFFSET(sculpt_pass, pass, 8);
OFFSET(sculpt_pass, oracle_calls, 16);
OFFSET(sculpt_pass, primal, 24);
OFFSET(sculpt_pass, dual, 32);
OFFSET(sculpt_pass, gap, 40);
OFFSET(sculpt_pass, relative_gap, 48);
OFFSET(sculpt_pass, seconds, 56);
SIZE(sculpt_training_options, 96);
OFFSET(sculpt_training_options, struct_size, 0);
OFFSET(sculpt_training_options, existing, 4);
OFFSET(sculpt_training_options, path, 8);
OFFSET(sculpt_training_options, json, 16);
OFFSET(sculpt_training_options, folder, 24);
OFFSET(sculpt_training_options, set, 32);
OFFSET(sculpt_training_options, set_count, 40);
OFFSET(sculpt_training_options, output, 48);
OFFSET(sculpt_training_options, is_guarded, 56);
OFFSET(sculpt_training_options, reserved, 60);
OFFSET(sculpt_training_options, pass_done, 64);
OFFSET(sculpt_training_options, user, 72);
OFFSET(sculpt_training_options, lent, 80);
OFFSET(sculpt_training_options, lent_count, 88);

/* host/examples.h */
NUMBER(SCULPT_BEST, 0);
NUMBER(SCULPT_BEST_MARGINALS, 1);
SIZE(sculpt_examples_source, 56);
OFFSET(sculpt_examples_source, struct_size, 0);
OFFSET(sculpt_examples_source, reserved, 4);
OFFSET(sculpt_examples_source, path, 8);
OFFSET(sculpt_examples_source, text, 16);
OFFSET(sculpt_examples_source, text_size, 24);
OFFSET(sculpt_examples_source, set, 32);
OFFSET(sculpt_examples_source, set_count, 40);
OFFSET(sculpt_examples_source, rows, 48);
SIZE(sculpt_outputs, 64);
OFFSET(sculpt_outputs, struct_size, 0);
OFFSET(sculpt_outputs, reserved, 4);
OFFSET(sculpt_outputs, example_count, 8);
OFFSET(sculpt_outputs, first_output, 16);
OFFSET(sculpt_outputs, first_label, 24);
OFFSET(sculpt_outputs, label, 32);
OFFSET(sculpt_outputs, score, 40);
OFFSET(sculpt_outputs, probability, 48);
OFFSET(sculpt_outputs, text, 56);
SIZE(sculpt_rows, 40);
OFFSET(sculpt_rows, struct_size, 0);
OFFSET(sculpt_rows, reserved, 4);
OFFSET(sculpt_rows, example_count, 8);
OFFSET(sculpt_rows, first_row, 16);
OFFSET(sculpt_rows, first_value, 24);
OFFSET(sculpt_rows, value, 32);
SIZE(sculpt_predict_options, 16);
OFFSET(sculpt_predict_options, struct_size, 0);
OFFSET(sculpt_predict_options, choice, 4);
OFFSET(sculpt_predict_options, keeps_given, 8);
OFFSET(sculpt_predict_options, has_text, 12);

/* host/batch.h */
NUMBER(SCULPT_BATCH_SHARED_TABLE, 0);
NUMBER(SCULPT_BATCH_OWN_TABLES, 1);
NUMBER(SCULPT_BATCH_HINGE, 0);
NUMBER(SCULPT_BATCH_PERCEPTRON, 1);
NUMBER(SCULPT_BATCH_LOG_LOSS, 2);
NUMBER(SCULPT_BATCH_SOFTMAX_MARGIN, 3);
SIZE(sculpt_batch_options, 56);
OFFSET(sculpt_batch_options, struct_size, 0);
OFFSET(sculpt_batch_options, threads, 4);
OFFSET(sculpt_batch_options, map_solver, 8);
OFFSET(sculpt_batch_options, parameters, 16);
OFFSET(sculpt_batch_options, plugin_path, 24);
OFFSET(sculpt_batch_options, plugin_path_count, 32);
OFFSET(sculpt_batch_options, log, 40);
OFFSET(sculpt_batch_options, user, 48);
SIZE(sculpt_batch_graph_arrays, 80);
OFFSET(sculpt_batch_graph_arrays, struct_size, 0);
OFFSET(sculpt_batch_graph_arrays, state_count, 4);
OFFSET(sculpt_batch_graph_arrays, example_count, 8);
OFFSET(sculpt_batch_graph_arrays, variable_from, 16);
OFFSET(sculpt_batch_graph_arrays, states, 24);
OFFSET(sculpt_batch_graph_arrays, factor_from, 32);
OFFSET(sculpt_batch_graph_arrays, scope_from, 40);
OFFSET(sculpt_batch_graph_arrays, scope, 48);
OFFSET(sculpt_batch_graph_arrays, shared_table, 56);
OFFSET(sculpt_batch_graph_arrays, shared_count, 64);
OFFSET(sculpt_batch_graph_arrays, shared_sizes, 72);
SIZE(sculpt_batch_layout, 72);
OFFSET(sculpt_batch_layout, struct_size, 0);
OFFSET(sculpt_batch_layout, reserved, 4);
OFFSET(sculpt_batch_layout, example_count, 8);
OFFSET(sculpt_batch_layout, variable_count, 16);
OFFSET(sculpt_batch_layout, unary_size, 24);
OFFSET(sculpt_batch_layout, tables_size, 32);
OFFSET(sculpt_batch_layout, shared_size, 40);
OFFSET(sculpt_batch_layout, variable_from, 48);
OFFSET(sculpt_batch_layout, unary_from, 56);
OFFSET(sculpt_batch_layout, tables_from, 64);
SIZE(sculpt_batch_input, 104);
OFFSET(sculpt_batch_input, struct_size, 0);
OFFSET(sculpt_batch_input, cost_count, 4);
OFFSET(sculpt_batch_input, unary, 8);
OFFSET(sculpt_batch_input, tables, 16);
OFFSET(sculpt_batch_input, shared, 24);
OFFSET(sculpt_batch_input, unary_size, 32);
OFFSET(sculpt_batch_input, tables_size, 40);
OFFSET(sculpt_batch_input, shared_size, 48);
OFFSET(sculpt_batch_input, truths, 56);
OFFSET(sculpt_batch_input, truth_size, 64);
OFFSET(sculpt_batch_input, variable_weights, 72);
OFFSET(sculpt_batch_input, costs, 80);
OFFSET(sculpt_batch_input, example_weights, 88);
OFFSET(sculpt_batch_input, seed, 96);
SIZE(sculpt_batch_output, 64);
OFFSET(sculpt_batch_output, struct_size, 0);
OFFSET(sculpt_batch_output, reserved, 4);
OFFSET(sculpt_batch_output, values, 8);
OFFSET(sculpt_batch_output, unary, 16);
OFFSET(sculpt_batch_output, tables, 24);
OFFSET(sculpt_batch_output, shared, 32);
OFFSET(sculpt_batch_output, outputs, 40);
OFFSET(sculpt_batch_output, exact, 48);
OFFSET(sculpt_batch_output, upper_bounds, 56);

/* host/batch_task.h */
SIZE(sculpt_batch_task_options, 72);
OFFSET(sculpt_batch_task_options, struct_size, 0);
OFFSET(sculpt_batch_task_options, threads, 4);
OFFSET(sculpt_batch_task_options, experiment, 8);
OFFSET(sculpt_batch_task_options, folder, 16);
OFFSET(sculpt_batch_task_options, plugin_path, 24);
OFFSET(sculpt_batch_task_options, plugin_path_count, 32);
OFFSET(sculpt_batch_task_options, log, 40);
OFFSET(sculpt_batch_task_options, user, 48);
OFFSET(sculpt_batch_task_options, lent, 56);
OFFSET(sculpt_batch_task_options, lent_count, 64);
SIZE(sculpt_batch_task_input, 56);
OFFSET(sculpt_batch_task_input, struct_size, 0);
OFFSET(sculpt_batch_task_input, reserved, 4);
OFFSET(sculpt_batch_task_input, examples, 8);
OFFSET(sculpt_batch_task_input, example_count, 16);
OFFSET(sculpt_batch_task_input, weights, 24);
OFFSET(sculpt_batch_task_input, weights_size, 32);
OFFSET(sculpt_batch_task_input, example_weights, 40);
OFFSET(sculpt_batch_task_input, seed, 48);
SIZE(sculpt_batch_task_output, 40);
OFFSET(sculpt_batch_task_output, struct_size, 0);
OFFSET(sculpt_batch_task_output, reserved, 4);
OFFSET(sculpt_batch_task_output, values, 8);
OFFSET(sculpt_batch_task_output, gradient, 16);
OFFSET(sculpt_batch_task_output, exact, 24);
OFFSET(sculpt_batch_task_output, upper_bounds, 32);
