/* check.c - see check.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include <math.h>
#include <sculpt/ext/factor_graph.h>
#include <sculpt/ext/promoted.h>
#include <sculpt/kinds.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

/* What is being checked, and where the message goes. */
struct check {
  char* text;
  size_t size;
  const char* component; /* id of the component, or NULL */
  const sculpt_parameter* parameter;
};

/* Writes the message: the id of the component, the name of the parameter, the fault.
 * Returns 0, so a check reads  condition || fail(check, ...).
 * The host describes the same faults in the same words: core/registry/catalogue_check.cpp. */
static int fail(struct check* check, const char* format, ...) {
  size_t used = 0;
  va_list arguments;
  if (check->component != NULL) {
    used = (size_t)snprintf(check->text, check->size, "%s: ", check->component);
  }
  if (check->parameter != NULL && used < check->size) {
    used += (size_t)snprintf(check->text + used, check->size - used, "its parameter \"%s\" ",
                             check->parameter->name);
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

/* The subject of a message about a text. fail() itself writes the name of a parameter. */
static const char* text_owner(const struct check* check) {
  if (check->parameter != NULL) return "";
  return check->component != NULL ? "it " : "its catalogue ";
}
static int check_optional_text(struct check* check, const char* text, const char* what) {
  return text == NULL || json_is_utf8(text) ||
         fail(check, "%shas a %s that is not UTF-8", text_owner(check), what);
}
/* A required text: not NULL, not empty, UTF-8. */
static int check_text(struct check* check, const char* text, const char* what) {
  if (text == NULL || *text == '\0') return fail(check, "%shas no %s", text_owner(check), what);
  return check_optional_text(check, text, what);
}

/* [a-z0-9_.] with a dot, and something before, between and after the dots. */
static int is_component_id(const char* id) {
  return strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789_.") == strlen(id) &&
         strchr(id, '.') != NULL && *id != '.' && strstr(id, "..") == NULL &&
         id[strlen(id) - 1] != '.';
}

/* Returns 1 if item[size] is one of the words of choices, "a|b|c". */
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
    return isinf(p->upper) ||
           fail(check, "has the default \"inf\", which is above its upper limit");
  }
  if (type != JSON_INTEGER && type != JSON_REAL) {
    return fail(check, "has the default %s, which is not a number", item);
  }
  const double value = strtod(item, NULL);
  if (!(value >= p->lower && value <= p->upper)) {
    return fail(check, "has the default %s, which is outside [%g, %g]", item, p->lower, p->upper);
  }
  /* 1e6 is a whole number, as in an experiment */
  return !whole || (fabs(value) < 9e18 && (double)(int64_t)value == value) ||
         fail(check, "has the default %s, which is not a whole number", item);
}

/* One value of a default, or one item of a list. */
static int check_default_item(void* context, const char* item) {
  struct check* check = context;
  const sculpt_parameter* p = check->parameter;
  const enum json_type type = json_type_of(item);
  const uint32_t wanted = p->type & ~(uint32_t)SCULPT_PARAMETER_LIST;
  switch (wanted) {
    case SCULPT_PARAMETER_BOOL:
      return type == JSON_BOOL ||
             fail(check, "has the default %s, which is not true or false", item);
    case SCULPT_PARAMETER_INT:
    case SCULPT_PARAMETER_REAL:
      return check_number(check, item, wanted == SCULPT_PARAMETER_INT);
    case SCULPT_PARAMETER_JSON:
      return 1;
    default:
      break;
  }
  if (type != JSON_STRING) {
    return fail(check,
                "has the default %s, which is not a JSON string; write it as \"\\\"text\\\"\"",
                item);
  }
  return wanted != SCULPT_PARAMETER_CHOICE || is_choice(p->choices, item + 1, strlen(item) - 2) ||
         fail(check, "has the default %s, which is not one of its choices %s", item, p->choices);
}

