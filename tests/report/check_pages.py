"""check_pages.py SCULPT CONFIGS [IMAGES]: pages of real runs, in Debian's Chromium.

Trains small runs of many kinds, a sweep, and one run that is killed, and makes their reports. Then
for each page: axe-core finds nothing, on light and dark screens and on a phone, with all tables
open; the page asks the network for nothing and its script has no error; a phone needs no scrolling
to the side; the pointer reads values off; without the script every figure is there; it prints.
IMAGES: a folder for the screenshots, to look at.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from browser import Browser, find_chromium  # noqa: E402

AXE = pathlib.Path(__file__).parent / "node_modules/axe-core/axe.min.js"

TREES = """(TOP (S (NP (D the) (N dog)) (VP (V barks))))
(TOP (S (NP (D a) (N cat)) (VP (V sees) (NP (D the) (N dog)))))
(TOP (S (NP (N cats)) (VP (V see) (NP (N dogs)))))
"""


def skip(reason):
    print("SKIPPED: " + reason)
    sys.exit(0)


class Pages:
    """Trains in a folder, and makes pages there."""

    def __init__(self, sculpt, configs, folder):
        self.sculpt = sculpt
        self.configs = configs
        self.folder = folder
        self.pages = {}

    def run(self, *words, codes=(0, 3)):
        done = subprocess.run([self.sculpt, *words], cwd=self.folder, capture_output=True, text=True)
        if done.returncode not in codes:
            raise SystemExit(f"sculpt {' '.join(words)}: exit {done.returncode}\n{done.stderr}")

    def report(self, name, *runs):
        self.run("report", *runs, "--output", name + ".html", "--force", codes=(0,))
        self.pages[name] = os.path.join(self.folder, name + ".html")

    def train(self, name, config, *sets):
        words = [word for value in sets for word in ("--set", value)]
        self.run("train", os.path.join(self.configs, config), "--output", name, *words)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def kill_a_run(self):
        """A run of many passes with a checkpoint, killed with -9."""
        process = subprocess.Popen(
            [self.sculpt, "train", os.path.join(self.configs, "quickstart.json"), "--output", "killed",
             "--set", "solver.C=1e7", "--set", "solver.relative_gap=0", "--set", "checkpoint_seconds=0"],
            cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        checkpoint = os.path.join(self.folder, "killed/checkpoints/last.sculpt")
        deadline = time.monotonic() + 60
        while not os.path.exists(checkpoint) and time.monotonic() < deadline:
            time.sleep(0.02)
        self.report("running", "killed")
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.report("killed", "killed")


def make_pages(pages):
    pages.train("words", "quickstart.json")
    pages.report("words", "words")
    for name in ("denoising", "ranking", "molecules", "clustering", "diversity"):
        pages.train(name, name + ".json")
        pages.report(name, name)
    pages.write("trees.txt", TREES)
    pages.write("trees.json", json.dumps({
        "name": "<script>alert(1)&<b> trees",
        "dataset": {"use": "trees", "train": "trees.txt"}, "features": "grammar",
        "loss": "f1", "oracle": "grammar", "solver": {"use": "n_slack", "C": 0.1}}))
    pages.run("train", "trees.json", "--output", "trees")
    pages.report("trees", "trees")
    for C in ("1", "100"):
        pages.train("C" + C, "quickstart.json", "solver.C=" + C, "solver.max_passes=20")
    pages.report("several", "C1", "C100", "words")
    pages.run("sweep", os.path.join(pages.configs, "diversity.json"), "--set", "solver.C=1,10,100",
              "--set", "solver.rescaling=margin,slack", "--folds", "3", "--output", "sweep")
    pages.report("sweep", "sweep")
    pages.kill_a_run()


class Checks:
    """Collects what is wrong with pages."""

    def __init__(self, browser, images):
        self.browser = browser
        self.images = images
        self.axe = AXE.read_text(encoding="utf-8")
        self.faults = []
        self.count = 0

    def expect(self, condition, text):
        self.count += 1
        if not condition:
            self.faults.append(text)

    def image(self, page, name):
        if self.images:
            page.screenshot(os.path.join(self.images, name + ".png"))

    def run_axe(self, page, name):
        page.run("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        page.run(self.axe + ";0")
        found = json.loads(page.run(
            "axe.run(document, {resultTypes: ['violations']}).then(r => JSON.stringify("
            "r.violations.map(v => [v.id, v.nodes.length, v.nodes[0].html.slice(0, 200)])))"))
        self.expect(found == [], f"{name}: axe: {found}")

    def check_screens(self, name, path):
        for label, options in (("light", {}), ("dark", {"dark": True}), ("phone", {"width": 390})):
            page = self.browser.open(path, **options)
            self.image(page, f"{name}-{label}")
            if label == "phone":
                width = page.run("document.documentElement.scrollWidth")
                self.expect(width <= 390, f"{name}: the page is {width} wide on a phone of 390")
            self.run_axe(page, f"{name}, {label}")
            problems = page.problems()
            self.expect(problems == [], f"{name}, {label}: {problems}")
            loads = page.run("performance.getEntriesByType('resource').length")
            self.expect(loads == 0, f"{name}, {label}: {loads} loads")

    def check_pointer(self, name, path):
        page = self.browser.open(path)
        curves = page.run("document.querySelectorAll('svg.chart path[data-g]').length")
        if not curves:
            return
        text = page.run("""(() => {
          const line = document.querySelector("svg.chart path[data-g]"), svg = line.closest("svg");
          const box = line.getBoundingClientRect();
          svg.dispatchEvent(new PointerEvent("pointermove", {clientX: box.right, clientY: box.top}));
          return svg.closest("figure").querySelector(".reading").textContent;
        })()""")
        last = page.run("""(() => {
          const bodies = document.querySelector("svg.chart path[data-g]").closest("figure")
              .querySelectorAll("tbody.data");
          return [...bodies].map(body => body.rows[body.rows.length - 1].cells[0].textContent);
        })()""")
        self.expect(any(f"pass {value} " in text for value in last),
                    f"{name}: at its end the pointer reads {text!r}, the last passes are {last}")

    def check_without_script(self, name, path):
        count = "document.querySelectorAll('svg[role=img]').length"
        with_script = self.browser.open(path).run(count)
        page = self.browser.open(path, script=False)
        page.call("Emulation.setScriptExecutionDisabled", value=False)
        without = page.run(count)
        self.expect(with_script == without and page.run("document.querySelectorAll('.reading').length") == 0,
                    f"{name}: {with_script} figures with the script, {without} without")

    def check_print(self, name, path):
        page = self.browser.open(path)
        output = os.path.join(self.images or tempfile.gettempdir(), name + ".pdf")
        page.print_to(output)
        size = os.path.getsize(output)
        self.expect(size > 5000, f"{name}: the print has {size} bytes")
        if not self.images:
            os.remove(output)


def main():
    sculpt, configs = (os.path.abspath(word) for word in sys.argv[1:3])
    images = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None
    if not find_chromium():
        skip("chromium is not installed (configs/setup slow)")
    if not AXE.exists():
        skip("axe-core is not installed (configs/setup slow)")
    if images:
        os.makedirs(images, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="sculpt-pages-") as folder, Browser() as browser:
        pages = Pages(sculpt, configs, folder)
        make_pages(pages)
        checks = Checks(browser, images)
        for name, path in pages.pages.items():
            size = os.path.getsize(path)
            checks.expect(size < 300000, f"{name}: {size} bytes")
            checks.check_screens(name, path)
            checks.check_pointer(name, path)
            checks.check_without_script(name, path)
            checks.check_print(name, path)
    for fault in checks.faults:
        print(fault)
    print(f"{len(pages.pages)} pages, {checks.count} checks, {len(checks.faults)} faults")
    sys.exit(1 if checks.faults else 0)


if __name__ == "__main__":
    main()
