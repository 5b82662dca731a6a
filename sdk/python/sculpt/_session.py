"""One call of the host: what it says, and how Ctrl-C stops it."""

import sys
import threading
from ctypes import byref, c_void_p

from . import _library
from ._library import call, library


class Session:
    """A session of libsculpt. `show` is called with each text that the host says as a message;
    `results` collects what a command prints."""

    def __init__(self, threads: int = 0, plugin_path=(), show=None):
        self.results = []
        self._show = show
        self._error = None
        self._write = _library.WRITE(self._written)
        folders, count = _library.texts(plugin_path)
        options = _library.SessionOptions(threads=threads, plugin_path=folders,
                                          plugin_path_count=count, write=self._write)
        handle = c_void_p()
        call("sculpt_session_open", byref(options), byref(handle))
        self.handle = handle

    def __del__(self):
        if getattr(self, "handle", None) is not None:
            library().sculpt_session_free(self.handle)

    def _written(self, _user, kind, text, size):
        said = _library.string_at(text, size)
        if kind == _library.TEXT_RESULT:
            self.results.append(said)
        elif self._show is not None:
            self._show(said)

    def stop(self) -> None:
        """Asks the running call to stop. Any thread."""
        library().sculpt_session_stop(self.handle)

    def keep_error(self, error: BaseException) -> None:
        """Stops the call because a callback failed; run() raises the error when it has ended."""
        if self._error is None:
            self._error = error
        self.stop()

    def run(self, function: str, *arguments) -> int:
        """call(), which Ctrl-C stops. In the main thread the call runs in a thread of its own,
        because Python handles signals only between its own instructions."""
        if threading.current_thread() is not threading.main_thread():
            return self._finish(call(function, *arguments))
        outcome = {}
        done = threading.Event()  # Thread.join() forgets a thread if Ctrl-C comes within it

        def work():
            try:
                outcome["code"] = call(function, *arguments)
            except BaseException as error:  # raised again below
                outcome["error"] = error
            finally:
                done.set()

        threading.Thread(target=work, name=function).start()
        interrupt = None
        while True:
            try:
                while not done.wait(0.05):
                    pass
                break
            except KeyboardInterrupt as error:
                interrupt = error
                self.stop()
        if interrupt is not None:
            raise KeyboardInterrupt from outcome.get("error")
        if "error" in outcome and self._error is None:
            raise outcome["error"]
        return self._finish(outcome.get("code", 0))

    def _finish(self, code: int) -> int:
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        return code


def shown_on_stderr(text: str) -> None:
    """Prints a message; in a notebook it appears below the cell."""
    sys.stderr.write(text)
    sys.stderr.flush()
