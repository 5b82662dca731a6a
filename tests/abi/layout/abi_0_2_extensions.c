/* abi_0_2_extensions.c - the sizes and offsets of the extensions of ABI 0.2 on 64-bit machines. The
 * test is that it compiles.
 *
 * Once 0.2 is released, a change here is a change of the ABI: raise SCULPT_ABI_MINOR and start a
 * new file. */
#include <sculpt/ext/batch_argmax.h>
#include <sculpt/ext/complete.h>
#include <sculpt/ext/count_loss.h>
#include <sculpt/ext/cut.h>
#include <sculpt/ext/enumerate.h>
#include <sculpt/ext/example_weights.h>
#include <sculpt/ext/expectation.h>
#include <sculpt/ext/factor_graph.h>
#include <sculpt/ext/frontier.h>
#include <sculpt/ext/groups.h>
#include <sculpt/ext/host.h>
#include <sculpt/ext/items.h>
#include <sculpt/ext/k_best.h>
#include <sculpt/ext/kernel.h>
#include <sculpt/ext/label_text.h>
#include <sculpt/ext/metrics.h>
#include <sculpt/ext/names.h>
#include <sculpt/ext/output_shape.h>
#include <sculpt/ext/row_blocks.h>
#include <sculpt/ext/sample.h>
#include <sculpt/ext/scores.h>
#include <sculpt/ext/sites.h>
#include <sculpt/ext/state.h>
#include <sculpt/ext/weight_bounds.h>

#include "layout.h"

/* ext/batch_argmax.h */
SIZE(sculpt_ext_batch_argmax, 8);
OFFSET(sculpt_ext_batch_argmax, argmax, 0);

/* ext/complete.h */
SIZE(sculpt_ext_complete, 8);
OFFSET(sculpt_ext_complete, complete, 0);

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

/* ext/enumerate.h */
SIZE(sculpt_ext_enumerate, 8);
OFFSET(sculpt_ext_enumerate, enumerate, 0);

/* ext/example_weights.h */
SIZE(sculpt_ext_example_weights, 8);
OFFSET(sculpt_ext_example_weights, weights, 0);

/* ext/expectation.h */
SIZE(sculpt_log_z, 16);
OFFSET(sculpt_log_z, value, 0);
OFFSET(sculpt_log_z, flags, 8);
OFFSET(sculpt_log_z, reserved, 12);
SIZE(sculpt_ext_expectation, 16);
OFFSET(sculpt_ext_expectation, mean, 0);
OFFSET(sculpt_ext_expectation, covariance_times, 8);
SIZE(sculpt_ext_map_expectation, 16);
OFFSET(sculpt_ext_map_expectation, mean, 0);
OFFSET(sculpt_ext_map_expectation, covariance_times, 8);

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

/* ext/groups.h */
SIZE(sculpt_ext_groups, 8);
OFFSET(sculpt_ext_groups, groups, 0);

/* ext/host.h */
SIZE(sculpt_host_log, 8);
OFFSET(sculpt_host_log, log, 0);
SIZE(sculpt_host_cancel, 8);
OFFSET(sculpt_host_cancel, cancelled, 0);
SIZE(sculpt_host_progress, 8);
OFFSET(sculpt_host_progress, progress, 0);
SIZE(sculpt_host_parallel, 8);
OFFSET(sculpt_host_parallel, run, 0);

/* ext/items.h */
SIZE(sculpt_ext_items, 16);
OFFSET(sculpt_ext_items, items, 0);
OFFSET(sculpt_ext_items, item_of_label, 8);

/* ext/k_best.h */
SIZE(sculpt_ext_k_best, 16);
OFFSET(sculpt_ext_k_best, begin, 0);
OFFSET(sculpt_ext_k_best, next, 8);
SIZE(sculpt_ext_map_k_best, 16);
OFFSET(sculpt_ext_map_k_best, begin, 0);
OFFSET(sculpt_ext_map_k_best, next, 8);

/* ext/kernel.h */
NUMBER(SCULPT_KERNEL_POSITIVE, 1);
SIZE(sculpt_kernel_api, 48);
OFFSET(sculpt_kernel_api, claims, 0);
OFFSET(sculpt_kernel_api, rows, 8);
OFFSET(sculpt_kernel_api, diagonal, 16);
OFFSET(sculpt_kernel_api, write_atom, 24);
OFFSET(sculpt_kernel_api, keep, 32);
OFFSET(sculpt_kernel_api, kept_rows, 40);

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

/* ext/row_blocks.h */
SIZE(sculpt_row_blocks, 24);
OFFSET(sculpt_row_blocks, struct_size, 0);
OFFSET(sculpt_row_blocks, reserved, 4);
OFFSET(sculpt_row_blocks, first, 8);
OFFSET(sculpt_row_blocks, block_count, 16);
SIZE(sculpt_ext_row_blocks, 8);
OFFSET(sculpt_ext_row_blocks, blocks, 0);

/* ext/sample.h */
SIZE(sculpt_ext_sample, 16);
OFFSET(sculpt_ext_sample, begin, 0);
OFFSET(sculpt_ext_sample, draw, 8);
SIZE(sculpt_ext_map_sample, 16);
OFFSET(sculpt_ext_map_sample, begin, 0);
OFFSET(sculpt_ext_map_sample, draw, 8);

/* ext/scores.h */
SIZE(sculpt_ext_scores, 40);
OFFSET(sculpt_ext_scores, columns, 0);
OFFSET(sculpt_ext_scores, column_name, 8);
OFFSET(sculpt_ext_scores, rows, 16);
OFFSET(sculpt_ext_scores, scores, 24);
OFFSET(sculpt_ext_scores, rule, 32);

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

/* ext/weight_bounds.h */
SIZE(sculpt_ext_weight_bounds, 8);
OFFSET(sculpt_ext_weight_bounds, bounds, 0);

/* numbers */
NUMBER(SCULPT_GRAPH_PAIRWISE, 1);
NUMBER(SCULPT_GRAPH_FOREST, 2);
NUMBER(SCULPT_GRAPH_CHAIN, 4);
NUMBER(SCULPT_GRAPH_BINARY, 8);
NUMBER(SCULPT_GRAPH_ATTRACTIVE, 16);
NUMBER(SCULPT_GRAPH_SINGLE, 32);
NUMBER(SCULPT_GRAPH_ORDER_TWO, 64);
NUMBER(SCULPT_MOST_COUNTS, 2);
NUMBER(SCULPT_METRIC_HIGHER_IS_BETTER, 1);
NUMBER(SCULPT_METRIC_LOWER_IS_BETTER, 2);
NUMBER(SCULPT_CUT_FRACTIONAL, 65536);
NUMBER(SCULPT_LOG_Z_EXACT, 1);
NUMBER(SCULPT_LOG_DEBUG, 0);
NUMBER(SCULPT_LOG_INFO, 1);
NUMBER(SCULPT_LOG_WARNING, 2);
NUMBER(SCULPT_SHAPE_COMPLETE, 1);
NUMBER(SCULPT_SHAPE_SAME, 2);
NUMBER(SCULPT_SCORES_LARGEST, 1);
NUMBER(SCULPT_SCORES_SIGN, 2);
NUMBER(SCULPT_SCORES_ORDER, 3);
NUMBER(SCULPT_SCORES_WHOLE, 4);
