/* faulty.c - one loss, with one FAULT in its catalogue. sculpt_sidecar must refuse each fault.
 * The expected messages are in CMakeLists.txt. */
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
  ENTRY
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
    {SCULPT_PARAMETER_CHOICE, WITH(NAME_USE, "use", "word"),
     WITH(QUOTES, "red",
          WITH(CHOICE, "\"blue\"", WITH(BROKEN_DEFAULT, "[\"red\", \"gr", "\"red\""))),
     0, 0, "red|green", NULL, "a colour"},
    {SCULPT_PARAMETER_INT | SCULPT_PARAMETER_LIST, "numbers", WITH(RANGE, "[1, 11]", "[1, 10]"), 0,
     10, NULL, NULL, "some numbers"}};
static const sculpt_life life = {create, free, NULL, NULL, NULL, NULL, extension};
static const sculpt_loss_api api = {WITH(FUNCTION, NULL, loss)};
static const sculpt_component component = {sizeof(sculpt_component),
                                           SCULPT_KIND_LOSS,
                                           0,
                                           WITH(ID, "Example.Loss", "org.example.loss"),
                                           "1.0.0",
                                           "a \"loss\" \\ for tests\n\x01",
                                           NULL,
                                           parameters,
                                           2,
                                           NULL,
                                           0,
                                           &life,
                                           WITH(TABLE, NULL, &api)};
static const sculpt_component* const components[] = {&component, &component};
static const sculpt_plugin plugin = {
    sizeof(sculpt_plugin),
    {SCULPT_ABI_MAJOR, WITH(ABI, SCULPT_ABI_MINOR + 7, SCULPT_ABI_MINOR)},
    "faulty",
    "1.0.0",
    "Apache-2.0",
    components,
    WITH(TWICE, 2, 1),
    NULL,
    0};

const sculpt_plugin* sculpt_entry(sculpt_version host_abi) {
  (void)host_abi;
  return &plugin;
}
