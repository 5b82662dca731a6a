"""A handle of libsculpt's batch layer, and the thread that makes its calls.

One thread makes all calls of a handle. Components that are not thread-safe demand that. It also
leaves the thread of the caller free for Ctrl-C, which Python handles between its own instructions.
"""

import os
import queue
import threading
import warnings
import weakref
from ctypes import byref, c_void_p

from . import _batch_library, _library
from ._library import Interrupted, SculptError, call


class _Task:
    """One call. `kept`: what it reads and writes, which lives until it has ended."""

    def __init__(self, function, kept):
        self.is_done = False
        self.end = threading.Lock()  # held until the end: an Event costs more than a small call
        self.end.acquire()
        self.result, self.error = None, None
        self._function, self._kept = function, kept
        self._has_begun = self._is_stopping = False
        self._border = threading.Lock()  # a request to stop is made before the next call begins

    def run(self) -> None:
        try:
            self._has_begun = True
            if self._is_stopping:
                raise Interrupted("the call was stopped before it began", 130)
            self.result = self._run_once()
        except BaseException as error:  # raised again by the caller
            self.error = error
        finally:
            with self._border:
                self._function = self._kept = None
                self.is_done = True
            self.end.release()

    def _run_once(self):
        try:
            return self._function()
        except Interrupted:
            if self._is_stopping:
                raise
        # The call before this one ended before it saw its request to stop.
        return self._function()

    def stop(self, stop_handle) -> None:
        self._is_stopping = True
        with self._border:
            if self._has_begun and not self.is_done:
                stop_handle()


def _serve(tasks: queue.SimpleQueue) -> None:
    while True:
        task = tasks.get()
        if task is None:
            return
        task.run()
        del task


class Handle:
    """What sculpt_batch_open() or sculpt_batch_task_open() makes. `kind`: the begin of the names of
    its functions. `options`: its record without `log`; `kept`: what the handle borrows."""

    def __init__(self, kind: str, options, kept=None):
        library = _batch_library.library()
        self.pointer = c_void_p()
        self._process = os.getpid()
        self._stop = getattr(library, f"{kind}_stop")
        self._texts = texts = []
        options.log = _batch_library.LOG(
            lambda _user, _severity, text: texts.append(text.decode(errors="replace")))
        self._tasks = queue.SimpleQueue()
        weakref.finalize(self, self._tasks.put, None)
        # At exit such a thread waits for a call, because run() waits for each of its calls.
        threading.Thread(target=_serve, args=(self._tasks,), name=kind, daemon=True).start()
        pointer = self.pointer
        self.run(lambda: call(f"{kind}_open", byref(options), byref(pointer)))
        weakref.finalize(self, _free, getattr(library, f"{kind}_free"), pointer, options, kept)

    def run(self, function, kept=None):
        """Runs a function on the thread of the handle, and returns its result. Ctrl-C stops the
        call of the library in it. Raises what the function raises. `kept`: the arrays that the
        call reads and writes."""
        if os.getpid() != self._process:
            raise SculptError("the batch was opened by the parent of this process; open one after "
                              "fork()", 64)
        task = _Task(function, kept)
        interrupt = None
        self._tasks.put(task)
        while not task.is_done:
            try:
                task.end.acquire(timeout=0.1)
            except BaseException as error:  # KeyboardInterrupt, or of another signal handler
                interrupt = error
                task.stop(lambda: self._stop(self.pointer))
        while self._texts:
            warnings.warn(self._texts.pop(0), RuntimeWarning, stacklevel=4)
        if interrupt is not None:
            raise interrupt
        if task.error is not None:
            raise task.error
        return task.result


def _free(function, pointer, *_kept) -> None:
    function(pointer)


def plugin_folders(options, folders) -> None:
    """Sets plugin_path of a record of options."""
    if isinstance(folders, (str, os.PathLike)):
        raise TypeError("plugin_path is one folder; it must be a list of folders")
    options.plugin_path, options.plugin_path_count = _library.texts(folders)
