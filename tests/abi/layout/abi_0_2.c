/* abi_0_2.c - the sizes and offsets of ABI 0.2 on 64-bit machines. The test is that it compiles.
 *
 * Once 0.2 is released, a change here is a change of the ABI: raise SCULPT_ABI_MINOR and start a
 * new file. */
#include <sculpt/base.h>
#include <sculpt/data.h>
#include <sculpt/kinds.h>
#include <sculpt/parameter.h>
#include <sculpt/plugin.h>

#include "layout.h"

static_assert(SCULPT_ABI_MAJOR == 0 && SCULPT_ABI_MINOR == 2, "this is the layout of ABI 0.2");

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
SIZE(sculpt_accumulator, 56);
OFFSET(sculpt_accumulator, index, 0);
OFFSET(sculpt_accumulator, value, 8);
OFFSET(sculpt_accumulator, size, 16);
OFFSET(sculpt_accumulator, capacity, 24);
OFFSET(sculpt_accumulator, dimension, 32);
OFFSET(sculpt_accumulator, grow, 40);
OFFSET(sculpt_accumulator, dense, 48);
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
NUMBER(SCULPT_PARAMETER_DEPRECATED, 1);
