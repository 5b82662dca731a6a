/* my_kernel.c - a kernel on the rows of a dataset: the Cauchy kernel.
 *
 *   k(a, b) = 1 / (1 + ||a - b||^2 / width^2)
 *
 * Rows are sparse: pairs of an index and a value, by increasing indices. See README.md. */
#include <math.h>
#include <sculpt/c_plugin.h>
#include <sculpt/ext/draft/explicit_rows.h>
#include <sculpt/ext/sites.h>
#include <sculpt/ext/state.h>

/* A sparse row. */
struct row {
  const int32_t* index; /* [size], increasing */
  const double* value;  /* [size] */
  int64_t size;
};

struct kernel {
  double width;
  struct row* rows; /* [row_count] of all atoms; the dataset lends their entries */
  int64_t row_count;
  struct row* kept; /* [kept_count] the atoms of a model; they own their entries */
  int64_t kept_count;
};

/* --- Life --------------------------------------------------------------------------------------*/

static sculpt_status create(const sculpt_host* host, const sculpt_value* values, void** self,
                            sculpt_error* error) {
  struct kernel* const kernel = calloc(1, sizeof *kernel);
  (void)host;
  if (kernel == NULL) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  kernel->width = values[0].real; /* in the order of the table `parameters` */
  *self = kernel;
  return SCULPT_OK;
}

static void destroy(void* self) {
  struct kernel* const kernel = self;
  for (int64_t k = 0; k < kernel->kept_count; ++k) {
    free((void*)kernel->kept[k].index);
    free((void*)kernel->kept[k].value);
  }
  free(kernel->kept);
  free(kernel->rows);
  free(kernel);
}

static sculpt_status add_rows(struct kernel* kernel, const sculpt_sites* x, sculpt_error* error) {
  const int64_t count = kernel->row_count + x->site_count;
  if (count == 0) return SCULPT_OK;
  struct row* const rows = realloc(kernel->rows, (size_t)count * sizeof *rows);
  if (rows == NULL) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  kernel->rows = rows;
  for (int64_t t = 0; t < x->site_count; ++t) {
    struct row* const row = &rows[kernel->row_count++];
    row->size = x->row_from[t + 1] - x->row_from[t];
    row->index = row->size == 0 ? NULL : x->index + x->row_from[t];
    row->value = row->size == 0 ? NULL : x->value + x->row_from[t];
  }
  return SCULPT_OK;
}

/* Atoms are the rows of all sites, numbered over all examples in order. Refuse rows that the kernel
 * cannot work with here, by SCULPT_E_DATA. */
static sculpt_status bind(void* self, const sculpt_bindings* to, sculpt_error* error) {
  struct kernel* const kernel = self;
  const sculpt_dataset_api* const dataset = to->dataset.component->api;
  const sculpt_ext_sites* const sites = sculpt_find_extension(to->dataset, SCULPT_EXT_SITES);
  int64_t count = 0;
  if (sites == NULL) {
    return sculpt_fail(error, SCULPT_E_UNSUPPORTED,
                       "needs a dataset with rows (" SCULPT_EXT_SITES "); %s has none",
                       to->dataset.component->id);
  }
  sculpt_status status = dataset->count(to->dataset.self, &count, error);
  for (int64_t example = 0; status == SCULPT_OK && example < count; ++example) {
    sculpt_sites x = {.struct_size = sizeof x};
    status = sites->sites(to->dataset.self, example, &x, error);
    if (status == SCULPT_OK) status = add_rows(kernel, &x, error);
  }
  return status;
}

/* --- The kernel --------------------------------------------------------------------------------*/

/* SCULPT_KERNEL_POSITIVE if the kernel is positive semidefinite, else 0. A wrong claim makes
 * certificates wrong. */
static sculpt_status claims(const void* self, uint32_t* out, sculpt_error* error) {
  (void)self, (void)error;
  *out = SCULPT_KERNEL_POSITIVE;
  return SCULPT_OK;
}

/* Sums up by increasing indices, whichever row is first. So k(a, b) and k(b, a) are the same
 * number, and a kept row has the values of the row that it was. */
static double kernel_value(const struct kernel* kernel, const struct row* a, const struct row* b) {
  double sum = 0;
  int64_t i = 0, j = 0;
  while (i < a->size || j < b->size) {
    const int takes_a = j == b->size || (i < a->size && a->index[i] <= b->index[j]);
    const int takes_b = i == a->size || (j < b->size && b->index[j] <= a->index[i]);
    const double of_a = takes_a ? a->value[i] : 0;
    const double of_b = takes_b ? b->value[j] : 0;
    i += takes_a;
    j += takes_b;
    sum += (of_a - of_b) * (of_a - of_b);
  }
  return 1 / (1 + sum / (kernel->width * kernel->width));
}

