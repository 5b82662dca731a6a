"""A copy of the tree with its own build, in which mutants are tried one after another."""
import os
import pathlib
import re
import resource
import signal
import subprocess
import time
import xml.etree.ElementTree as xml
from dataclasses import dataclass

# Limits for a mutant: five times the normal time plus 20 s, and 12 GB, which no test needs. A mutant
# above them counts as killed.
TIMES_NORMAL, GRACE_SECONDS, MEMORY_BYTES = 5, 20, 12 << 30

CONFIGURE = [
    "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS=-w -D_GLIBCXX_ASSERTIONS",
    "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG", "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG",
    "-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=gold", "-DSCULPT_JOIN=OFF", "-DSCULPT_WERROR=OFF"]


# The test binaries that link the library of the host. They do not run the program.
LIBRARY_TESTS = ["test_core", "test_abi"]

running = set()  # ids of process groups


def end_all(*_):
    """Signal handler: ends all processes that the script started."""
    for process in list(running):
        os.killpg(process, signal.SIGKILL)
    os._exit(130)


class Failed(Exception):
    """An error, with the last lines of the output."""


def limited():
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(command, folder, seconds=None, environment=None):
    """Returns (exit code, output). After `seconds` ends the process group; then the code is None."""
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, text=True, errors="replace", env=environment,
                          start_new_session=True, preexec_fn=limited) as process:
        running.add(process.pid)
        try:
            output, _ = process.communicate(timeout=seconds)
            return process.returncode, output
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            return None, output
        finally:
            running.discard(process.pid)


@dataclass(frozen=True)
class Times:
    """The times of tests without a mutant, in seconds."""
    files: dict    # file of tests/core: seconds
    abi: float     # test_abi
    host: float    # tests that run the program; None if they are not used


