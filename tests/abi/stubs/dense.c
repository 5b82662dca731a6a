/* dense.c - features in C99 whose psi is a dense array, which they add by the service of the host
 * (ext/draft/host_sum.h). Parameters: the dimension, and how often psi is added.
 *
 *   psi(x, y)[y_p] = (1 + p) / x,   x the number of the example; infinite at example 0 */
#include <sculpt/c_plugin.h>
#include <sculpt/ext/draft/host_sum.h>

struct dense {
  const sculpt_host_sum* service;
  int64_t dimension, times;
};

static const sculpt_parameter parameters[] = {{.name = "dimension",
                                               .type = SCULPT_PARAMETER_INT,
                                               .lower = 0,
                                               .upper = 1e6,
                                               .summary = "the number of weights"},
                                              {.name = "times",
                                               .type = SCULPT_PARAMETER_INT,
                                               .fallback = "1",
                                               .lower = 0,
                                               .upper = 1e6,
                                               .summary = "how often psi is added"}};

static sculpt_status create(const sculpt_host* host, const sculpt_value* values, void** self,
                            sculpt_error* error) {
  struct dense* dense = calloc(1, sizeof *dense);
  if (dense == NULL) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  dense->service = host->extension(host, SCULPT_HOST_SUM);
  dense->dimension = values[0].integer;
  dense->times = values[1].integer;
  *self = dense;
  return SCULPT_OK;
}

static void destroy(void* self) {
  free(self);
}

static sculpt_status dimension(const void* self, int64_t* out, sculpt_error* error) {
  (void)error;
  *out = ((const struct dense*)self)->dimension;
  return SCULPT_OK;
}

static sculpt_status accumulate(void* self, int64_t example, sculpt_labels y, double scale,
                                sculpt_accumulator* sum, sculpt_error* error) {
  const struct dense* dense = self;
  sculpt_status status = SCULPT_OK;
  if (dense->service == NULL) {
    return sculpt_fail(error, SCULPT_E_UNSUPPORTED, "the host has no service to add a dense psi");
  }
  double* psi = calloc((size_t)dense->dimension + 1, sizeof *psi);
  if (psi == NULL) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  for (int64_t p = 0; p < y.size; ++p) psi[y.data[p]] = (double)(1 + p) / (double)example;
  for (int64_t k = 0; k < dense->times && status == SCULPT_OK; ++k) {
    status = dense->service->add(sum, scale, psi);
  }
  free(psi);
  return status == SCULPT_OK ? status : sculpt_fail(error, status, "the sum cannot grow");
}

static const sculpt_life life = {
    .create = create, .destroy = destroy, .extension = sculpt_no_extension};
static const sculpt_features_api api = {dimension, accumulate};
static const sculpt_component component = {.struct_size = sizeof(sculpt_component),
                                           .kind = SCULPT_KIND_FEATURES,
                                           .id = "org.sculpt.stub.dense",
                                           .version = "1.0.0",
                                           .summary = "one dense number for each label",
                                           .parameters = parameters,
                                           .parameter_count = 2,
                                           .life = &life,
                                           .api = &api};
static const sculpt_component* const components[] = {&component};
static const sculpt_plugin plugin = {.struct_size = sizeof(sculpt_plugin),
                                     .abi = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
                                     .abi_needed = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
                                     .name = "stub_dense",
                                     .version = "1.0.0",
                                     .license = "Apache-2.0",
                                     .components = components,
                                     .component_count = 1};

const sculpt_plugin* sculpt_entry(sculpt_version host_abi) {
  (void)host_abi;
  return &plugin;
}