/* out[count][other_count], row by row. Without open_session the session is the kernel itself. */
static sculpt_status rows(void* session, const int64_t* atoms, int64_t count, const int64_t* others,
                          int64_t other_count, double* out, sculpt_error* error) {
  const struct kernel* const kernel = session;
  (void)error;
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t j = 0; j < other_count; ++j) {
      *out++ = kernel_value(kernel, &kernel->rows[atoms[i]], &kernel->rows[others[j]]);
    }
  }
  return SCULPT_OK;
}

/* out[count] */
static sculpt_status diagonal(void* session, const int64_t* atoms, int64_t count, double* out,
                              sculpt_error* error) {
  const struct kernel* const kernel = session;
  (void)error;
  for (int64_t i = 0; i < count; ++i) {
    out[i] = kernel_value(kernel, &kernel->rows[atoms[i]], &kernel->rows[atoms[i]]);
  }
  return SCULPT_OK;
}

/* What a model keeps of an atom: its indices, then its values. */
static sculpt_status write_atom(const void* self, int64_t atom, sculpt_byte_buffer* out,
                                sculpt_error* error) {
  const struct kernel* const kernel = self;
  const struct row* const row = &kernel->rows[atom];
  sculpt_status status = sculpt_put(out, row->index, row->size * (int64_t)sizeof *row->index);
  if (status == SCULPT_OK) {
    status = sculpt_put(out, row->value, row->size * (int64_t)sizeof *row->value);
  }
  return status == SCULPT_OK ? status : sculpt_fail(error, status, "out of memory");
}

/* Copies `size` entries. Returns SCULPT_E_DATA if they are damaged. */
static sculpt_status read_row(const char* bytes, int64_t size, struct row* row) {
  int32_t* const index = malloc((size_t)size * sizeof *index);
  double* const value = malloc((size_t)size * sizeof *value);
  row->index = index; /* destroy() frees both */
  row->value = value;
  if (index == NULL || value == NULL) return SCULPT_E_MEMORY;
  row->size = size;
  memcpy(index, bytes, (size_t)size * sizeof *index);
  memcpy(value, bytes + (size_t)size * sizeof *index, (size_t)size * sizeof *value);
  for (int64_t j = 0; j < size; ++j) {
    if (!isfinite(value[j]) || (j > 0 && index[j] <= index[j - 1])) return SCULPT_E_DATA;
  }
  return SCULPT_OK;
}

/* Takes the atoms of a model, before bind: atom k has the bytes [from[k], from[k + 1]). They may be
 * damaged. */
static sculpt_status keep(void* self, const char* bytes, const int64_t* from, int64_t count,
                          sculpt_error* error) {
  struct kernel* const kernel = self;
  const int64_t bytes_each = (int64_t)(sizeof(int32_t) + sizeof(double));
  if (count == 0) return SCULPT_OK;
  kernel->kept = calloc((size_t)count, sizeof *kernel->kept);
  if (kernel->kept == NULL) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  kernel->kept_count = count;
  for (int64_t k = 0; k < count; ++k) {
    const int64_t size = from[k + 1] - from[k];
    sculpt_status status = size < 0 || size % bytes_each != 0 ? SCULPT_E_DATA : SCULPT_OK;
    if (status == SCULPT_OK && size > 0) {
      status = read_row(bytes + from[k], size / bytes_each, &kernel->kept[k]);
    }
    if (status == SCULPT_E_MEMORY) return sculpt_fail(error, status, "out of memory");
    if (status != SCULPT_OK) {
      return sculpt_fail(error, status, "kept atom %lld of the model is damaged; train again",
                         (long long)k);
    }
  }
  return SCULPT_OK;
}

/* out[count][end - begin], row by row. */
static sculpt_status kept_rows(void* session, const int64_t* atoms, int64_t count, int64_t begin,
                               int64_t end, double* out, sculpt_error* error) {
  const struct kernel* const kernel = session;
  (void)error;
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t k = begin; k < end; ++k) {
      *out++ = kernel_value(kernel, &kernel->rows[atoms[i]], &kernel->kept[k]);
    }
  }
  return SCULPT_OK;
}

