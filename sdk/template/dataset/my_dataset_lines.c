/* my_dataset_lines.c - reads lines into examples.
 *
 *   the/D dog/N barks/V      word/tag; a sentence without tags is unlabelled
 *   -                        the empty sentence */
#include "my_dataset.h"

/* Where a word is, for messages, and its parts. tag_size is -1 if it has no tag. */
struct word {
  const char* path;
  int64_t line, column;
  const char* text;
  int64_t size;
  const char* tag;
  int64_t tag_size;
};

static sculpt_status refuse(const struct word* at, const char* what, sculpt_error* error) {
  return sculpt_fail(error, SCULPT_E_DATA, "%s:%lld:%lld: %s", at->path, (long long)at->line,
                     (long long)at->column, what);
}

static int is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/* Moves *text behind the next word of the line. Returns 0 at the end of the line. */
static int next_word(const char** text, const char* line, const char* end, struct word* word) {
  const char* c = *text;
  while (c < end && is_blank(*c)) ++c;
  word->text = c;
  word->column = c - line + 1;
  word->tag_size = -1;
  while (c < end && !is_blank(*c)) ++c;
  word->size = c - word->text;
  for (const char* slash = c; slash-- > word->text;) {
    if (*slash != '/') continue;
    word->size = slash - word->text;
    word->tag = slash + 1;
    word->tag_size = c - word->tag;
    break;
  }
  *text = c;
  return c > word->text;
}

static sculpt_status check_word(const struct word* word, sculpt_error* error) {
  if (word->size == 0 || word->tag_size == 0) {
    return refuse(word, "write a word as word/tag, or as word without a tag", error);
  }
  if (word->size > longest_text || word->tag_size > longest_text) {
    return refuse(word, "is longer than 255 bytes", error);
  }
  return SCULPT_OK;
}

/* Whether the line is the empty sentence. */
static int is_empty_sentence(const char* line, const char* end) {
  struct word first, second;
  const char* c = line;
  return next_word(&c, line, end, &first) && c - first.text == 1 && *first.text == '-' &&
         !next_word(&c, line, end, &second);
}

static sculpt_status learn_line(struct dataset* dataset, const char* line, const char* end,
                                struct word* word, sculpt_error* error) {
  if (is_empty_sentence(line, end)) return SCULPT_OK;
  for (const char* c = line; next_word(&c, line, end, word);) {
    const sculpt_status status = check_word(word, error);
    if (status != SCULPT_OK) return status;
    if (!my_dataset_add_name(&dataset->words, word->text, (size_t)word->size))
      return my_dataset_no_memory(error);
    if (word->tag_size < 0) continue;
    if (!my_dataset_add_name(&dataset->tags, word->tag, (size_t)word->tag_size))
      return my_dataset_no_memory(error);
  }
  return SCULPT_OK;
}

/* The arrays of an example, while they are filled. */
struct arrays {
  int64_t* row_from; /* [words + 1] */
  int32_t* index;    /* [words] */
  double* value;     /* [words] */
  int32_t* edge;     /* [2 (words - 1)] */
  int32_t* y;        /* [words] */
};

/* Adds the row and the tag of word t. The row of a word that training did not have is empty. */
static sculpt_status add_word(const struct dataset* dataset, const struct word* word, int64_t t,
                              const struct arrays* to, sculpt_error* error) {
  const int64_t feature = my_dataset_find(&dataset->words, word->text, word->size);
  to->row_from[t + 1] = to->row_from[t] + (feature >= 0 ? 1 : 0);
  if (feature >= 0) to->index[to->row_from[t]] = (int32_t)feature, to->value[to->row_from[t]] = 1;
  if (t > 0) to->edge[2 * t - 2] = (int32_t)(t - 1), to->edge[2 * t - 1] = (int32_t)t;
  if (word->tag_size < 0) return SCULPT_OK;
  to->y[t] = (int32_t)my_dataset_find(&dataset->tags, word->tag, word->tag_size);
  if (to->y[t] >= 0) return SCULPT_OK;
  return refuse(word, "the training data has no such tag", error);
}

