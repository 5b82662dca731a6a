/* faulty.c - one loss, with one FAULT in its catalogue. sculpt_sidecar must refuse each fault.
 * The expected messages are in CMakeLists.txt. */
#include <sculpt/ext/kernel.h>
#include <sculpt/kinds.h>
#include <stdlib.h>

enum fault {
  NONE,
  ID,
  NAME_USE,
  QUOTES,
  CHOICE,
  BROKEN_DEFAULT,
  RANGE,
  FUNCTION,
  TABLE,
  TWICE,
  ABI,
  ABI_NEEDED,
  TRAIT,
  FLAGS,
  NEEDS,
  NEEDS_VALUE,
  ENTRY,
  KERNEL_LAYOUT,
  KERNEL_FUNCTION
};
/* The value `faulty` if this library has the fault, else the value `valid`. */
#define WITH(fault, faulty, valid) (FAULT == (fault) ? (faulty) : (valid))

static sculpt_status create(const sculpt_host* host, const sculpt_value* values, void** self,
                            sculpt_error* error) {
  (void)host, (void)values, (void)error;
  *self = NULL;
  return SCULPT_OK;
}
static const void* extension(const void* self, const char* id) {
  (void)self, (void)id;
  return NULL;
}
static sculpt_status loss(void* session, int64_t example, sculpt_labels truth, sculpt_labels guess,
                          double* out, sculpt_error* error) {
  (void)session, (void)example, (void)truth, (void)guess, (void)error;
  *out = 0;
  return SCULPT_OK;
}

static const sculpt_parameter parameters[] = {
    {.type = SCULPT_PARAMETER_CHOICE,
     .flags = WITH(FLAGS, 2, 0),
     .name = WITH(NAME_USE, "use", "word"),
     .fallback = WITH(QUOTES, "red",
                      WITH(CHOICE, "\"blue\"", WITH(BROKEN_DEFAULT, "[\"red\", \"gr", "\"red\""))),
     .choices = "red|green",
     .summary = "a colour"},
    {.type = SCULPT_PARAMETER_INT | SCULPT_PARAMETER_LIST,
     .flags = SCULPT_PARAMETER_DEPRECATED,
     .name = "numbers",
     .fallback = WITH(RANGE, "[1, 11]", "[1, 10]"),
     .upper = 10,
     .summary = "some numbers",
     .needs = WITH(NEEDS, "colour", WITH(NEEDS_VALUE, "word=red", "word=\"red\""))}};
static const sculpt_life life = {create, free, NULL, NULL, NULL, NULL, extension};
static const sculpt_loss_api loss_api = {WITH(FUNCTION, NULL, loss)};
static const sculpt_kernel_api kernel_api = {NULL, NULL, NULL, NULL, NULL, NULL};
static const char* const kernel_extensions[] = {SCULPT_EXT_KERNEL};
#define IS_KERNEL (FAULT == KERNEL_LAYOUT || FAULT == KERNEL_FUNCTION)
static const sculpt_component component = {
    sizeof(sculpt_component),
    IS_KERNEL ? SCULPT_KIND_KERNEL : SCULPT_KIND_LOSS,
    WITH(TRAIT, 64, 0),
    WITH(ID, "Example.Loss", "org.example.loss"),
    "1.0.0",
    "a \"loss\" \\ for tests\n\x01",
    NULL,
    parameters,
    2,
    kernel_extensions,
    WITH(KERNEL_FUNCTION, 1, 0),
    &life,
    WITH(TABLE, NULL, IS_KERNEL ? (const void*)&kernel_api : (const void*)&loss_api)};
static const sculpt_component* const components[] = {&component, &component};
static const sculpt_plugin plugin = {
    sizeof(sculpt_plugin),
    {SCULPT_ABI_MAJOR, WITH(ABI, SCULPT_ABI_MINOR + 7, SCULPT_ABI_MINOR)},
    "faulty",
    "1.0.0",
    {SCULPT_ABI_MAJOR, WITH(ABI_NEEDED, SCULPT_ABI_MINOR + 1, SCULPT_ABI_MINOR)},
    "Apache-2.0",
    components,
    WITH(TWICE, 2, 1),
    NULL,
    0};

const sculpt_plugin* sculpt_entry(sculpt_version host_abi) {
  (void)host_abi;
  return &plugin;
}
