/* check.c - see check.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include <math.h>
#include <sculpt/ext/draft/kernel_atoms.h>
#include <sculpt/ext/factor_graph.h>
#include <sculpt/kinds.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

/* What is being checked, and where the sentence goes. */
struct check {
  char* text;
  size_t size;
  const char* component; /* id of the component, or NULL */
  const sculpt_parameter* parameter;
};

/* Gives 0, so that a check reads  condition || fail(check, ...). */
static int fail(struct check* check, const char* format, ...) {
  size_t used = 0;
  va_list arguments;
  if (check->component != NULL) {
    used = (size_t)snprintf(check->text, check->size, "%s: ", check->component);
  }
  if (check->parameter != NULL && used < check->size) {
    used += (size_t)snprintf(check->text + used, check->size - used,
                             "parameter '%s': ", check->parameter->name);
  }
  if (used >= check->size) return 0;
  va_start(arguments, format);
  vsnprintf(check->text + used, check->size - used, format, arguments);
  va_end(arguments);
  return 0;
}

const char* kind_name(uint32_t kind) {
  static const char* const names[] = {"dataset", "features",   "loss",
                                      "oracle",  "map_solver", "kernel"};
  return kind >= SCULPT_KIND_DATASET && kind <= SCULPT_KIND_KERNEL ? names[kind - 1] : NULL;
}

const char* type_name(uint32_t type) {
  static const char* const names[] = {"bool", "int", "real", "text", "path", "choice", "json"};
  const uint32_t item = type & ~(uint32_t)SCULPT_PARAMETER_LIST;
  return item >= SCULPT_PARAMETER_BOOL && item <= SCULPT_PARAMETER_JSON ? names[item - 1] : NULL;
}

/* A required text: there, not empty, UTF-8. */
static int check_text(struct check* check, const char* text, const char* what) {
  if (text == NULL || *text == '\0') return fail(check, "it has no %s", what);
  return json_is_utf8(text) || fail(check, "its %s is not UTF-8", what);
}
static int check_optional_text(struct check* check, const char* text, const char* what) {
  return text == NULL || json_is_utf8(text) || fail(check, "its %s is not UTF-8", what);
}

/* [a-z0-9_.] with a dot, and something before, between and behind the dots. */
static int is_component_id(const char* id) {
  return strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789_.") == strlen(id) &&
         strchr(id, '.') != NULL && *id != '.' && strstr(id, "..") == NULL &&
         id[strlen(id) - 1] != '.';
}

/* 1 when item[size] is one of the words of choices, "a|b|c". */
static int is_choice(const char* choices, const char* item, size_t size) {
  const char* at = choices;
  for (;;) {
    const size_t length = strcspn(at, "|");
    if (length == size && strncmp(at, item, size) == 0) return 1;
    if (at[length] == '\0') return 0;
    at += length + 1;
  }
}

static int check_number(struct check* check, const char* item, int whole) {
  const sculpt_parameter* p = check->parameter;
  const enum json_type type = json_type_of(item);
  if (!whole && strcmp(item, "\"inf\"") == 0) {
    return isinf(p->upper) || fail(check, "its default \"inf\" lies above its upper limit");
  }
  if (type != JSON_INTEGER && type != JSON_REAL) {
    return fail(check, "its default %s is not a number", item);
  }
  const double value = strtod(item, NULL);
  if (!(value >= p->lower && value <= p->upper)) {
    return fail(check, "its default %s lies outside [%g, %g]", item, p->lower, p->upper);
  }
  /* 1e6 is whole too, as in an experiment */
  return !whole || (fabs(value) < 9e18 && (double)(int64_t)value == value) ||
         fail(check, "its default %s is not a whole number", item);
}