static int check_default(struct check* check) {
  const sculpt_parameter* p = check->parameter;
  if (p->fallback == NULL) return 1;
  if (!json_is_utf8(p->fallback)) return fail(check, "has a default that is not UTF-8");
  const enum json_type type = json_type_of(p->fallback);
  if (type == JSON_BROKEN) {
    return fail(check,
                "has the default %s, which is not JSON; a text needs quotes: \"\\\"text\\\"\"",
                p->fallback);
  }
  if (type == JSON_NULL) return 1;
  if ((p->type & SCULPT_PARAMETER_LIST) == 0) return check_default_item(check, p->fallback);
  if (type != JSON_ARRAY) {
    return fail(check, "has the default %s, which is not a list", p->fallback);
  }
  return json_for_each(p->fallback, check_default_item, check);
}

/* "other" or "other=value": another parameter of the table, and JSON. */
static int check_needs(struct check* check, const sculpt_component* c) {
  const sculpt_parameter* p = check->parameter;
  if (p->needs == NULL) return 1;
  const size_t length = strcspn(p->needs, "=");
  for (int64_t k = 0; json_is_utf8(p->needs) && k < c->parameter_count; ++k) {
    const char* other = c->parameters[k].name;
    if (&c->parameters[k] == p || other == NULL || strlen(other) != length ||
        strncmp(other, p->needs, length) != 0) {
      continue;
    }
    if (p->needs[length] == '\0' || json_type_of(p->needs + length + 1) != JSON_BROKEN) return 1;
  }
  return fail(check,
              "needs \"%s\", which is not another parameter, or not one with a JSON value behind"
              " the =",
              p->needs);
}

static int check_parameter(struct check* check, const sculpt_component* c, int64_t k) {
  const sculpt_parameter* p = &c->parameters[k];
  if (p->name == NULL || *p->name == '\0') return fail(check, "parameter %d has no name", (int)k);
  check->parameter = p;
  if (strspn(p->name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(p->name)) {
    return fail(check, "has a name that is not allowed: use only a-z, 0-9 and _");
  }
  if (strcmp(p->name, "use") == 0) {
    return fail(check, "has a name that is not allowed: \"use\" is reserved for the host");
  }
  for (int64_t other = 0; other < k; ++other) {
    if (strcmp(p->name, c->parameters[other].name) == 0) return fail(check, "is declared twice");
  }
  if (type_name(p->type) == NULL) return fail(check, "has the unknown type %u", (unsigned)p->type);
  if (!check_text(check, p->summary, "summary")) return 0;
  if (!check_optional_text(check, p->unit, "unit")) return 0;
  if (isnan(p->lower) || isnan(p->upper) || p->lower > p->upper) {
    return fail(check, "has an empty range [%g, %g]", p->lower, p->upper);
  }
  if (strcmp(type_name(p->type), "choice") == 0) {
    if (p->choices == NULL || *p->choices == '\0') return fail(check, "has no choices");
    if (!json_is_utf8(p->choices)) return fail(check, "has choices that are not UTF-8");
  }
  if (!check_default(check) || !check_needs(check, c)) return 0;
  if ((p->flags & ~(uint32_t)SCULPT_PARAMETER_DEPRECATED) != 0 || p->reserved != 0) {
    return fail(check, "has unknown flags; set unknown flags and its reserved field to 0");
  }
  check->parameter = NULL;
  return 1;
}

/* Returns 1 if the function table of this kind is complete. */
static int has_complete_api(const sculpt_component* c) {
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
    default: {
      const sculpt_kernel_api* api = c->api;
      return api->claims && api->rows && api->diagonal && api->write_atom && api->keep &&
             api->kept_rows;
    }
  }
}

/* True also for the id that the extension had as a draft. Requires a valid list of extensions. */
static int lists_extension(const sculpt_component* c, const char* id) {
  for (int64_t k = 0; k < c->extension_count; ++k) {
    if (c->extensions[k] != NULL && sculpt_is_extension(c->extensions[k], id)) return 1;
  }
  return 0;
}

