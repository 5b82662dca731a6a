/* interpreter.h - starts Python once in a process and finds the package `sculpt`. */
#ifndef SCULPT_PLUGINS_PYTHON_INTERPRETER_H
#define SCULPT_PLUGINS_PYTHON_INTERPRETER_H
#include <sculpt/plugin.h>
#include <stddef.h>

/* Fills components[kinds[k]], for k < count, with those of the package. The first call starts the
 * interpreter, unless the process has one already. Later calls cost nothing. If a call fails, a
 * later one tries again.
 *   SCULPT_E_INTERNAL   Python, numpy or the package is missing or does not work */
sculpt_status sculpt_start_python(const sculpt_component** components, const uint32_t* kinds,
                                  size_t count, sculpt_error* error);

/* folder[size] = the folder of the package `sculpt`, without looking whether it is there. Returns
 * 0, or -1 if it is too long or unknown. */
int sculpt_package_folder(char* folder, size_t size);

#endif
