/* interpreter.c - see interpreter.h. The C API of Python is used here alone. */
#define _GNU_SOURCE /* dladdr */
#define PY_SSIZE_T_CLEAN
#include "interpreter.h"

#include <Python.h>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <sculpt/c_plugin.h>
#include <unistd.h>

/* Where the package is, relative to the folder of this library. */
#define PACKAGE_FOLDER "/../python"

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static int is_started = 0; /* guarded by `starting` */
static pthread_once_t before_first_start = PTHREAD_ONCE_INIT;

/* A child process must not inherit the lock of another thread of its parent. */
static void unlock_in_child(void) {
  pthread_mutex_init(&starting, NULL);
}
static void prepare_for_fork(void) {
  (void)pthread_atfork(NULL, NULL, unlock_in_child);
}

/* path[PATH_MAX] = the file of libpython, or "". */
static void find_libpython(char* path) {
  Dl_info info;
  path[0] = '\0';
  if (dladdr((const void*)(uintptr_t)&Py_InitializeFromConfig, &info) == 0) return;
  if (info.dli_fname == NULL || realpath(info.dli_fname, path) == NULL) path[0] = '\0';
}

/* The extension modules of numpy and others have symbols of libpython that are undefined: they look
 * for them among those that are global. The host loads this library, and libpython with it, without
 * making theirs global. */
static void make_python_global(const char* libpython) {
  if (libpython[0] != '\0') (void)dlopen(libpython, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

/* path[PATH_MAX] = FOLDER/bin/python3.N of this version. Returns whether it is there. */
static int has_program(const char* folder, char* path) {
  const int length =
      snprintf(path, PATH_MAX, "%s/bin/python%d.%d", folder, PY_MAJOR_VERSION, PY_MINOR_VERSION);
  return length > 0 && length < PATH_MAX && access(path, X_OK) == 0;
}

/* Chooses the program whose packages are used: that of $VIRTUAL_ENV if it is of this version, else
 * the one that belongs to libpython. Python itself would take the first python3 on the PATH, which
 * may be of another installation. */
static PyStatus choose_program(PyConfig* config, const char* libpython) {
  const char* const environment = getenv("VIRTUAL_ENV");
  char folder[PATH_MAX];
  char path[PATH_MAX];
  char* slash;
  int is_found = environment != NULL && has_program(environment, path);
  snprintf(folder, sizeof folder, "%s", libpython);
  while (!is_found && (slash = strrchr(folder, '/')) != NULL) {
    *slash = '\0';
    is_found = has_program(folder, path);
  }
  return is_found ? PyConfig_SetBytesString(config, &config->executable, path) : PyStatus_Ok();
}

/* Starts the interpreter and gives its lock back. Signals stay with the host. */
static sculpt_status start(sculpt_error* error) {
  PyConfig config;
  PyStatus status;
  char libpython[PATH_MAX];
  find_libpython(libpython);
  make_python_global(libpython);
  PyConfig_InitPythonConfig(&config);
  config.install_signal_handlers = 0;
  config.parse_argv = 0;
  config.write_bytecode = 0; /* nothing is written beside the package or the task */
  status = choose_program(&config, libpython);
  if (!PyStatus_Exception(status)) status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status)) {
    return sculpt_fail(error, SCULPT_E_INTERNAL, "Python cannot start: %s",
                       status.err_msg == NULL ? "no reason given" : status.err_msg);
  }
  PyEval_SaveThread();
  return SCULPT_OK;
}

/* Writes the Python exception that is set to *error, with what was done. */
static sculpt_status python_error(const char* what, sculpt_error* error) {
  PyObject *type = NULL, *value = NULL, *traceback = NULL, *text = NULL;
  const char* shown = NULL;
  sculpt_status status;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  text = value == NULL ? NULL : PyObject_Str(value);
  shown = text == NULL ? NULL : PyUnicode_AsUTF8(text);
  status = sculpt_fail(error, SCULPT_E_INTERNAL, "%s: %s%s", what,
                       shown == NULL ? "an unknown error" : shown,
                       type != NULL && PyErr_GivenExceptionMatches(type, PyExc_ImportError)
                           ? "; Python tasks need numpy (Debian: python3-numpy)"
                           : "");
  Py_XDECREF(text);
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
  PyErr_Clear();
  return status;
}

int sculpt_package_folder(char* folder, size_t size) {
  Dl_info info;
  char path[PATH_MAX];
  char whole[PATH_MAX];
  const char* slash;
  int length;
  if (dladdr((const void*)(uintptr_t)&sculpt_package_folder, &info) == 0) return -1;
  slash = strrchr(info.dli_fname, '/');
  length = snprintf(path, sizeof path, "%.*s" PACKAGE_FOLDER,
                    slash == NULL ? 1 : (int)(slash - info.dli_fname),
                    slash == NULL ? "." : info.dli_fname);
  if (length < 0 || (size_t)length >= sizeof path) return -1;
  length = snprintf(folder, size, "%s", realpath(path, whole) == NULL ? path : whole);
  return length < 0 || (size_t)length >= size ? -1 : 0;
}

/* Puts the folder of the package in front of sys.path. What tasks print goes to stderr: stdout has
 * the results of the host. Requires the interpreter's lock. */
static int prepare_modules(void) {
  char folder[PATH_MAX];
  PyObject *path, *entry;
  int result;
  if (sculpt_package_folder(folder, sizeof folder) != 0) return -1;
  path = PySys_GetObject("path");
  entry = PyUnicode_DecodeFSDefault(folder);
  result = path == NULL || entry == NULL ? -1 : PyList_Insert(path, 0, entry);
  Py_XDECREF(entry);
  if (result == 0) result = PySys_SetObject("stdout", PySys_GetObject("stderr"));
  return result;
}

/* Gets the addresses of the components from the package. Requires the interpreter's lock. */
static sculpt_status find_components(const sculpt_component** components, const uint32_t* kinds,
                                     size_t count, sculpt_error* error) {
  size_t k;
  PyObject* const module = PyImport_ImportModule("sculpt._task._components");
  if (module == NULL) return python_error("the package sculpt cannot be imported", error);
  for (k = 0; k < count; ++k) {
    const uint32_t kind = kinds[k];
    PyObject* const address = PyObject_CallMethod(module, "component_address", "I", kind);
    components[kind] = address == NULL ? NULL : PyLong_AsVoidPtr(address);
    Py_XDECREF(address);
    if (components[kind] == NULL) {
      Py_DECREF(module);
      return python_error("the package sculpt does not work", error);
    }
  }
  Py_DECREF(module);
  return SCULPT_OK;
}

sculpt_status sculpt_start_python(const sculpt_component** components, const uint32_t* kinds,
                                  size_t count, sculpt_error* error) {
  sculpt_status status = SCULPT_OK;
  pthread_once(&before_first_start, prepare_for_fork);
  pthread_mutex_lock(&starting);
  if (!is_started) {
    const int has_interpreter = Py_IsInitialized();
    if (!has_interpreter) status = start(error);
    if (status == SCULPT_OK) {
      const PyGILState_STATE lock = PyGILState_Ensure();
      if (!has_interpreter && prepare_modules() != 0) {
        status = python_error("the path of modules cannot be set", error);
      } else {
        status = find_components(components, kinds, count, error);
      }
      PyGILState_Release(lock);
    }
    is_started = status == SCULPT_OK;
  }
  pthread_mutex_unlock(&starting);
  return status;
}