/* --- Optional -----------------------------------------------------------------------------------
 * To write one, move it out of this block. Functions of the life go into `life`. Name a table in an
 * `extension` of `life`, and its id in the list `extensions`. */
#if 0
static sculpt_status seal(void* self, sculpt_error* error);
/* Scratch of a thread, in place of the kernel itself. */
static sculpt_status open_session(void* self, void** session, sculpt_error* error);
static void close_session(void* session);
/* ext/state.h: what was learned from data. Learn in bind, and not after restore. */
static sculpt_status save(const void* self, sculpt_byte_buffer* out, sculpt_error* error);
static sculpt_status restore(void* self, const char* bytes, int64_t size, sculpt_error* error);
static const sculpt_ext_state state_table = {save, restore};
/* ext/draft/explicit_rows.h, which may still change: phi itself, if it has finitely many columns. */
static sculpt_status explicit_width(const void* self, int64_t* out, sculpt_error* error);
static sculpt_status explicit_name(const void* self, int64_t column, sculpt_byte_buffer* out,
                                   sculpt_error* error);
static sculpt_status explicit_row(const void* self, int64_t atom, sculpt_accumulator* out,
                                  sculpt_error* error);
static const sculpt_ext_explicit_rows explicit_rows_table = {explicit_width, explicit_name,
                                                             explicit_row};
#endif

/* --- The catalogue -----------------------------------------------------------------------------*/

static const sculpt_parameter parameters[] = {{.type = SCULPT_PARAMETER_REAL,
                                               .name = "width",
                                               .fallback = "1",
                                               .lower = 1e-3,
                                               .upper = 1e3,
                                               .summary = "the distance at which k is 1/2"}};
/* Says which layout `api` has. It has no table of its own. */
static const char* const extensions[] = {SCULPT_EXT_KERNEL};
static const sculpt_life life = {
    .create = create, .destroy = destroy, .bind = bind, .extension = sculpt_no_extension};
static const sculpt_kernel_api api = {.claims = claims,
                                      .rows = rows,
                                      .diagonal = diagonal,
                                      .write_atom = write_atom,
                                      .keep = keep,
                                      .kept_rows = kept_rows};
static const sculpt_component component = {
    .struct_size = sizeof component,
    .kind = SCULPT_KIND_KERNEL,
    .id = "org.example.my_kernel",
    .version = "1.0.0",
    .summary = "1 / (1 + squared distance / width^2)",
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .extensions = extensions,
    .extension_count = sizeof extensions / sizeof extensions[0],
    .life = &life,
    .api = &api};

/* `sculpt check` tests the library with these. The examples are words of three sizes, one of them
 * without a truth, and rows, one of them empty. No word of letters is empty. */
static const char* const experiments[] = {
    "{\"dataset\": {\"use\": \"letters\", \"train\": {\"text\": "
    "\"1 0 0 a 1 10\\n1 0 1 b 0 01\\n2 0 0 b 1 10\\n2 0 1 a 0 01\\n3 0 0 c 1 00\\n"
    "3 0 1 a 1 11\\n3 0 2 c 0 11\\n4 0 0 b 0 10\\n5 0 0 ? 1 10\\n5 0 1 ? 0 01\\n\"}},"
    " \"features\": \"chain\", \"loss\": \"hamming\", \"oracle\": \"viterbi\","
    " \"kernel\": {\"use\": \"my_kernel\", \"width\": 0.75},"
    " \"solver\": {\"use\": \"n_slack\", \"C\": 1}}",
    "{\"dataset\": {\"use\": \"svmlight\", \"train\": {\"text\": "
    "\"1 1:2 2:0.5\\n2 2:1\\n2 1:-0.5 3:1.25\\n3\\n3 3:1.5\\n\"}},"
    " \"features\": \"multiclass\", \"loss\": \"zero_one\", \"oracle\": \"viterbi\","
    " \"kernel\": \"my_kernel\", \"solver\": {\"use\": \"n_slack\", \"C\": 1}}"};
static const sculpt_component* const components[] = {&component};
static const sculpt_plugin plugin = {
    .struct_size = sizeof plugin,
    .abi = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
    .name = "my_kernel",
    .version = "1.0.0",
    .abi_needed = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
    .license = "MIT",
    .components = components,
    .component_count = sizeof components / sizeof components[0],
    .experiments = experiments,
    .experiment_count = sizeof experiments / sizeof experiments[0]};

const sculpt_plugin* sculpt_entry(sculpt_version host_abi) {
  (void)host_abi; /* the host compares plugin.abi with its own */
  return &plugin;
}
