#!/usr/bin/env python3
"""A Slurm of the tests: sbatch and scontrol, and a cluster of this machine alone.

    sbatch [--parsable] [OPTION...] SCRIPT    stores a job in $FAKE_SLURM, and prints its number
    scontrol requeue JOB | JOB_TASK           the task goes back into the queue once it has ended
    cluster SEED KILLS                        runs all jobs, and prints counts of what happened

The name by which it is called says which of these it is. Like sbatch, it reads the lines #SBATCH of
the script, keeps a copy of it, and knows --array, --dependency (afterok, afterany, aftercorr),
--kill-on-invalid-dep, --requeue, --signal=B:TERM@S, --output with %A %a %j %%, and --open-mode.

The cluster runs several tasks at a time, in an order of its own. It harms KILLS of them, half of
them each way: a time limit (TERM to the script alone, as --signal asks, and KILL to all a second
later), or the loss of a node (KILL to all). A task on a lost node is queued again if its job says
--requeue, or fails, by chance. Tasks begin in the folder /.
"""

import json
import os
import random
import shlex
import signal
import subprocess
import sys
import time

STATE = os.environ["FAKE_SLURM"]
PARALLEL = 3
VALUES = {"a": "array", "d": "dependency", "t": "time", "p": "partition", "o": "output"}
DEPENDENCIES = ("afterok", "afterany", "aftercorr")


def parse(words):
    """The options among words, and what is behind them: ({name: value}, [words])."""
    options = {}
    while words and words[0].startswith("-"):
        word = words.pop(0)
        if not word.startswith("--"):
            name, value = VALUES[word[1]], word[2:] or words.pop(0)
        else:
            name, equals, value = word[2:].partition("=")
            if not equals:
                value = True
        options[name] = value
    return options, words


def script_options(path):
    """Those of the lines #SBATCH, which end at the first command."""
    options = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#SBATCH"):
                options.update(parse(shlex.split(line[len("#SBATCH"):]))[0])
            elif line.strip() and not line.startswith("#"):
                break
    return options


def array_tasks(text):
    tasks = []
    for part in text.split("%")[0].split(","):
        first, _, last = part.partition("-")
        tasks.extend(range(int(first), int(last or first) + 1))
    return tasks


def jobs():
    with os.scandir(STATE) as entries:
        names = sorted(entry.name for entry in entries if entry.name.endswith(".json"))
    found = {}
    for name in names:
        with open(os.path.join(STATE, name), encoding="utf-8") as file:
            job = json.load(file)
        found[job["id"]] = job
    return found


def refuse(text):
    sys.exit("sbatch: error: " + text)


def sbatch(words):
    options, rest = parse(words)
    if len(rest) != 1:
        refuse("no script")
    script = rest[0]
    if not os.path.isabs(script):
        refuse("the path is relative")
    all_options = {**script_options(script), **options}
    known = jobs()
    refused = os.path.join(STATE, "refuse")  # names a script
    if os.path.exists(refused):
        with open(refused, encoding="utf-8") as file:
            if file.read().strip() == os.path.basename(script):
                refuse("Batch job submission failed: Invalid account")
    for part in all_options.get("dependency", "").split(","):
        kind, *ids = part.split(":")
        if part and (kind not in DEPENDENCIES or not ids or any(i not in known for i in ids)):
            refuse("Batch job submission failed: Job dependency problem")
    job_id = str(101 + len(known))
    with open(script, encoding="utf-8") as file:
        text = file.read()
    job = {"id": job_id, "script": script, "text": text, "options": all_options}
    with open(os.path.join(STATE, job_id + ".json"), "w", encoding="utf-8") as file:
        json.dump(job, file)
    print(job_id if "parsable" in options else "Submitted batch job " + job_id)


def scontrol(words):
    if len(words) != 2 or words[0] != "requeue":
        sys.exit("scontrol: error: " + " ".join(words))
    with open(os.path.join(STATE, words[1] + ".requeue"), "w", encoding="utf-8"):
        pass