/* One value of a default, or one item of a list. */
static int check_default_item(void* context, const char* item) {
  struct check* check = context;
  const sculpt_parameter* p = check->parameter;
  const enum json_type type = json_type_of(item);
  const uint32_t wanted = p->type & ~(uint32_t)SCULPT_PARAMETER_LIST;
  switch (wanted) {
    case SCULPT_PARAMETER_BOOL:
      return type == JSON_BOOL || fail(check, "its default %s is not true or false", item);
    case SCULPT_PARAMETER_INT:
    case SCULPT_PARAMETER_REAL:
      return check_number(check, item, wanted == SCULPT_PARAMETER_INT);
    case SCULPT_PARAMETER_JSON:
      return 1;
    default:
      break;
  }
  if (type != JSON_STRING) {
    return fail(check, "its default %s is not a JSON string; write it as \"\\\"text\\\"\"", item);
  }
  return wanted != SCULPT_PARAMETER_CHOICE || is_choice(p->choices, item + 1, strlen(item) - 2) ||
         fail(check, "its default %s is not one of its choices %s", item, p->choices);
}

static int check_default(struct check* check) {
  const sculpt_parameter* p = check->parameter;
  if (p->fallback == NULL) return 1;
  if (!json_is_utf8(p->fallback)) return fail(check, "its default is not UTF-8");
  const enum json_type type = json_type_of(p->fallback);
  if (type == JSON_BROKEN) {
    return fail(check, "its default %s is not JSON; a text needs its quotes: \"\\\"text\\\"\"",
                p->fallback);
  }
  if (type == JSON_NULL) return 1;
  if ((p->type & SCULPT_PARAMETER_LIST) == 0) return check_default_item(check, p->fallback);
  if (type != JSON_ARRAY) return fail(check, "its default %s is not a list", p->fallback);
  return json_for_each(p->fallback, check_default_item, check);
}

