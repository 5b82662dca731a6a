/* abi_0_2.c - the sizes and offsets of ABI 0.2 on 64-bit machines. The test is that it compiles.
 *
 * Once 0.2 is released, a change here is a change of the ABI: raise SCULPT_ABI_MINOR and start a
 * new file. */
#include <sculpt/base.h>
#include <sculpt/data.h>
#include <sculpt/ext/complete.h>
#include <sculpt/ext/count_loss.h>
#include <sculpt/ext/cut.h>
#include <sculpt/ext/enumerate.h>
#include <sculpt/ext/example_weights.h>
#include <sculpt/ext/factor_graph.h>
#include <sculpt/ext/frontier.h>
#include <sculpt/ext/groups.h>
#include <sculpt/ext/host.h>
#include <sculpt/ext/items.h>
#include <sculpt/ext/label_text.h>
#include <sculpt/ext/metrics.h>
#include <sculpt/ext/names.h>
#include <sculpt/ext/output_shape.h>
#include <sculpt/ext/scores.h>
#include <sculpt/ext/sites.h>
#include <sculpt/ext/state.h>
#include <sculpt/ext/weight_bounds.h>
#include <sculpt/kinds.h>
#include <sculpt/parameter.h>
#include <sculpt/plugin.h>

_Static_assert(SCULPT_ABI_MAJOR == 0 && SCULPT_ABI_MINOR == 2, "this is the layout of ABI 0.2");
_Static_assert(sizeof(void*) == 8 && sizeof(long) == 8, "LP64");

