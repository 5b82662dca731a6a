/* sculpt_sidecar LIBRARY OUTPUT - writes what a plugin offers as JSON, or prints its first fault.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Built and run by sculpt_add_plugin() after each link. The host lists components from OUTPUT
 * without loading LIBRARY. If the catalogue is faulty, there is no OUTPUT.                       */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "json.h"
#include "pairings.h"

static void put_choices(FILE* out, const char* choices) {
  const char* separator = "[";
  if (choices == NULL) {
    fputs("null", out);
    return;
  }
  for (const char* at = choices;; ++at) {
    const size_t length = strcspn(at, "|");
    char* word = malloc(length + 1);
    if (word == NULL) abort();
    memcpy(word, at, length);
    word[length] = '\0';
    fputs(separator, out);
    json_put_string(out, word);
    free(word);
    separator = ",";
    at += length;
    if (*at == '\0') break;
  }
  fputc(']', out);
}

static void put_parameter(FILE* out, const sculpt_parameter* p) {
  fputs("{\"name\":", out);
  json_put_string(out, p->name);
  fprintf(out, ",\"type\":\"%s\",\"list\":%s", type_name(p->type),
          (p->type & SCULPT_PARAMETER_LIST) != 0 ? "true" : "false");
  fprintf(out, ",\"default\":%s,\"required\":%s", p->fallback != NULL ? p->fallback : "null",
          p->fallback == NULL ? "true" : "false");
  fputs(",\"lower\":", out);
  json_put_number(out, p->lower);
  fputs(",\"upper\":", out);
  json_put_number(out, p->upper);
  fputs(",\"choices\":", out);
  put_choices(out, p->choices);
  fputs(",\"unit\":", out);
  json_put_string(out, p->unit);
  fputs(",\"summary\":", out);
  json_put_string(out, p->summary);
  if (p->needs != NULL) {
    fputs(",\"needs\":", out);
    json_put_string(out, p->needs);
  }
  if ((p->flags & SCULPT_PARAMETER_DEPRECATED) != 0) fputs(",\"deprecated\":true", out);
  fputc('}', out);
}

static void put_component(FILE* out, const sculpt_component* c) {
  fputs("\n{\"id\":", out);
  json_put_string(out, c->id);
  fprintf(out, ",\"kind\":\"%s\",\"version\":", kind_name(c->kind));
  json_put_string(out, c->version);
  fputs(",\"summary\":", out);
  json_put_string(out, c->summary);
  fputs(",\"reference\":", out);
  json_put_string(out, c->reference);

  const int serial = (c->traits & SCULPT_TRAIT_SERIAL) != 0;
  const int separation_set = (c->traits & SCULPT_TRAIT_SEPARATION_SET) != 0;
  fprintf(out, ",\"traits\":[%s%s%s]", serial ? "\"serial\"" : "",
          serial && separation_set ? "," : "", separation_set ? "\"separation_set\"" : "");

  fputs(",\"extensions\":[", out);
  for (int64_t k = 0; k < c->extension_count; ++k) {
    if (k > 0) fputc(',', out);
    json_put_string(out, c->extensions[k]);
  }
  fputs("],\"parameters\":[", out);
  for (int64_t k = 0; k < c->parameter_count; ++k) {
    if (k > 0) fputc(',', out);
    put_parameter(out, &c->parameters[k]);
  }
  fputs("]}", out);
}

static void put_catalogue(FILE* out, const sculpt_plugin* plugin) {
  fprintf(out, "{\"sculpt_sidecar\":1,\"abi\":[%d,%d],\"name\":", SCULPT_ABI_MAJOR,
          SCULPT_ABI_MINOR);
  json_put_string(out, plugin->name);
  fputs(",\"version\":", out);
  json_put_string(out, plugin->version);
  fputs(",\"license\":", out);
  json_put_string(out, plugin->license);
  fputs(",\"components\":[", out);
  for (int64_t k = 0; k < plugin->component_count; ++k) {
    if (k > 0) fputc(',', out);
    put_component(out, plugin->components[k]);
  }
  fputs("],\"pairings\":[", out);
  for (int64_t k = 0; k < plugin->experiment_count; ++k) {
    fputs(k > 0 ? ",\n" : "\n", out);
    put_pairing(out, plugin->experiments[k]);
  }
  fputs("]}\n", out);
}

static const char* output; /* the file that is written */

/* The catalogue has the sizes of its own arrays, so a wrong size can end this process. */
static void report_crash(int signal_number) {
  static const char text[] =
      "sculpt_sidecar: the catalogue points to memory that cannot be read; is component_count,"
      " parameter_count, extension_count or experiment_count larger than its array, or a pointer"
      " not set?\n";
  const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
  (void)written;
  (void)signal_number;
  unlink(output);
  _exit(69);
}

static void catch_crashes(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = report_crash;
  sigaction(SIGSEGV, &action, NULL);
  sigaction(SIGBUS, &action, NULL);
}

/* Returns the catalogue of a library, or NULL with a message in text[size]. The library stays
 * loaded. */
static const sculpt_plugin* load(const char* library, char* text, size_t size) {
  /* A path without a slash would be looked up among the libraries of the system. */
  char path[4096];
  const int length =
      snprintf(path, sizeof path, "%s%s", strchr(library, '/') != NULL ? "" : "./", library);
  void* handle = length < (int)sizeof path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (handle == NULL) {
    const char* reason = dlerror();
    snprintf(text, size, "cannot be loaded: %s", reason != NULL ? reason : "its path is too long");
    return NULL;
  }
  void* symbol = dlsym(handle, "sculpt_entry");
  if (symbol == NULL) {
    snprintf(text, size,
             "it has no function sculpt_entry; write SCULPT_PLUGIN(...) in one of its"
             " sources, or in C define sculpt_entry");
    return NULL;
  }
  sculpt_entry_function entry; /* ISO C has no cast from void* to a function */
  memcpy(&entry, &symbol, sizeof entry);
  const sculpt_version abi = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR};
  const sculpt_plugin* plugin = entry(abi);
  catch_crashes();
  return check_catalogue(plugin, text, size) ? plugin : NULL;
}

int main(int count, char** arguments) {
  if (count != 3) {
    fputs("usage: sculpt_sidecar LIBRARY OUTPUT\n", stderr);
    return 64;
  }
  char text[2048];
  output = arguments[2];
  remove(output);
  const sculpt_plugin* plugin = load(arguments[1], text, sizeof text);
  if (plugin == NULL) {
    fprintf(stderr, "%s: %s\n", arguments[1], text);
    return 69;
  }
  FILE* out = fopen(output, "w");
  if (out == NULL) {
    perror(output);
    return 73;
  }
  put_catalogue(out, plugin);
  const int failed = ferror(out);
  if (fclose(out) != 0 || failed) {
    fprintf(stderr, "%s: cannot be written\n", output);
    remove(output);
    return 74;
  }
  /* Not exit(): sanitizers would report memory that the library does not free. */
  _Exit(0);
}