static int check_parameter(struct check* check, const sculpt_component* c, int64_t k) {
  const sculpt_parameter* p = &c->parameters[k];
  if (p->name == NULL || *p->name == '\0') return fail(check, "parameter %d has no name", (int)k);
  check->parameter = p;
  if (strspn(p->name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(p->name)) {
    return fail(check, "its name is not snake_case");
  }
  if (strcmp(p->name, "use") == 0) return fail(check, "the name belongs to the host; rename it");
  for (int64_t other = 0; other < k; ++other) {
    if (strcmp(p->name, c->parameters[other].name) == 0) return fail(check, "is declared twice");
  }
  if (type_name(p->type) == NULL) return fail(check, "has the unknown type %u", (unsigned)p->type);
  if (!check_text(check, p->summary, "summary")) return 0;
  if (!check_optional_text(check, p->unit, "unit")) return 0;
  if (isnan(p->lower) || isnan(p->upper) || p->lower > p->upper) {
    return fail(check, "its range [%g, %g] is empty", p->lower, p->upper);
  }
  const int chooses = strcmp(type_name(p->type), "choice") == 0;
  if (chooses && (p->choices == NULL || *p->choices == '\0')) return fail(check, "has no choices");
  if (chooses && !json_is_utf8(p->choices)) return fail(check, "its choices are not UTF-8");
  if (!check_default(check)) return 0;
  check->parameter = NULL;
  return 1;
}

/* All functions of the table that belongs to the kind. */
static int has_functions(const sculpt_component* c) {
  switch (c->kind) {
    case SCULPT_KIND_DATASET: {
      const sculpt_dataset_api* api = c->api;
      return api->load && api->count && api->split && api->truth;
    }
    case SCULPT_KIND_FEATURES: {
      const sculpt_features_api* api = c->api;
      return api->dimension && api->accumulate;
    }
    case SCULPT_KIND_LOSS:
      return ((const sculpt_loss_api*)c->api)->loss != NULL;
    case SCULPT_KIND_ORACLE:
      return ((const sculpt_oracle_api*)c->api)->argmax != NULL;
    case SCULPT_KIND_MAP_SOLVER: {
      const sculpt_map_solver_api* api = c->api;
      return api->demands && api->solve;
    }
    default:
      return ((const sculpt_kernel_api*)c->api)->row != NULL;
  }
}

static int check_tables(struct check* check, const sculpt_component* c) {
  const sculpt_life* life = c->life;
  if (life == NULL) return fail(check, "it has no table sculpt_life");
  if (!life->create || !life->destroy || !life->extension) {
    return fail(check, "its life lacks create, destroy or extension");
  }
  if (!life->open_session != !life->close_session) {
    return fail(check, "its life has one of open_session and close_session without the other");
  }
  if (c->api == NULL) return fail(check, "it has no function table of a %s", kind_name(c->kind));
  return has_functions(c) ||
         fail(check, "a function is missing in its table of a %s", kind_name(c->kind));
}

static int check_extensions(struct check* check, const sculpt_component* c) {
  if (c->extension_count < 0 || (c->extension_count > 0 && c->extensions == NULL)) {
    return fail(check, "its list of extensions is missing");
  }
  for (int64_t k = 0; k < c->extension_count; ++k) {
    const char* id = c->extensions[k];
    if (id == NULL || !json_is_utf8(id) || strchr(id, '/') == NULL) {
      return fail(check, "extension %d has no id of the form name/revision", (int)k);
    }
  }
  return 1;
}

static int check_component(struct check* check, const sculpt_plugin* plugin, int64_t k) {
  const sculpt_component* c = plugin->components[k];
  if (c == NULL) return fail(check, "component %d is NULL", (int)k);
  /* `api` is its last field in ABI 0.1; later fields are asked for by SCULPT_HAS */
  if (!SCULPT_HAS(c, sculpt_component, api)) {
    return fail(check, "component %d has no struct_size", (int)k);
  }
  if (c->id == NULL) return fail(check, "component %d has no id", (int)k);
  if (!is_component_id(c->id)) {
    return fail(check,
                "component %d: the id '%s' is not of the form org.example.name, of a-z, 0-9,"
                " _ and at least one dot",
                (int)k, c->id);
  }
  check->component = c->id;
  if (kind_name(c->kind) == NULL) return fail(check, "has the unknown kind %u", (unsigned)c->kind);
  for (int64_t other = 0; other < k; ++other) {
    if (plugin->components[other]->kind == c->kind &&
        strcmp(plugin->components[other]->id, c->id) == 0) {
      return fail(check, "there are two of kind %s", kind_name(c->kind));
    }
  }
  if (!check_text(check, c->version, "version") || !check_text(check, c->summary, "summary") ||
      !check_optional_text(check, c->reference, "reference") || !check_tables(check, c) ||
      !check_extensions(check, c)) {
    return 0;
  }
  if (c->parameter_count < 0 || (c->parameter_count > 0 && c->parameters == NULL)) {
    return fail(check, "its table of parameters is missing");
  }
  for (int64_t p = 0; p < c->parameter_count; ++p) {
    if (!check_parameter(check, c, p)) return 0;
  }
  check->component = NULL;
  return 1;
}

int check_catalogue(const sculpt_plugin* plugin, char* text, size_t size) {
  struct check all = {text, size, NULL, NULL};
  struct check* check = &all;
  if (plugin == NULL) {
    return fail(check, "sculpt_entry refused ABI %d.%d", SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR);
  }
  if (plugin->abi.major != SCULPT_ABI_MAJOR || plugin->abi.minor != SCULPT_ABI_MINOR) {
    return fail(check,
                "it was compiled for ABI %u.%u, this SDK is %d.%d; build it with the headers"
                " of this SDK",
                (unsigned)plugin->abi.major, (unsigned)plugin->abi.minor, SCULPT_ABI_MAJOR,
                SCULPT_ABI_MINOR);
  }
  if (!SCULPT_HAS(plugin, sculpt_plugin, experiment_count)) { /* the last of ABI 0.1, as above */
    return fail(check, "sculpt_plugin has no struct_size");
  }
  if (!check_text(check, plugin->name, "name") || !check_text(check, plugin->version, "version") ||
      !check_text(check, plugin->license, "license")) {
    return 0;
  }
  if (plugin->component_count <= 0 || plugin->components == NULL) {
    return fail(check, "it offers no component");
  }
  for (int64_t k = 0; k < plugin->component_count; ++k) {
    if (!check_component(check, plugin, k)) return 0;
  }
  if (plugin->experiment_count < 0 ||
      (plugin->experiment_count > 0 && plugin->experiments == NULL)) {
    return fail(check, "its list of experiments is missing");
  }
  for (int64_t k = 0; k < plugin->experiment_count; ++k) {
    const char* experiment = plugin->experiments[k];
    if (experiment == NULL || json_type_of(experiment) != JSON_OBJECT) {
      return fail(check, "experiment %d is not a JSON object", (int)k);
    }
  }
  return 1;
}
