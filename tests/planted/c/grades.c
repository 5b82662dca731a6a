/* grades.c - the catalogue of the plugin: ordinal regression on sequences. */
#include "grades.h"

static const sculpt_component* const components[] = {&grades_dataset, &grades_features,
                                                     &grades_loss, &grades_oracle};

static const char* const experiments[] = {
    "{\"dataset\": {\"use\": \"grades\", \"train\": {\"text\": "
    "\"3:0.5,1 4:0.7,2 4:0.9,2\\n1:0.1,1\\n2:0.3,0 2:0.2,1 5:0.9,3\\n\"}},"
    " \"features\": \"grades\", \"loss\": \"steps\", \"oracle\": \"grades\","
    " \"solver\": {\"use\": \"n_slack\", \"C\": 10}}",
    "{\"dataset\": {\"use\": \"grades\", \"grades\": 3, \"train\": {\"text\": "
    "\"1:-1 1:0.5 3:2\\n2:0.4 3:1.5\\n\"}},"
    " \"features\": {\"use\": \"grades\", \"limit\": 1}, \"loss\": {\"use\": \"steps\", \"cap\": "
    "1},"
    " \"oracle\": \"grades\","
    " \"solver\": {\"use\": \"one_slack\", \"C\": 10, \"rescaling\": \"slack\"}}",
    "{\"dataset\": {\"use\": \"grades\", \"grades\": 4, \"train\": {\"text\": "
    "\"2:0.5 3:0.7 4:1.1\\n1:-0.2 2:0.4\\n\"}},"
    " \"features\": \"grades\", \"loss\": \"steps\", \"oracle\": \"viterbi\","
    " \"solver\": {\"use\": \"n_slack\", \"C\": 10}}"};

static const sculpt_plugin plugin = {
    .struct_size = sizeof(sculpt_plugin),
    .abi = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
    .abi_needed = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
    .name = "grades",
    .version = "1.0.0",
    .license = "Apache-2.0",
    .components = components,
    .component_count = sizeof components / sizeof components[0],
    .experiments = experiments,
    .experiment_count = sizeof experiments / sizeof experiments[0]};

const sculpt_plugin* sculpt_entry(sculpt_version host_abi) {
  (void)host_abi; /* the host compares plugin.abi with its own */
  return &plugin;
}