#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), "the size of " #type)
#define OFFSET(type, field, bytes) \
  _Static_assert(offsetof(type, field) == (bytes), "the offset of " #type "." #field)
#define NUMBER(name, value) _Static_assert((name) == (value), #name)

/* base.h */
SIZE(sculpt_version, 8);
OFFSET(sculpt_version, major, 0);
OFFSET(sculpt_version, minor, 4);
SIZE(sculpt_error, 24);
OFFSET(sculpt_error, text, 0);
OFFSET(sculpt_error, capacity, 8);
OFFSET(sculpt_error, grow, 16);

/* data.h */
SIZE(sculpt_labels, 16);
OFFSET(sculpt_labels, data, 0);
OFFSET(sculpt_labels, size, 8);
SIZE(sculpt_weights, 24);
OFFSET(sculpt_weights, data, 0);
OFFSET(sculpt_weights, size, 8);
OFFSET(sculpt_weights, stamp, 16);
SIZE(sculpt_accumulator, 48);
OFFSET(sculpt_accumulator, index, 0);
OFFSET(sculpt_accumulator, value, 8);
OFFSET(sculpt_accumulator, size, 16);
OFFSET(sculpt_accumulator, capacity, 24);
OFFSET(sculpt_accumulator, dimension, 32);
OFFSET(sculpt_accumulator, grow, 40);
SIZE(sculpt_label_buffer, 32);
OFFSET(sculpt_label_buffer, data, 0);
OFFSET(sculpt_label_buffer, size, 8);
OFFSET(sculpt_label_buffer, capacity, 16);
OFFSET(sculpt_label_buffer, grow, 24);
SIZE(sculpt_byte_buffer, 32);
OFFSET(sculpt_byte_buffer, data, 0);
OFFSET(sculpt_byte_buffer, size, 8);
OFFSET(sculpt_byte_buffer, capacity, 16);
OFFSET(sculpt_byte_buffer, grow, 24);
SIZE(sculpt_source, 32);
OFFSET(sculpt_source, struct_size, 0);
OFFSET(sculpt_source, reserved, 4);
OFFSET(sculpt_source, path, 8);
OFFSET(sculpt_source, text, 16);
OFFSET(sculpt_source, text_size, 24);

/* parameter.h */
SIZE(sculpt_parameter, 80);
OFFSET(sculpt_parameter, type, 0);
OFFSET(sculpt_parameter, flags, 4);
OFFSET(sculpt_parameter, name, 8);
OFFSET(sculpt_parameter, fallback, 16);
OFFSET(sculpt_parameter, lower, 24);
OFFSET(sculpt_parameter, upper, 32);
OFFSET(sculpt_parameter, choices, 40);
OFFSET(sculpt_parameter, unit, 48);
OFFSET(sculpt_parameter, summary, 56);
OFFSET(sculpt_parameter, needs, 64);
OFFSET(sculpt_parameter, reserved, 72);
SIZE(sculpt_value, 56);
OFFSET(sculpt_value, type, 0);
OFFSET(sculpt_value, is_default, 4);
OFFSET(sculpt_value, integer, 8);
OFFSET(sculpt_value, real, 16);
OFFSET(sculpt_value, text, 24);
OFFSET(sculpt_value, items, 32);
OFFSET(sculpt_value, item_count, 40);
OFFSET(sculpt_value, reserved, 48);

/* plugin.h */
SIZE(sculpt_host, 40);
OFFSET(sculpt_host, struct_size, 0);
OFFSET(sculpt_host, abi, 4);
OFFSET(sculpt_host, self, 16);
OFFSET(sculpt_host, version, 24);
OFFSET(sculpt_host, extension, 32);
SIZE(sculpt_ref, 16);
OFFSET(sculpt_ref, component, 0);
OFFSET(sculpt_ref, self, 8);
SIZE(sculpt_bindings, 56);
OFFSET(sculpt_bindings, struct_size, 0);
OFFSET(sculpt_bindings, reserved, 4);
OFFSET(sculpt_bindings, dataset, 8);
OFFSET(sculpt_bindings, features, 24);
OFFSET(sculpt_bindings, loss, 40);
SIZE(sculpt_life, 56);
OFFSET(sculpt_life, create, 0);
OFFSET(sculpt_life, destroy, 8);
OFFSET(sculpt_life, bind, 16);
OFFSET(sculpt_life, seal, 24);
OFFSET(sculpt_life, open_session, 32);
OFFSET(sculpt_life, close_session, 40);
OFFSET(sculpt_life, extension, 48);
SIZE(sculpt_component, 96);
OFFSET(sculpt_component, struct_size, 0);
OFFSET(sculpt_component, kind, 4);
OFFSET(sculpt_component, traits, 8);
OFFSET(sculpt_component, id, 16);
OFFSET(sculpt_component, version, 24);
OFFSET(sculpt_component, summary, 32);
OFFSET(sculpt_component, reference, 40);
OFFSET(sculpt_component, parameters, 48);
OFFSET(sculpt_component, parameter_count, 56);
OFFSET(sculpt_component, extensions, 64);
OFFSET(sculpt_component, extension_count, 72);
OFFSET(sculpt_component, life, 80);
OFFSET(sculpt_component, api, 88);
SIZE(sculpt_plugin, 80);
OFFSET(sculpt_plugin, struct_size, 0);
OFFSET(sculpt_plugin, abi, 4);
OFFSET(sculpt_plugin, name, 16);
OFFSET(sculpt_plugin, version, 24);
OFFSET(sculpt_plugin, abi_needed, 32);
OFFSET(sculpt_plugin, license, 40);
OFFSET(sculpt_plugin, components, 48);
OFFSET(sculpt_plugin, component_count, 56);
OFFSET(sculpt_plugin, experiments, 64);
OFFSET(sculpt_plugin, experiment_count, 72);

/* kinds.h */
SIZE(sculpt_dataset_api, 32);
OFFSET(sculpt_dataset_api, load, 0);
OFFSET(sculpt_dataset_api, count, 8);
OFFSET(sculpt_dataset_api, split, 16);
OFFSET(sculpt_dataset_api, truth, 24);
SIZE(sculpt_features_api, 16);
OFFSET(sculpt_features_api, dimension, 0);
OFFSET(sculpt_features_api, accumulate, 8);
SIZE(sculpt_loss_api, 8);
OFFSET(sculpt_loss_api, loss, 0);
SIZE(sculpt_query, 72);
OFFSET(sculpt_query, struct_size, 0);
OFFSET(sculpt_query, reserved, 4);
OFFSET(sculpt_query, example, 8);
OFFSET(sculpt_query, seed, 16);
OFFSET(sculpt_query, weights, 24);
OFFSET(sculpt_query, truth, 48);
OFFSET(sculpt_query, loss_weight, 64);
SIZE(sculpt_answer, 56);
OFFSET(sculpt_answer, struct_size, 0);
OFFSET(sculpt_answer, flags, 4);
OFFSET(sculpt_answer, labels, 8);
OFFSET(sculpt_answer, value, 40);
OFFSET(sculpt_answer, bound, 48);
SIZE(sculpt_oracle_api, 8);
OFFSET(sculpt_oracle_api, argmax, 0);

/* ext/count_loss.h */
SIZE(sculpt_count, 24);
OFFSET(sculpt_count, name, 0);
OFFSET(sculpt_count, limit, 8);
OFFSET(sculpt_count, flags, 16);
OFFSET(sculpt_count, reserved, 20);
SIZE(sculpt_ext_count_loss, 24);
OFFSET(sculpt_ext_count_loss, counts, 0);
OFFSET(sculpt_ext_count_loss, value, 8);
OFFSET(sculpt_ext_count_loss, slopes, 16);
SIZE(sculpt_ext_factor_counts, 16);
OFFSET(sculpt_ext_factor_counts, demands, 0);
OFFSET(sculpt_ext_factor_counts, add, 8);

/* ext/frontier.h */
SIZE(sculpt_frontier_query, 40);
OFFSET(sculpt_frontier_query, struct_size, 0);
OFFSET(sculpt_frontier_query, count_count, 4);
OFFSET(sculpt_frontier_query, count, 8);
OFFSET(sculpt_frontier_query, query, 16);
OFFSET(sculpt_frontier_query, map, 24);
OFFSET(sculpt_frontier_query, tables, 32);
SIZE(sculpt_frontier_shape, 24);
OFFSET(sculpt_frontier_shape, struct_size, 0);
OFFSET(sculpt_frontier_shape, flags, 4);
OFFSET(sculpt_frontier_shape, size, 8);
SIZE(sculpt_ext_frontier, 24);
OFFSET(sculpt_ext_frontier, begin, 0);
OFFSET(sculpt_ext_frontier, slice, 8);
OFFSET(sculpt_ext_frontier, output, 16);

/* ext/weight_bounds.h */
SIZE(sculpt_ext_weight_bounds, 8);
OFFSET(sculpt_ext_weight_bounds, bounds, 0);

/* ext/enumerate.h */
SIZE(sculpt_ext_enumerate, 8);
OFFSET(sculpt_ext_enumerate, enumerate, 0);

/* ext/factor_graph.h */
SIZE(sculpt_factor_graph, 72);
OFFSET(sculpt_factor_graph, struct_size, 0);
OFFSET(sculpt_factor_graph, classes, 4);
OFFSET(sculpt_factor_graph, topology, 8);
OFFSET(sculpt_factor_graph, variable_count, 16);
OFFSET(sculpt_factor_graph, factor_count, 24);
OFFSET(sculpt_factor_graph, theta_size, 32);
OFFSET(sculpt_factor_graph, states, 40);
OFFSET(sculpt_factor_graph, scope_from, 48);
OFFSET(sculpt_factor_graph, scope, 56);
OFFSET(sculpt_factor_graph, table, 64);
SIZE(sculpt_ext_factor_graph, 32);
OFFSET(sculpt_ext_factor_graph, classes, 0);
OFFSET(sculpt_ext_factor_graph, graph, 8);
OFFSET(sculpt_ext_factor_graph, potentials, 16);
OFFSET(sculpt_ext_factor_graph, pullback, 24);
SIZE(sculpt_ext_factor_loss, 16);
OFFSET(sculpt_ext_factor_loss, demands, 0);
OFFSET(sculpt_ext_factor_loss, add, 8);
SIZE(sculpt_map_query, 32);
OFFSET(sculpt_map_query, struct_size, 0);
OFFSET(sculpt_map_query, reserved, 4);
OFFSET(sculpt_map_query, graph, 8);
OFFSET(sculpt_map_query, theta, 16);
OFFSET(sculpt_map_query, seed, 24);
SIZE(sculpt_map_solver_api, 24);
OFFSET(sculpt_map_solver_api, demands, 0);
OFFSET(sculpt_map_solver_api, solve, 8);
OFFSET(sculpt_map_solver_api, frontier_demands, 16);

/* ext/host.h */
SIZE(sculpt_host_log, 8);
OFFSET(sculpt_host_log, log, 0);
SIZE(sculpt_host_cancel, 8);
OFFSET(sculpt_host_cancel, cancelled, 0);
SIZE(sculpt_host_progress, 8);
OFFSET(sculpt_host_progress, progress, 0);
SIZE(sculpt_host_parallel, 8);
OFFSET(sculpt_host_parallel, run, 0);

/* ext/label_text.h */
SIZE(sculpt_ext_label_text, 16);
OFFSET(sculpt_ext_label_text, format, 0);
OFFSET(sculpt_ext_label_text, parse, 8);

/* ext/metrics.h */
SIZE(sculpt_metric, 24);
OFFSET(sculpt_metric, name, 0);
OFFSET(sculpt_metric, summary, 8);
OFFSET(sculpt_metric, flags, 16);
OFFSET(sculpt_metric, reserved, 20);
SIZE(sculpt_ext_metrics, 24);
OFFSET(sculpt_ext_metrics, metrics, 0);
OFFSET(sculpt_ext_metrics, add, 8);
OFFSET(sculpt_ext_metrics, finish, 16);

/* ext/names.h */
SIZE(sculpt_ext_names, 8);
OFFSET(sculpt_ext_names, name, 0);

/* ext/output_shape.h */
SIZE(sculpt_output_shape, 40);
OFFSET(sculpt_output_shape, struct_size, 0);
OFFSET(sculpt_output_shape, flags, 4);
OFFSET(sculpt_output_shape, min_size, 8);
OFFSET(sculpt_output_shape, max_size, 16);
OFFSET(sculpt_output_shape, states, 24);
OFFSET(sculpt_output_shape, state_count, 32);
OFFSET(sculpt_output_shape, reserved, 36);
SIZE(sculpt_ext_output_shape, 8);
OFFSET(sculpt_ext_output_shape, shape, 0);

/* ext/sites.h */
SIZE(sculpt_sites, 56);
OFFSET(sculpt_sites, struct_size, 0);
OFFSET(sculpt_sites, reserved, 4);
OFFSET(sculpt_sites, site_count, 8);
OFFSET(sculpt_sites, edge_count, 16);
OFFSET(sculpt_sites, row_from, 24);
OFFSET(sculpt_sites, index, 32);
OFFSET(sculpt_sites, value, 40);
OFFSET(sculpt_sites, edge, 48);
SIZE(sculpt_sites_shape, 24);
OFFSET(sculpt_sites_shape, struct_size, 0);
OFFSET(sculpt_sites_shape, state_count, 4);
OFFSET(sculpt_sites_shape, feature_count, 8);
OFFSET(sculpt_sites_shape, variable_count, 16);
SIZE(sculpt_ext_sites, 32);
OFFSET(sculpt_ext_sites, shape, 0);
OFFSET(sculpt_ext_sites, state_name, 8);
OFFSET(sculpt_ext_sites, feature_name, 16);
OFFSET(sculpt_ext_sites, sites, 24);

/* ext/state.h */
SIZE(sculpt_ext_state, 16);
OFFSET(sculpt_ext_state, save, 0);
OFFSET(sculpt_ext_state, restore, 8);

/* numbers */
NUMBER(SCULPT_OK, 0);
NUMBER(SCULPT_E_INVALID, 1);
NUMBER(SCULPT_E_PARAMETER, 2);
NUMBER(SCULPT_E_DATA, 3);
NUMBER(SCULPT_E_UNSUPPORTED, 4);
NUMBER(SCULPT_E_MEMORY, 5);
NUMBER(SCULPT_E_CANCELLED, 6);
NUMBER(SCULPT_E_MISSING, 7);
NUMBER(SCULPT_E_INTERNAL, 8);
NUMBER(SCULPT_PARAMETER_BOOL, 1);
NUMBER(SCULPT_PARAMETER_INT, 2);
NUMBER(SCULPT_PARAMETER_REAL, 3);
NUMBER(SCULPT_PARAMETER_TEXT, 4);
NUMBER(SCULPT_PARAMETER_PATH, 5);
NUMBER(SCULPT_PARAMETER_CHOICE, 6);
NUMBER(SCULPT_PARAMETER_JSON, 7);
NUMBER(SCULPT_PARAMETER_LIST, 16);
NUMBER(SCULPT_KIND_DATASET, 1);
NUMBER(SCULPT_KIND_FEATURES, 2);
NUMBER(SCULPT_KIND_LOSS, 3);
NUMBER(SCULPT_KIND_ORACLE, 4);
NUMBER(SCULPT_KIND_MAP_SOLVER, 5);
NUMBER(SCULPT_KIND_KERNEL, 6);
NUMBER(SCULPT_TRAIT_SERIAL, 1);
NUMBER(SCULPT_TRAIT_SEPARATION_SET, 2);
NUMBER(SCULPT_ANSWER_EXACT, 1);
NUMBER(SCULPT_ANSWER_BOUND, 2);
NUMBER(SCULPT_ANSWER_NO_OUTPUT, 4);
NUMBER(SCULPT_ANSWER_TRUTH_OUTSIDE, 8);
NUMBER(SCULPT_GRAPH_PAIRWISE, 1);
NUMBER(SCULPT_GRAPH_FOREST, 2);
NUMBER(SCULPT_GRAPH_CHAIN, 4);
NUMBER(SCULPT_GRAPH_BINARY, 8);
NUMBER(SCULPT_GRAPH_ATTRACTIVE, 16);
NUMBER(SCULPT_GRAPH_SINGLE, 32);
NUMBER(SCULPT_GRAPH_ORDER_TWO, 64);
NUMBER(SCULPT_MOST_COUNTS, 2);
NUMBER(SCULPT_PARAMETER_DEPRECATED, 1);
NUMBER(SCULPT_METRIC_HIGHER_IS_BETTER, 1);
NUMBER(SCULPT_METRIC_LOWER_IS_BETTER, 2);
NUMBER(SCULPT_CUT_FRACTIONAL, 65536);
NUMBER(SCULPT_LOG_DEBUG, 0);
NUMBER(SCULPT_LOG_INFO, 1);
NUMBER(SCULPT_LOG_WARNING, 2);

/* ext/complete.h */
SIZE(sculpt_ext_complete, 8);
OFFSET(sculpt_ext_complete, complete, 0);

/* ext/cut.h */
SIZE(sculpt_cut, 64);
OFFSET(sculpt_cut, struct_size, 0);
OFFSET(sculpt_cut, flags, 4);
OFFSET(sculpt_cut, labels, 8);
OFFSET(sculpt_cut, loss, 40);
OFFSET(sculpt_cut, value, 48);
OFFSET(sculpt_cut, bound, 56);
SIZE(sculpt_ext_cut, 8);
OFFSET(sculpt_ext_cut, cut, 0);
SIZE(sculpt_ext_map_cut, 8);
OFFSET(sculpt_ext_map_cut, cut, 0);

/* ext/groups.h */
SIZE(sculpt_ext_groups, 8);
OFFSET(sculpt_ext_groups, groups, 0);

/* ext/items.h */
SIZE(sculpt_ext_items, 16);
OFFSET(sculpt_ext_items, items, 0);
OFFSET(sculpt_ext_items, item_of_label, 8);

/* ext/scores.h */
SIZE(sculpt_ext_scores, 40);
OFFSET(sculpt_ext_scores, columns, 0);
OFFSET(sculpt_ext_scores, column_name, 8);
OFFSET(sculpt_ext_scores, rows, 16);
OFFSET(sculpt_ext_scores, scores, 24);
OFFSET(sculpt_ext_scores, rule, 32);

/* ext/example_weights.h */
SIZE(sculpt_ext_example_weights, 8);
OFFSET(sculpt_ext_example_weights, weights, 0);
