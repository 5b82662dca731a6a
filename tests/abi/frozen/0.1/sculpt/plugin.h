/* sculpt/plugin.h - the catalogue a shared library offers, the life of its components, its entry.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Threads. Each function carries a tag:
 *   [main]     called by one thread, while no other call into the component is in flight
 *   [worker]   called by many threads at once, each with a session of its own
 *   [any]      called at any time from any thread
 *
 * The life of a component, all [main]:
 *   create(parameters)          touches no file
 *   restore(state)              only when it comes out of a model (ext/state.h)
 *   load(split, source)         datasets only, once per split; "train" comes first
 *   bind(what it works on)      in the order dataset, features, loss, oracle; each is sealed before
 *                               the next one binds. A map_solver is bound to nothing
 *   seal()                      from here on it is immutable and gets [worker] and [any] calls
 *   destroy()
 * Learning from data (dictionaries, grammars) happens once, from the split "train", and never after
 * restore. Pointers that a component lends stay valid until destroy.                             */
#ifndef SCULPT_PLUGIN_H
#define SCULPT_PLUGIN_H
#include "data.h"
#include "parameter.h"
#ifdef __cplusplus
extern "C" {
#endif

/* What the host offers to a component; lives as long as the component. Its services are extensions:
 * see ext/host.h. */
typedef struct sculpt_host {
  uint32_t struct_size;
  sculpt_version abi;
  void* self;
  const char* version;                                                 /* "0.1.0" */
  const void* (*extension)(const struct sculpt_host*, const char* id); /* [any] NULL: unknown */
} sculpt_host;

enum {
  SCULPT_KIND_DATASET = 1,
  SCULPT_KIND_FEATURES = 2,
  SCULPT_KIND_LOSS = 3,
  SCULPT_KIND_ORACLE = 4,     /* argmax with access to the examples */
  SCULPT_KIND_MAP_SOLVER = 5, /* argmax over a factor graph; knows no examples */
  SCULPT_KIND_KERNEL = 6      /* reserved */
};

/* traits */
enum {
  SCULPT_TRAIT_SERIAL = 1,        /* all calls come from one thread, one at a time */
  SCULPT_TRAIT_SEPARATION_SET = 2 /* oracle: the set of outputs Y_i depends on the truth */
};

struct sculpt_component;

/* A live component lent to another one; outlives the borrower. component == NULL: there is none. */
typedef struct sculpt_ref {
  const struct sculpt_component* component;
  void* self;
} sculpt_ref;

/* What a component is bound to: those that come before it in dataset, features, loss, oracle. A
 * record: later versions append further ones, so ask SCULPT_HAS for fields newer than ABI 0.1. */
typedef struct sculpt_bindings {
  uint32_t struct_size;
  uint32_t reserved;
  sculpt_ref dataset;
  sculpt_ref features;
  sculpt_ref loss;
} sculpt_bindings;

/* The same for every kind. */
typedef struct sculpt_life {
  sculpt_status (*create)(const sculpt_host*, const sculpt_value* parameters, void** self,
                          sculpt_error*);                                   /* [main] */
  void (*destroy)(void* self);                                              /* [main] */
  sculpt_status (*bind)(void* self, const sculpt_bindings*, sculpt_error*); /* [main] or NULL */
  sculpt_status (*seal)(void* self, sculpt_error*);                         /* [main] or NULL */
  /* Scratch for one worker, after seal. NULL: the session is `self`. Sessions close in any order.
   * An oracle that calls its features and loss opens their sessions inside its own. */
  sculpt_status (*open_session)(void* self, void** session, sculpt_error*); /* [any] or NULL */
  void (*close_session)(void* session);                                     /* [any] or NULL */
  /* The function table of an extension ("sculpt.state/1"), or NULL: not offered, or it failed. May
   * depend on parameters and, after seal, on what it is bound to. */
  const void* (*extension)(const void* self, const char* id); /* [any] */
} sculpt_life;

/* One thing a library can make. Static storage; reading it runs no code of the plugin. */
typedef struct sculpt_component {
  uint32_t struct_size;
  uint32_t kind;                      /* SCULPT_KIND_* */
  uint64_t traits;                    /* SCULPT_TRAIT_* */
  const char* id;                     /* "org.sculpt.viterbi"; [a-z0-9_.], at least one dot */
  const char* version;                /* "1.2.0"; change it when results change */
  const char* summary;                /* one line */
  const char* reference;              /* paper, or NULL */
  const sculpt_parameter* parameters; /* [parameter_count] */
  int64_t parameter_count;
  const char* const* extensions; /* [extension_count] ids it may answer to */
  int64_t extension_count;
  const sculpt_life* life;
  const void* api; /* sculpt_dataset_api, sculpt_features_api, ... by `kind` (kinds.h) */
} sculpt_component;

/* The catalogue. The fields up to `version` keep their place in every ABI version to come. */
typedef struct sculpt_plugin {
  uint32_t struct_size;
  sculpt_version abi; /* of the headers it was compiled with */
  const char* name;
  const char* version;
  const char* license;                       /* SPDX */
  const sculpt_component* const* components; /* [component_count] */
  int64_t component_count;
  /* Tiny complete experiments as JSON text with inline data, for `sculpt check` on the bare
   * library. They may name components of other libraries. */
  const char* const* experiments; /* [experiment_count] */
  int64_t experiment_count;
} sculpt_plugin;

/* [main] The only exported symbol. Returns the catalogue, or NULL when it cannot serve host_abi. */
SCULPT_EXPORT const sculpt_plugin* sculpt_entry(sculpt_version host_abi);
typedef const sculpt_plugin* (*sculpt_entry_function)(sculpt_version host_abi);

#ifdef __cplusplus
}
#endif
#endif
