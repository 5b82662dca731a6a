/* plugin.c - a plugin with a loss. Macros (CMakeLists.txt) make plugins with faults from it. */
#include <sculpt/ext/factor_graph.h>
#include <sculpt/kinds.h>

#ifndef PLUGIN_ID
#define PLUGIN_ID "org.test.zero"
#endif
#ifndef PLUGIN_ABI_MINOR
#define PLUGIN_ABI_MINOR SCULPT_ABI_MINOR
#endif
#ifndef PLUGIN_ABI_NEEDED
#define PLUGIN_ABI_NEEDED PLUGIN_ABI_MINOR
#endif
#ifndef PLUGIN_SECOND_KIND
#define PLUGIN_SECOND_KIND SCULPT_KIND_MAP_SOLVER
#endif

static sculpt_status create(const sculpt_host* host, const sculpt_value* parameters, void** self,
                            sculpt_error* error) {
  static int instance;
  (void)host, (void)parameters, (void)error;
  *self = &instance;
  return SCULPT_OK;
}
static void destroy(void* self) {
  (void)self;
}
static const void* extension(const void* self, const char* id) {
  (void)self, (void)id;
  return NULL;
}
static sculpt_status loss(void* session, int64_t example, sculpt_labels truth, sculpt_labels guess,
                          double* out, sculpt_error* error) {
  (void)session, (void)example, (void)error;
  *out = truth.size == guess.size ? 0 : 1;
  return SCULPT_OK;
}

static const sculpt_life life = {create, destroy, NULL, NULL, NULL, NULL, extension};
static const sculpt_loss_api api = {loss};
#ifdef PLUGIN_NO_API
#define PLUGIN_API (sizeof api == 0 ? &api : NULL)
#else
#define PLUGIN_API &api
#endif

static const sculpt_parameter parameters[] = {
    {.type = SCULPT_PARAMETER_CHOICE,
     .name = "mode",
     .fallback = "\"a\"",
     .choices = "a|b",
     .summary = "One of two."},
    {.type = SCULPT_PARAMETER_REAL | SCULPT_PARAMETER_LIST,
     .name = "weights",
     .fallback = "[1, 2]",
     .lower = 0,
     .upper = 10,
     .unit = "labels",
     .summary = "Some numbers.",
     .needs = "mode=\"b\""}};
static const char* const extensions[] = {"sculpt.metrics/2"};

static const sculpt_component zero = {sizeof(sculpt_component),
                                      SCULPT_KIND_LOSS,
                                      SCULPT_TRAIT_SERIAL,
                                      PLUGIN_ID,
                                      "1.0.0",
                                      "A loss that is zero.",
                                      NULL,
                                      parameters,
                                      2,
                                      extensions,
                                      1,
                                      &life,
                                      PLUGIN_API};

#ifdef PLUGIN_SECOND
static sculpt_status demands(const void* self, const uint32_t** out, int64_t* count,
                             sculpt_error* error) {
  static const uint32_t any = 0;
  (void)self, (void)error;
  *out = &any;
  *count = 1;
  return SCULPT_OK;
}
static sculpt_status solve(void* session, const sculpt_map_query* query, sculpt_answer* answer,
                           sculpt_error* error) {
  (void)session, (void)query, (void)answer, (void)error;
  return SCULPT_E_UNSUPPORTED;
}
static const sculpt_map_solver_api solver_api = {demands, solve, NULL};
static const sculpt_component solver = {sizeof(sculpt_component),
                                        PLUGIN_SECOND_KIND,
                                        0,
                                        PLUGIN_ID,
                                        "1.0.0",
                                        "A solver that gives up.",
                                        NULL,
                                        NULL,
                                        0,
                                        NULL,
                                        0,
                                        &life,
                                        &solver_api};
static const sculpt_component* const components[] = {&zero, &solver};
#else
static const sculpt_component* const components[] = {&zero};
#endif

static const sculpt_plugin plugin = {.struct_size = sizeof(sculpt_plugin),
                                     .abi = {SCULPT_ABI_MAJOR, PLUGIN_ABI_MINOR},
                                     .abi_needed = {SCULPT_ABI_MAJOR, PLUGIN_ABI_NEEDED},
                                     .name = "test",
                                     .version = "1.0.0",
                                     .license = "Apache-2.0",
                                     .components = components,
                                     .component_count = sizeof components / sizeof components[0]};

#ifdef PLUGIN_UNRESOLVED
extern void undefined_function(void);
#endif

#ifdef PLUGIN_NO_ENTRY
SCULPT_EXPORT const sculpt_plugin* other_name(void) {
  return &plugin;
}
#else
const sculpt_plugin* sculpt_entry(sculpt_version host_abi) {
  (void)host_abi;
#ifdef PLUGIN_UNRESOLVED
  undefined_function();
#endif
#ifdef PLUGIN_NULL_CATALOGUE
  return plugin.name == NULL ? &plugin : NULL;
#else
  return &plugin;
#endif
}
#endif
