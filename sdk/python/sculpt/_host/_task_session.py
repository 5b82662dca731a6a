"""A session that finds classes of this process as the components `python`."""

import os
import sys

from .._own_files import is_own_file
from .._task._components import Catalogue
from .._task._tasks import Tasks
from . import _library, _wording
from ._session import Session


class TaskSession(Session):
    """A session that lends the classes of `tasks` to the host, if there are any. `json`: of the
    experiment, if it is no file."""

    def __init__(self, tasks: Tasks, *arguments, json: "bytes | None" = None):
        super().__init__(*arguments)
        self._tasks = tasks
        self._json = None if json is None else json.decode()
        if tasks.classes:
            catalogue = self._owner.kept = Catalogue(tasks)
            _library.call("sculpt_session_add_catalogue", self.handle, catalogue.address)

    def run(self, function: str, *arguments) -> int:
        """Session.run(). The cause of a SculptError is the exception of the method of the task; its
        text has the words of this package."""
        self._tasks.problem = None
        try:
            return super().run(function, *arguments)
        except _library.SculptError as error:
            text = _wording.for_python(str(error), "the experiment", self._json)
            error.args = (_wording.with_class_file(text, self._tasks.files()),)
            cause, self._tasks.problem = self._tasks.problem, None
            if cause is None:
                raise
            raise error from cause


def refuse_in_task(function: str) -> None:
    """Raises SculptError in a method of a task, for which the host waits, and while the file of a
    task is run for its class: a process for each call would do so again."""
    frame, method = sys._getframe(1), ""
    while frame is not None:
        path = frame.f_code.co_filename
        file = os.path.basename(path)
        if not is_own_file(path):
            method = frame.f_code.co_name
        elif file == "_callbacks.py":
            raise _library.SculptError(
                f"{function} is called in {method or 'a method'}() of a task, while the host waits "
                "for it; train before, and keep the model in the object", _library.USAGE)
        elif file == "_task_class.py":
            raise _library.SculptError(
                f"{function} is called while the file of a task is read for its class; put the "
                'calls of the file below if __name__ == "__main__":', _library.USAGE)
        frame = frame.f_back