class Tree:
    """Makes `folder`, or updates it to `commit` if an earlier run made it."""

    def __init__(self, repository, commit, folder, jobs, host):
        self.folder = pathlib.Path(folder)
        self.build = self.folder / "build" / "mutate"
        self.scratch = self.folder / "build" / "scratch"
        self.jobs = jobs
        self.environment = dict(
            os.environ, TMPDIR=str(self.scratch), CCACHE_BASEDIR=str(self.folder), CCACHE_NOHASHDIR="1",
            CMAKE_C_COMPILER_LAUNCHER="ccache", CMAKE_CXX_COMPILER_LAUNCHER="ccache")
        if not self.folder.exists():
            self.must("git", "clone", "--quiet", "--shared", "--no-checkout", repository, self.folder, at=".")
        self.must("git", "checkout", "--quiet", "--force", "--detach", commit)
        self.scratch.mkdir(parents=True, exist_ok=True)
        self.must("cmake", "-S", ".", "-B", self.build, "-G", "Ninja", *CONFIGURE)
        self.must("ninja", "-C", self.build, f"-j{jobs}", *([] if host else LIBRARY_TESTS))
        self.objects = self.hashes()

    def must(self, *command, at=None):
        code, output = run([str(one) for one in command], at or self.folder, environment=self.environment)
        if code != 0:
            raise Failed(f"{' '.join(str(one) for one in command)}\n{output[-3000:]}")
        return output

    def hashes(self):
        return {str(one): hash(one.read_bytes()) for folder in ("core", "tests/core")
                for one in (self.build / folder).rglob("*.o")}

    def measure(self):
        """Seconds of each file of tests/core and of test_abi, without a mutant. All must pass."""
        code, output = run(["tests/bin/test_core", "-r=xml", "-d"], self.build, environment=self.environment)
        root = xml.fromstring(output[output.index("<?xml"):])
        if code != 0:
            raise Failed("tests fail without a mutant:\n" + output[-3000:])
        seconds = {}
        for case in root.iter("TestCase"):
            name = "tests/core/" + case.get("filename").split("tests/core/")[-1]
            result = case.find("OverallResultsAsserts")
            seconds[name] = seconds.get(name, 0) + float(0 if result is None else result.get("duration", 0))
        begun = time.monotonic()
        code, output = run(["tests/bin/test_abi"], self.build, environment=self.environment)
        if code != 0:
            raise Failed("tests fail without a mutant:\n" + output[-3000:])
        return seconds, time.monotonic() - begun

    def stages(self, file, seconds):
        """Yields lists of files of tests/core, the closest to the source first."""
        folder, stem = re.fullmatch(r"core/(.*)/([^/]*)\.[ch]pp", file).groups()
        text = (self.folder / file).read_text()
        own = re.search(r'^#include "([^"]*)"', text, re.MULTILINE)
        header = f"{folder}/{stem}.hpp" if file.endswith(".hpp") or not own else own[1]
        by_name = [f"tests/core/{one}_test.cpp" for one in (f"{folder}/{stem}", header[:-4])]
        including = [one for one in seconds
                     if f'#include "{header}"' in (self.folder / one).read_text()]
        near = [one for one in seconds if one.startswith(f"tests/core/{folder.split('/')[0]}/")]
        left = set(seconds)
        for files in (by_name, including, near, list(seconds)):
            chosen = sorted(left & set(files))
            left -= set(chosen)
            if chosen:
                yield chosen

    def try_mutant(self, mutant, seconds, from_host):
        """Returns (verdict, the test or tool that decided it). `seconds` is a Times."""
        source = self.folder / mutant.file
        original = source.read_text()
        source.write_text(original[:mutant.start] + mutant.replacement + original[mutant.end:])
        try:
            return self.verdict(mutant, seconds, from_host)
        finally:
            source.write_text(original)

    def verdict(self, mutant, seconds, from_host):
        built = self.build_target("test_core")
        if built:
            return built
        if self.hashes() == self.objects:
            return "same code", "the compiler"
        if not from_host:
            by = self.killed_by_library_tests(mutant, seconds)
            if by:
                return by
        if seconds.host is None:
            return "survived", "test_core"
        built = self.build_target("all")
        if built:
            return built
        code, output = self.run_host(TIMES_NORMAL * seconds.host + GRACE_SECONDS)
        if code == 0:
            return "survived", "all"
        failed = re.search(r"\d+ - (.*) \(\w+\)", output) or re.search(r"^.*\*\*\*.*$", output, re.MULTILINE)
        return "killed", ("timeout: " if code is None else "") + (failed[failed.lastindex or 0] if failed else "ctest")

    def killed_by_library_tests(self, mutant, seconds):
        for files in self.stages(mutant.file, seconds.files):
            chosen = "-sf=" + ",".join("*" + one for one in files)
            expected = sum(seconds.files[one] for one in files)
            by = self.killed_by("test_core", [chosen], expected, " ".join(files)[:90])
            if by:
                return by
        return self.build_target("test_abi") or self.killed_by("test_abi", [], seconds.abi, "test_abi")

    def killed_by(self, binary, options, expected, name):
        code, output = run([f"tests/bin/{binary}", *options, "-aa=1", "-nc"], self.build,
                           TIMES_NORMAL * expected + GRACE_SECONDS, self.environment)
        if code == 0:
            return None
        failures = re.findall(r"^\S*tests/(\S*):\d+:\n(?:.*\n)?TEST CASE:\s+(.*)", output, re.MULTILINE)
        by = f"{failures[-1][0]}: {failures[-1][1]}" if failures else name
        return "killed", by if code is not None else f"timeout: {by}"

    def run_host(self, most=None):
        return run(["ctest", "-LE", "slow", "-E", "^test_core: ", f"-j{self.jobs}", "--stop-on-failure",
                    "--timeout", "300"], self.build, most, self.environment)

    def build_target(self, target):
        code, output = run(["ninja", f"-j{self.jobs}", target], self.build, 1800, self.environment)
        if code == 0:
            return None
        if code is not None and re.search(r"error:|undefined reference", output):
            return "not compiled", re.search(r".*(?:error:|undefined reference).*", output)[0][-200:]
        return "killed", "the build, which runs the host"