/* Adds the example of a line that is not blank. */
static sculpt_status add_line(struct dataset* dataset, const char* line, const char* end,
                              struct word* word, sculpt_error* error) {
  int64_t words = 0, tagged = 0;
  const int is_empty = is_empty_sentence(line, end);
  for (const char* c = line; !is_empty && next_word(&c, line, end, word); ++words) {
    const sculpt_status status = check_word(word, error);
    if (status != SCULPT_OK) return status;
    tagged += word->tag_size > 0 ? 1 : 0;
  }
  if (tagged != 0 && tagged != words) {
    word->column = 1; /* the whole line */
    return refuse(word, "has words with and without a tag; tag all words of a line or none", error);
  }
  void* const examples = my_dataset_with_room(dataset->examples, dataset->count, &dataset->capacity,
                                              sizeof *dataset->examples);
  const size_t size = (size_t)words + 1;
  const struct arrays to = {calloc(size, sizeof *to.row_from), calloc(size, sizeof *to.index),
                            calloc(size, sizeof *to.value), calloc(size, 2 * sizeof *to.edge),
                            calloc(size, sizeof *to.y)};
  if (examples != NULL) dataset->examples = examples;
  if (examples == NULL || to.row_from == NULL || to.index == NULL || to.value == NULL ||
      to.edge == NULL || to.y == NULL) {
    free(to.row_from), free(to.index), free(to.value), free(to.edge), free(to.y);
    return my_dataset_no_memory(error);
  }
  /* From here on destroy() frees the arrays. A trap: without a truth `data` is NULL. The truth of
   * the empty sentence is the empty output: size 0, and data that is not NULL. */
  const int is_labelled = tagged == words;
  struct example* const example = &dataset->examples[dataset->count++];
  memset(example, 0, sizeof *example);
  example->truth.data = is_labelled ? to.y : NULL;
  example->truth.size = is_labelled ? words : 0;
  example->sites.site_count = words;
  example->sites.edge_count = dataset->has_edges && words > 0 ? words - 1 : 0;
  example->sites.row_from = to.row_from;
  example->sites.index = to.index;
  example->sites.value = to.value;
  example->sites.edge = to.edge;
  sculpt_status status = SCULPT_OK;
  const char* c = line;
  for (int64_t t = 0; t < words && status == SCULPT_OK; ++t) {
    (void)next_word(&c, line, end, word);
    status = add_word(dataset, word, t, &to, error);
  }
  if (!is_labelled) free(to.y);
  return status;
}

typedef sculpt_status (*line_function)(struct dataset*, const char* line, const char* end,
                                       struct word*, sculpt_error*);

/* Calls `use` for each line that is not blank. */
static sculpt_status each_line(struct dataset* dataset, const char* path, const char* text,
                               int64_t size, line_function use, sculpt_error* error) {
  struct word word = {.path = path};
  const char* const stop = text + size;
  for (const char* line = text; line < stop;) {
    const char* const newline = memchr(line, '\n', (size_t)(stop - line));
    const char* const end = newline != NULL ? newline : stop;
    const char* c = line;
    ++word.line;
    const char* const zero = memchr(line, '\0', (size_t)(end - line));
    if (zero != NULL) {
      word.column = zero - line + 1;
      return refuse(&word, "has a zero byte", error);
    }
    if (next_word(&c, line, end, &word)) {
      const sculpt_status status = use(dataset, line, end, &word, error);
      if (status != SCULPT_OK) return status;
    }
    line = end + 1;
  }
  return SCULPT_OK;
}

sculpt_status my_dataset_learn(struct dataset* dataset, const char* path, const char* text,
                               int64_t size, sculpt_error* error) {
  const sculpt_status status = each_line(dataset, path, text, size, learn_line, error);
  my_dataset_finish_names(&dataset->words);
  my_dataset_finish_names(&dataset->tags);
  return status;
}

sculpt_status my_dataset_add(struct dataset* dataset, const char* path, const char* text,
                             int64_t size, sculpt_error* error) {
  return each_line(dataset, path, text, size, add_line, error);
}
