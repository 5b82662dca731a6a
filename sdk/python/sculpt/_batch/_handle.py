"""A handle of libsculpt's batch layer, and how its calls are made.

A call that may take long is made by a thread of the handle. That leaves the main thread free for
Ctrl-C, which Python handles between its own instructions. A call that will be short is made by the
thread of the caller: then the arrays stay in the cache of its core.
"""

import os
import queue
import threading
import time
import warnings
import weakref
from ctypes import byref, c_void_p

from .._host import _arguments, _library
from .._host._library import HostWarning, Interrupted, SculptError, call
from .._host._session import user_level
from . import _batch_library

SHORT = 0.05  # seconds that Ctrl-C may wait for a call
DOUBT = 4  # a call may take so many times as long as the last one of its size


class _Task:
    """One call on the thread of a handle. `kept`: what it reads and writes, which lives until it
    has ended. `turn`: the lock of the calls of the handle."""

    def __init__(self, function, kept, turn):
        self.has_begun = self.has_left = False  # the library's call; guarded by _border
        self.is_done = False  # result or error is set
        self.end = threading.Lock()  # held until the end: an Event costs more than a small call
        self.end.acquire()
        self.result, self.error = None, None
        self._function, self._kept, self._turn = function, kept, turn
        self._is_stopping = False
        self._border = threading.Lock()  # a request to stop is made before the next call begins

    def run(self) -> None:
        try:
            with self._turn:
                try:
                    self._begin()
                    self.result = _undisturbed(self._function, lambda: self._is_stopping)
                finally:
                    with self._border:
                        self.has_left = True
        except BaseException as error:  # raised again by the caller
            self.error = error
        finally:
            self._function = self._kept = None
            self.is_done = True
            self.end.release()

    def _begin(self) -> None:
        with self._border:
            self.has_begun = not self._is_stopping
        if not self.has_begun:
            raise Interrupted("the call was stopped before it began", 130)

    def stop(self, stop_handle) -> bool:
        """Stops the call. Returns False if it has not begun: then it never will."""
        with self._border:
            self._is_stopping = True
            if self.has_begun and not self.has_left:
                stop_handle()
            return self.has_begun


def _undisturbed(function, is_stopping):
    """Calls a function, again if it was stopped by a request for the call before it."""
    try:
        return function()
    except Interrupted:
        if is_stopping():
            raise
    return function()


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
        self._turn = threading.Lock()
        self._seconds = {}  # of the last call of a function, by its size
        self._is_serial = False
        self._stop = getattr(library, f"{kind}_stop")
        self._texts = texts = []
        options.log = _batch_library.LOG(
            lambda _user, _severity, text: texts.append(text.decode(errors="replace")))
        self._tasks = queue.SimpleQueue()
        when_gone(self, self._tasks.put, None)
        # At exit such a thread waits for a call, because run() waits for each of its calls.
        threading.Thread(target=_serve, args=(self._tasks,), name=kind, daemon=True).start()
        pointer = self.pointer
        self._wait(lambda: call(f"{kind}_open", byref(options), byref(pointer)), None)
        self._warn()
        when_gone(self, _free, getattr(library, f"{kind}_free"), pointer, options, kept)

    def run(self, function, *, name: str, size: int, kept):
        """Calls a function, and returns its result. Ctrl-C stops the call of the library in it.
        Raises what the function raises.

        name, size   calls of one name take a time in proportion to the size
        kept         the arrays that the call reads and writes
        """
        if os.getpid() != self._process:
            raise SculptError("the batch was opened by the parent of this process; open one after "
                              "fork()", _library.USAGE)
        begin = time.perf_counter()
        if self._is_short(name, size):
            result = self._run_here(function, kept)
        else:
            result = self._wait(function, kept)
        self._seconds[name] = (time.perf_counter() - begin) / max(size, 1)
        self._warn()
        return result

    def _is_short(self, name: str, size: int) -> bool:
        if self._is_serial:
            return False
        if threading.current_thread() is not threading.main_thread():
            return True  # Ctrl-C is no matter of this thread
        return DOUBT * size * self._seconds.get(name, SHORT) < SHORT

    def _run_here(self, function, kept):
        try:
            with self._turn:
                return _undisturbed(function, lambda: False)
        except SculptError as error:
            if error.exit != _library.USAGE:
                raise
        # A component that is not thread-safe serves the thread that opened it alone. Other wrong
        # calls fail there again.
        result = self._wait(function, kept)
        self._is_serial = True
        return result

    def _wait(self, function, kept):
        """Makes the call on the thread of the handle."""
        task = _Task(function, kept, self._turn)
        interrupt = None
        self._tasks.put(task)
        while not task.is_done:
            try:
                task.end.acquire(timeout=0.1)
            except BaseException as error:  # KeyboardInterrupt, or of another signal handler
                interrupt = error
                if not task.stop(lambda: self._stop(self.pointer)):
                    break
        if interrupt is not None:
            raise interrupt
        if task.error is not None:
            raise task.error
        return task.result

    def _warn(self) -> None:
        while True:
            try:  # another thread may take the last one
                text = self._texts.pop(0)
            except IndexError:
                return
            warnings.warn(HostWarning(text), stacklevel=user_level())


def when_gone(thing, function, *arguments) -> None:
    """Calls a function when the object is gone, but not at exit: then a daemon thread may use what
    it would free."""
    weakref.finalize(thing, function, *arguments).atexit = False


def _free(function, pointer, *_kept) -> None:
    function(pointer)


def common_options(options, threads, plugin_path) -> None:
    """Sets the fields that both records of options have."""
    options.threads = _arguments.integer(threads, "threads", 0, 2**31 - 1, " (all cores)")
    options.plugin_path, options.plugin_path_count = _library.texts(
        _arguments.folders(plugin_path, "plugin_path"))
