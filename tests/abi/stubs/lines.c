/* lines.c - a dataset in C99 that reads its files by the service of the host
 * (ext/draft/host_source.h). An example is a line, its truth the bytes of the line. The parameter
 * `by` chooses the function that reads. */
#include <sculpt/c_plugin.h>
#include <sculpt/ext/draft/host_source.h>

enum { BY_LINE, BY_BLOCK, BY_REST }; /* in the order of the choices */

struct line {
  int64_t begin, size; /* in `bytes` */
};

struct lines {
  const sculpt_host* host;
  const sculpt_host_source* service;
  int64_t by;     /* BY_* */
  int32_t* bytes; /* [byte_count], one label a byte */
  int64_t byte_count, byte_capacity;
  struct line* line; /* [line_count] */
  int64_t line_count, line_capacity;
};

static const sculpt_parameter parameters[] = {{.name = "by",
                                               .type = SCULPT_PARAMETER_CHOICE,
                                               .fallback = "\"line\"",
                                               .choices = "line|block|rest",
                                               .summary = "the function that reads"}};

static sculpt_status create(const sculpt_host* host, const sculpt_value* values, void** self,
                            sculpt_error* error) {
  struct lines* lines = calloc(1, sizeof *lines);
  if (lines == NULL) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  lines->host = host;
  lines->service = host->extension(host, SCULPT_HOST_SOURCE);
  lines->by = values[0].integer;
  *self = lines;
  return SCULPT_OK;
}

static void destroy(void* self) {
  struct lines* lines = self;
  free(lines->bytes);
  free(lines->line);
  free(lines);
}

/* Returns an array of at least `count` elements of this size with the old contents, or NULL. */
static void* grown(void* array, int64_t* capacity, int64_t count, size_t element) {
  if (array != NULL && count <= *capacity) return array;
  *capacity = 2 * count + 16;
  return realloc(array, (size_t)*capacity * element);
}

/* Appends bytes to the last line. */
static sculpt_status add_bytes(struct lines* lines, const char* bytes, int64_t size) {
  int32_t* larger =
      grown(lines->bytes, &lines->byte_capacity, lines->byte_count + size, sizeof *larger);
  if (larger == NULL) return SCULPT_E_MEMORY;
  lines->bytes = larger;
  for (int64_t k = 0; k < size; ++k) lines->bytes[lines->byte_count++] = (unsigned char)bytes[k];
  lines->line[lines->line_count - 1].size += size;
  return SCULPT_OK;
}

static sculpt_status begin_line(struct lines* lines) {
  struct line* larger =
      grown(lines->line, &lines->line_capacity, lines->line_count + 1, sizeof *larger);
  if (larger == NULL) return SCULPT_E_MEMORY;
  lines->line = larger;
  lines->line[lines->line_count].begin = lines->byte_count;
  lines->line[lines->line_count++].size = 0;
  return SCULPT_OK;
}

static sculpt_status load_lines(struct lines* lines, sculpt_source_reader* reader,
                                sculpt_error* error) {
  for (;;) {
    const char* text = NULL;
    int64_t size = 0, number = 0;
    sculpt_status status = lines->service->next_line(reader, &text, &size, &number, error);
    if (status != SCULPT_OK || text == NULL) return status;
    if (number != lines->line_count + 1) {
      return sculpt_fail(error, SCULPT_E_INTERNAL, "line %d has another number", (int)number);
    }
    status = begin_line(lines);
    if (status == SCULPT_OK) status = add_bytes(lines, text, size);
    if (status != SCULPT_OK) return sculpt_fail(error, status, "out of memory");
  }
}

/* Divides the bytes into lines, which end with LF here. */
static sculpt_status load_bytes(struct lines* lines, sculpt_source_reader* reader,
                                sculpt_error* error) {
  int continues = 0;
  for (;;) {
    const char* bytes = NULL;
    int64_t size = 0;
    sculpt_status status = lines->by == BY_BLOCK
                               ? lines->service->next_block(reader, &bytes, &size, error)
                               : lines->service->rest(reader, &bytes, &size, error);
    if (status != SCULPT_OK || size == 0) return status;
    for (int64_t k = 0; k < size; ++k) {
      if (!continues && begin_line(lines) != SCULPT_OK) {
        return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
      }
      continues = bytes[k] != '\n';
      if (continues && add_bytes(lines, bytes + k, 1) != SCULPT_OK) {
        return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
      }
    }
  }
}

static sculpt_status load(void* self, const char* split, const sculpt_source* source,
                          sculpt_error* error) {
  struct lines* lines = self;
  (void)split;
  if (lines->service == NULL) {
    return sculpt_fail(error, SCULPT_E_UNSUPPORTED, "the host has no service to read files");
  }
  sculpt_source_reader* reader = NULL;
  sculpt_status status = lines->service->open(lines->host, source, &reader, error);
  if (status != SCULPT_OK) return status;
  status =
      lines->by == BY_LINE ? load_lines(lines, reader, error) : load_bytes(lines, reader, error);
  lines->service->close(reader);
  return status;
}

static sculpt_status count(const void* self, int64_t* out, sculpt_error* error) {
  (void)error;
  *out = ((const struct lines*)self)->line_count;
  return SCULPT_OK;
}

static sculpt_status split(const void* self, const char* name, int64_t* begin, int64_t* end,
                           sculpt_error* error) {
  (void)error;
  *begin = 0;
  *end = strcmp(name, "train") == 0 ? ((const struct lines*)self)->line_count : 0;
  return SCULPT_OK;
}

static sculpt_status truth(const void* self, int64_t example, sculpt_labels* out,
                           sculpt_error* error) {
  static const int32_t empty = 0;
  const struct lines* lines = self;
  (void)error;
  const struct line line = lines->line[example];
  out->data = line.size > 0 ? lines->bytes + line.begin : &empty;
  out->size = line.size;
  return SCULPT_OK;
}

static const sculpt_life life = {
    .create = create, .destroy = destroy, .extension = sculpt_no_extension};
static const sculpt_dataset_api api = {load, count, split, truth};
static const sculpt_component component = {.struct_size = sizeof(sculpt_component),
                                           .kind = SCULPT_KIND_DATASET,
                                           .id = "org.sculpt.stub.lines",
                                           .version = "1.0.0",
                                           .summary = "the bytes of each line",
                                           .parameters = parameters,
                                           .parameter_count = 1,
                                           .life = &life,
                                           .api = &api};
static const sculpt_component* const components[] = {&component};
static const sculpt_plugin plugin = {.struct_size = sizeof(sculpt_plugin),
                                     .abi = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
                                     .abi_needed = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
                                     .name = "stub_lines",
                                     .version = "1.0.0",
                                     .license = "Apache-2.0",
                                     .components = components,
                                     .component_count = 1};

const sculpt_plugin* sculpt_entry(sculpt_version host_abi) {
  (void)host_abi;
  return &plugin;
}
