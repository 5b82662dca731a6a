/* talkative.c - a dataset in C that reads its source with c_plugin.h and refuses it.
 *
 * The message repeats what was read. A text "repeat N" asks for a message of N letters instead. */
#include <sculpt/c_plugin.h>

static sculpt_status create(const sculpt_host* host, const sculpt_value* values, void** self,
                            sculpt_error* error) {
  const sculpt_host** const talkative = calloc(1, sizeof *talkative);
  (void)values;
  if (talkative == NULL) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  *talkative = host;
  *self = talkative;
  return SCULPT_OK;
}

/* Fails with `count` letters. */
static sculpt_status fail_at_length(int64_t count, sculpt_error* error) {
  char* const letters = (char*)malloc((size_t)count + 1);
  sculpt_status status;
  if (letters == NULL) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  memset(letters, 'x', (size_t)count);
  letters[count] = '\0';
  status = sculpt_fail(error, SCULPT_E_DATA, "%s", letters);
  free(letters);
  return status;
}

static sculpt_status load(void* self, const char* split, const sculpt_source* source,
                          sculpt_error* error) {
  char* text;
  int64_t size;
  sculpt_status status =
      sculpt_read_source(*(const sculpt_host**)self, source, &text, &size, error);
  (void)split;
  if (status == SCULPT_OK && size > 7 && memcmp(text, "repeat ", 7) == 0) {
    status = fail_at_length((int64_t)atoll(text + 7), error);
  } else if (status == SCULPT_OK) {
    status = sculpt_fail(error, SCULPT_E_DATA, "%lld bytes, the last one %d, a zero behind: %s",
                         (long long)size, size > 0 ? text[size - 1] : -1,
                         text[size] == '\0' ? text : "no");
  }
  free(text);
  return status;
}

static sculpt_status count(const void* self, int64_t* out, sculpt_error* error) {
  (void)self, (void)error;
  *out = 0;
  return SCULPT_OK;
}

static sculpt_status split(const void* self, const char* name, int64_t* begin, int64_t* end,
                           sculpt_error* error) {
  (void)self, (void)name, (void)error;
  *begin = *end = 0;
  return SCULPT_OK;
}

static sculpt_status truth(const void* self, int64_t example, sculpt_labels* out,
                           sculpt_error* error) {
  (void)self, (void)example, (void)out;
  return sculpt_fail(error, SCULPT_E_INVALID, "has no examples");
}

static const sculpt_life life = {
    .create = create, .destroy = free, .extension = sculpt_no_extension};
static const sculpt_dataset_api api = {load, count, split, truth};
static const sculpt_component dataset = {.struct_size = sizeof(sculpt_component),
                                         .kind = SCULPT_KIND_DATASET,
                                         .id = "org.sculpt.stub.talkative",
                                         .version = "1.0.0",
                                         .summary = "repeats its source in a message",
                                         .life = &life,
                                         .api = &api};
static const sculpt_component* const components[] = {&dataset};
static const sculpt_plugin plugin = {.struct_size = sizeof(sculpt_plugin),
                                     .abi = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
                                     .name = "stub_talkative",
                                     .version = "1.0.0",
                                     .abi_needed = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
                                     .license = "Apache-2.0",
                                     .components = components,
                                     .component_count = 1};

const sculpt_plugin* sculpt_entry(sculpt_version host_abi) {
  (void)host_abi;
  return &plugin;
}