class Task:
    """One task of an array, or a job without one. end: None, or its exit code; -1: cancelled."""

    def __init__(self, job, index):
        self.job, self.index = job, index
        self.name = job["id"] if index is None else f"{job['id']}_{index}"
        self.restarts = 0
        self.process = None
        self.end = None
        self.term_at = self.kill_at = None
        self.node_is_lost = False

    def state(self, tasks):
        """"ready", "waiting", or "never" if a dependency can no longer be met."""
        result = "ready"
        for part in filter(None, self.job["options"].get("dependency", "").split(",")):
            kind, *ids = part.split(":")
            for other in tasks:
                if other.job["id"] not in ids:
                    continue
                if kind == "aftercorr" and other.index != self.index:
                    continue
                if other.end is None:
                    result = "waiting" if result == "ready" else result
                elif kind != "afterany" and other.end != 0:
                    result = "never"
        return result

    def log(self):
        path = self.job["options"]["output"]
        for pattern, text in (("A", self.job["id"]), ("a", str(self.index)), ("j", self.job["id"])):
            path = path.replace("%%", "\0").replace("%" + pattern, text).replace("\0", "%%")
        return path.replace("%%", "%")

    def start(self):
        environment = dict(os.environ, SLURM_JOB_ID=self.name)
        environment["SLURM_CPUS_PER_TASK"] = self.job["options"].get("cpus-per-task", "1")
        environment["SLURM_RESTART_COUNT"] = str(self.restarts)
        if self.index is not None:
            environment["SLURM_ARRAY_JOB_ID"] = self.job["id"]
            environment["SLURM_ARRAY_TASK_ID"] = str(self.index)
        copy = os.path.join(STATE, self.name + ".sh")
        with open(copy, "w", encoding="utf-8") as file:
            file.write(self.job["text"])
        mode = "ab" if self.job["options"].get("open-mode") == "append" else "wb"
        with open(self.log(), mode) as log:
            self.process = subprocess.Popen(["bash", copy], cwd="/", env=environment, stdout=log,
                                            stderr=log, stdin=subprocess.DEVNULL,
                                            start_new_session=True)

    def kill_all(self):
        """KILL to every process of the task. sculpt has process groups of its own."""
        for entry in os.listdir("/proc"):
            try:
                if entry.isdigit() and os.getsid(int(entry)) == self.process.pid:
                    os.kill(int(entry), signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass


class Cluster:
    def __init__(self, seed, kills):
        self.random = random.Random(seed)
        self.kills = kills
        self.tasks = []
        self.counts = {"tasks": 0, "terminated": 0, "lost": 0, "requeued": 0, "failed": 0,
                       "cancelled": 0, "most_at_a_time": 0}
        for job in jobs().values():
            if job.get("has_run"):
                continue
            array = job["options"].get("array")
            for index in array_tasks(array) if array else [None]:
                self.tasks.append(Task(job, index))
            with open(os.path.join(STATE, job["id"] + ".json"), "w", encoding="utf-8") as file:
                json.dump({**job, "has_run": True}, file)
        self.random.shuffle(self.tasks)

    def running(self):
        return [task for task in self.tasks if task.process is not None]

    def start_ready(self) -> bool:
        """Starts and cancels tasks. True if there was one: others may depend on it."""
        has_changed = False
        for task in self.tasks:
            if task.process is not None or task.end is not None:
                continue
            state = task.state(self.tasks)
            if state == "never":
                assert task.job["options"].get("kill-on-invalid-dep") == "yes", task.name
                task.end = -1
                self.counts["cancelled"] += 1
                has_changed = True
            elif state == "ready" and len(self.running()) < PARALLEL:
                task.start()
                self.counts["tasks"] += 1
                self.plan_harm(task)
                has_changed = True
        self.counts["most_at_a_time"] = max(self.counts["most_at_a_time"], len(self.running()))
        return has_changed

    def plan_harm(self, task):
        task.term_at = task.kill_at = None
        task.node_is_lost = False
        if self.kills <= 0 or self.random.random() < 0.3:
            return
        self.kills -= 1
        moment = time.monotonic() + self.random.uniform(0.02, 0.2)
        if self.random.random() < 0.5:
            assert task.job["options"]["signal"] == "B:TERM@60"
            task.term_at, task.kill_at = moment, moment + 1
        else:
            task.kill_at, task.node_is_lost = moment, True

    def harm(self, task):
        now = time.monotonic()
        if task.term_at is not None and now >= task.term_at:
            task.term_at = None
            os.kill(task.process.pid, signal.SIGTERM)
            self.counts["terminated"] += 1
        if task.kill_at is not None and now >= task.kill_at:
            task.kill_at = None
            task.kill_all()
            self.counts["lost"] += task.node_is_lost

    def end(self, task, code):
        task.kill_all()  # what the script has left behind
        was_killed = task.node_is_lost and task.kill_at is None
        task.process = None
        marker = os.path.join(STATE, task.name + ".requeue")
        is_requeued = os.path.exists(marker)
        if is_requeued:
            os.remove(marker)
        elif was_killed and "requeue" in task.job["options"]:
            is_requeued = self.random.random() < 0.5
        if is_requeued:
            task.restarts += 1
            self.counts["requeued"] += 1
            return
        task.end = code
        self.counts["failed"] += code != 0

    def run(self):
        while True:
            has_changed = self.start_ready()
            if not self.running():
                if has_changed:
                    continue
                break
            time.sleep(0.01)
            for task in self.running():
                self.harm(task)
                code = task.process.poll()
                if code is not None:
                    self.end(task, code)
        stuck = [task.name for task in self.tasks if task.end is None]
        assert not stuck, stuck
        print(json.dumps(self.counts))


def main():
    name = os.path.basename(sys.argv[0])
    if name == "sbatch":
        sbatch(sys.argv[1:])
    elif name == "scontrol":
        scontrol(sys.argv[1:])
    elif name == "cluster":
        Cluster(int(sys.argv[1]), int(sys.argv[2])).run()
    else:
        sys.exit(f"{name}: link this script as sbatch, scontrol or cluster")


if __name__ == "__main__":
    main()
