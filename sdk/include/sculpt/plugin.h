/* sculpt/plugin.h - the catalogue of a shared library, the life cycle of its components, its entry.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Threads. Each function has a tag:
 *   [main]     called by one thread, while no other call into the component runs
 *   [worker]   called by many threads at once, each with its own session
 *   [any]      called at any time from any thread
 *
 * The life cycle of a component, all [main]:
 *   create(parameters)          touches no file
 *   restore(state)              only if the component comes from a model (ext/state.h)
 *   load(split, source)         datasets only, once per split; "train" comes first
 *   bind(the earlier ones)      in the order dataset, features, loss, oracle. Each component is
 *                               sealed before the next one binds. A map_solver is bound to nothing
 *   seal()                      ends the setup. From here on the component does not change, and it
 *                               gets [worker] and [any] calls
 *   destroy()
 * A component learns from data (dictionaries, grammars) once, from the split "train". It never
 * learns after restore. Pointers that a component lends stay valid until destroy. */
#ifndef SCULPT_PLUGIN_H
#define SCULPT_PLUGIN_H
#include "data.h"
#include "parameter.h"
#ifdef __cplusplus
extern "C" {
#endif

/* The services of the host for one component. It lives as long as the component. Each service is an
 * extension: see ext/host.h. */
typedef struct sculpt_host {
  uint32_t struct_size;
  sculpt_version abi;
  void* self;
  const char* version;                                                 /* "0.2.0" */
  const void* (*extension)(const struct sculpt_host*, const char* id); /* [any] NULL if unknown */
} sculpt_host;

/* The kinds of components. A host ignores components of kinds that it does not know. */
enum {
  SCULPT_KIND_DATASET = 1,
  SCULPT_KIND_FEATURES = 2,
  SCULPT_KIND_LOSS = 3,
  SCULPT_KIND_ORACLE = 4,     /* argmax with access to the examples */
  SCULPT_KIND_MAP_SOLVER = 5, /* argmax over a factor graph, without access to examples */
  SCULPT_KIND_KERNEL = 6      /* ext/kernel.h */
};

/* The traits of a component; several are combined by |. A host refuses a component with a trait
 * that it does not know. */
enum {
  SCULPT_TRAIT_SERIAL = 1, /* not thread-safe: all calls come from one thread, one at a time */
  SCULPT_TRAIT_SEPARATION_SET = 2 /* oracle: its set of outputs Y_i depends on the truth */
};

struct sculpt_component;

/* A component lent to another one. It lives longer than the borrower. component == NULL: none. */
typedef struct sculpt_ref {
  const struct sculpt_component* component;
  void* self;
} sculpt_ref;

/* The components that another one may use: those before it in the order dataset, features, loss,
 * oracle. This is a record: later versions append components. Check fields newer than ABI 0.2 with
 * SCULPT_HAS. */
typedef struct sculpt_bindings {
  uint32_t struct_size;
  uint32_t reserved;
  sculpt_ref dataset;
  sculpt_ref features;
  sculpt_ref loss;
} sculpt_bindings;

/* The functions of the life cycle (see the top), the same for every kind of component. Functions
 * marked "or NULL" are optional. open_session and close_session come together or not at all. */
typedef struct sculpt_life {
  /* Sets *self to a new component. `parameters` has one value per declared parameter. */
  sculpt_status (*create)(const sculpt_host*, const sculpt_value* parameters, void** self,
                          sculpt_error*);                                   /* [main] */
  void (*destroy)(void* self);                                              /* [main] */
  sculpt_status (*bind)(void* self, const sculpt_bindings*, sculpt_error*); /* [main] or NULL */
  sculpt_status (*seal)(void* self, sculpt_error*);                         /* [main] or NULL */
  /* *session = memory for one worker, opened after seal. If NULL, `self` is the session. Sessions
   * close in any order. An oracle that calls its features and loss opens their sessions inside its
   * own. */
  sculpt_status (*open_session)(void* self, void** session, sculpt_error*); /* [any] or NULL */
  void (*close_session)(void* session);                                     /* [any] or NULL */
  /* Returns the function table of an extension, such as "sculpt.state/1". Returns NULL if the
   * component does not offer it, or if the call failed. The result may depend on the parameters
   * and, after seal, on the bound components. */
  const void* (*extension)(const void* self, const char* id); /* [any] */
} sculpt_life;

/* A component that a library can make. Static storage: reading it runs no code of the plugin. */
typedef struct sculpt_component {
  uint32_t struct_size;
  uint32_t kind;                      /* SCULPT_KIND_* */
  uint64_t traits;                    /* SCULPT_TRAIT_* */
  const char* id;                     /* "org.sculpt.viterbi"; [a-z0-9_.], at least one dot */
  const char* version;                /* "1.2.0"; change it if results change */
  const char* summary;                /* one line */
  const char* reference;              /* paper, or NULL */
  const sculpt_parameter* parameters; /* [parameter_count] */
  int64_t parameter_count;
  const char* const* extensions; /* ids that extension() may know */
  int64_t extension_count;
  const sculpt_life* life;
  const void* api; /* sculpt_dataset_api, sculpt_features_api, ... by `kind` (kinds.h) */
} sculpt_component;

/* The catalogue. The fields up to `abi_needed` keep their place in every later ABI version. */
typedef struct sculpt_plugin {
  uint32_t struct_size;
  sculpt_version abi; /* of the headers it was compiled with */
  const char* name;
  const char* version;
  /* The lowest ABI of a host with which the library works; at most `abi`. A minor version only adds
   * to the one before, so a library that uses no addition may name an older one. From 1.0 on the
   * host compares this version. Until then `abi` must be that of the host. */
  sculpt_version abi_needed;
  const char* license;                       /* SPDX */
  const sculpt_component* const* components; /* [component_count] */
  int64_t component_count;
  /* Small complete experiments as JSON text with inline data. `sculpt check` runs them if it gets
   * only the library. They may use components of other libraries. */
  const char* const* experiments; /* [experiment_count] */
  int64_t experiment_count;
} sculpt_plugin;

/* [main] The only exported symbol. Returns the catalogue, or NULL if the library cannot work with
 * host_abi. */
SCULPT_EXPORT const sculpt_plugin* sculpt_entry(sculpt_version host_abi);
typedef const sculpt_plugin* (*sculpt_entry_function)(sculpt_version host_abi);

#ifdef __cplusplus
}
#endif
#endif