static int check_tables(struct check* check, const sculpt_component* c) {
  const sculpt_life* life = c->life;
  if (life == NULL) return fail(check, "it has no table sculpt_life");
  if (!life->create || !life->destroy || !life->extension) {
    return fail(check, "its table sculpt_life lacks create, destroy or extension");
  }
  if (!life->open_session != !life->close_session) {
    return fail(check, "its table sculpt_life has only one of open_session and close_session");
  }
  if (c->api == NULL) {
    return fail(check, "it has no function table of the kind %s", kind_name(c->kind));
  }
  if (c->kind == SCULPT_KIND_KERNEL && !lists_extension(c, SCULPT_EXT_KERNEL)) {
    return fail(check,
                "its table sculpt_kernel_api has no layout; add %s to its list of extensions",
                SCULPT_EXT_KERNEL);
  }
  return has_complete_api(c) ||
         fail(check, "its function table of the kind %s is incomplete", kind_name(c->kind));
}

static int check_extensions(struct check* check, const sculpt_component* c) {
  if (c->extension_count < 0 || (c->extension_count > 0 && c->extensions == NULL)) {
    return fail(check, "its list of extensions is missing");
  }
  for (int64_t k = 0; k < c->extension_count; ++k) {
    const char* id = c->extensions[k];
    if (id == NULL || !json_is_utf8(id) || strchr(id, '/') == NULL) {
      return fail(check, "extension %d of its list has no id of the form name/revision", (int)k);
    }
  }
  return 1;
}

static int check_component(struct check* check, const sculpt_plugin* plugin, int64_t k) {
  const sculpt_component* c = plugin->components[k];
  if (c == NULL) return fail(check, "component %d of its catalogue is NULL", (int)k);
  /* `api` is the last field in ABI 0.2. Readers test later fields with SCULPT_HAS. */
  if (!SCULPT_HAS(c, sculpt_component, api)) {
    return fail(check, "component %d of its catalogue has no struct_size", (int)k);
  }
  if (c->id == NULL) return fail(check, "component %d of its catalogue has no id", (int)k);
  if (!is_component_id(c->id)) {
    return fail(check,
                "component %d of its catalogue is refused: the id \"%s\" is not of the"
                " form org.example.name; use a-z, 0-9, _ and at least one dot",
                (int)k, c->id);
  }
  check->component = c->id;
  if (kind_name(c->kind) == NULL) {
    return fail(check, "its kind %u is unknown", (unsigned)c->kind);
  }
  if ((c->traits & ~(uint64_t)(SCULPT_TRAIT_SERIAL | SCULPT_TRAIT_SEPARATION_SET)) != 0) {
    return fail(check, "it has an unknown trait");
  }
  for (int64_t other = 0; other < k; ++other) {
    if (plugin->components[other]->kind == c->kind &&
        strcmp(plugin->components[other]->id, c->id) == 0) {
      check->component = NULL;
      return fail(check, "it offers %s twice", c->id);
    }
  }
  if (!check_text(check, c->version, "version") || !check_text(check, c->summary, "summary") ||
      !check_optional_text(check, c->reference, "reference") || !check_extensions(check, c) ||
      !check_tables(check, c)) {
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
    return fail(check, "it does not support ABI %d.%d of this SDK", SCULPT_ABI_MAJOR,
                SCULPT_ABI_MINOR);
  }
  if (plugin->abi.major != SCULPT_ABI_MAJOR || plugin->abi.minor != SCULPT_ABI_MINOR) {
    return fail(check,
                "it was built for ABI %u.%u, this SDK has %d.%d; build it against the headers"
                " of this SDK",
                (unsigned)plugin->abi.major, (unsigned)plugin->abi.minor, SCULPT_ABI_MAJOR,
                SCULPT_ABI_MINOR);
  }
  if (!SCULPT_HAS(plugin, sculpt_plugin, experiment_count)) { /* the last field of ABI 0.2 */
    return fail(check, "it has no struct_size");
  }
  if (plugin->abi_needed.major != plugin->abi.major ||
      plugin->abi_needed.minor > plugin->abi.minor) {
    return fail(check, "its catalogue needs ABI %u.%u, but was built for %u.%u; set abi_needed",
                (unsigned)plugin->abi_needed.major, (unsigned)plugin->abi_needed.minor,
                (unsigned)plugin->abi.major, (unsigned)plugin->abi.minor);
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
