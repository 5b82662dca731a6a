"""Checks the pages of the project (*.md).

  check_pages.py links [--root FOLDER]              links lead to files, folders and headings that exist. FOLDER: where
                                                    the pages are installed, and links must not leave it
  check_pages.py names                              core/README.md names folders, files and functions that exist
  check_pages.py options --sculpt BINARY            commands and options in all pages are known to the program, and
                                                    the table of formats has the keys of all datasets
  check_pages.py readme --sculpt BINARY [--shared]  runs the commands of README.md: those with the data of
                                                    the project, or with --shared those with $SCULPT_DATA
  check_pages.py examples --sculpt BINARY           runs the sections "Try it" of the pages of plugins

Ends with 1 and a line for each fault, or with 77 if the shared data are missing.
"""
import argparse
import dataclasses
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
README_LINES = 150
SKIPPED = 77  # SKIP_RETURN_CODE of the test
SUMMARY = "`train` ends with a summary:"  # README.md shows what the first command prints

def pages():
    """The pages in the project, without those of folders that a build, a run or npm has made."""
    found = []
    made = {"build", "runs", "sweeps", "node_modules"}
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in made and name[0] != "."]
        found += [pathlib.Path(folder) / name for name in files if name.endswith(".md")]
    return sorted(found)

@dataclasses.dataclass
class Line:
    number: int
    text: str
    is_code: bool  # in a fenced or indented block

def lines_of(page):
    result, fenced, before = [], False, ""
    for number, text in enumerate(page.read_text().splitlines(), 1):
        is_fence = text.lstrip().startswith("```")
        # An indented line is code behind a blank line or other code. In a list it goes on with an item.
        is_indented = text.startswith("    ") and (before == "" or (result and result[-1].is_code))
        result.append(Line(number, text, fenced or is_fence or is_indented))
        fenced = fenced != is_fence
        before = text.strip()
    return result

def place(page, line):
    return f"{page.relative_to(ROOT)}:{line.number}"

# --- Links -----------------------------------------------------------------------------------------

def anchors_of(page):
    """The anchors that GitHub makes of the headings."""
    anchors = set()
    for line in lines_of(page):
        match = None if line.is_code else re.match(r"#+ +(.*)", line.text)
        if match is None:
            continue
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match[1]).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
        count = 0
        while (anchor if count == 0 else f"{anchor}-{count}") in anchors:
            count += 1
        anchors.add(anchor if count == 0 else f"{anchor}-{count}")
    return anchors

def link_fault(page, target):
    """What is wrong with a link, or None."""
    if re.match(r"[a-z]+:", target):
        return None
    path, _, anchor = target.partition("#")
    goal = (page.parent / path).resolve() if path else page
    if not goal.is_relative_to(ROOT) or not goal.exists():
        return f"links {target}, which does not exist"
    if anchor and goal.is_dir():
        return f"links {target}, which has no page; name its README.md"
    if anchor and anchor not in anchors_of(goal):
        return f"links {target}, but there is no such heading"
    return None

def check_links():
    faults, count = [], 0
    if not (ROOT / "README.md").is_file():
        return [f"{ROOT} has no README.md"]
    for page in pages():
        lines = lines_of(page)
        for line in lines:
            text = "" if line.is_code else re.sub(r"`[^`]*`", "`", line.text)
            for target in re.findall(r"\]\(([^)\s]+)\)", text):
                count += 1
                if fault := link_fault(page, target):
                    faults.append(f"{place(page, line)}: {fault}")
    lines = len(lines_of(ROOT / "README.md"))
    if lines > README_LINES:
        faults.append(f"README.md: has {lines} lines, at most {README_LINES} are wanted; move text to other pages")
    print(f"{count} links in {len(pages())} pages")
    return faults

# --- Names in core/README.md --------------------------------------------------------------------------

def source_of(path):
    """The text of a file below core/, with that of the source of a header."""
    files = {path, path.with_suffix(".cpp")} if path.suffix == ".hpp" else {path}
    return "".join(file.read_text() for file in files if file.is_file())

def check_names():
    core = ROOT / "core"
    page = core / "README.md"
    faults, count = [], 0
    for line in lines_of(page):
        cells = [cell.strip() for cell in line.text.strip("|").split(" | ")] if line.text.startswith("|") else []
        files = [core / name for cell in cells for name in re.findall(r"`([\w./]+\.(?:cpp|hpp))`", cell)]
        count += len(files)
        faults += [f"{place(page, line)}: there is no {file}" for file in files if not file.is_file()]
        text = "".join(source_of(file) for file in files)
        if files and len(cells) == 3 and cells[1].startswith("`"):  # what | file | function
            faults += [f"{place(page, line)}: {name} is not there"
                       for name in re.findall(r"`([\w:]+)`", cells[2])
                       if not re.search(rf"\b{name.split('::')[-1]}\b", text)]
    listed = set(re.findall(r"^\| `([a-z_/]+)` \| [^|]* \| [^|]* \|$", page.read_text(), re.MULTILINE))
    there = {str(file.parent.relative_to(core)) for file in core.rglob("*.cpp")} - {"."}
    faults += [f"core/README.md: the table of folders lacks {folder}" for folder in sorted(there - listed)]
    print(f"{count} files and {len(there)} folders of core/README.md")
    return faults

# --- Commands --------------------------------------------------------------------------------------

def snippets(line):
    """What may be a command in a line: a line of code, or each `code` of a line of text."""
    if line.is_code:
        return [line.text.strip()]
    return re.findall(r"`([^`]+)`", line.text)

def words_of(text):
    """The words of a command, up to what belongs to the shell."""
    text = re.split(r"\s#\s|\s[|>]|[|>]\s|\)\s|\s\\$|&&", text)[0]
    try:
        return shlex.split(text)
    except ValueError:  # a quote that closes in the next line
        return text.split()

def help_of(sculpt, *command):
    return subprocess.run([sculpt, *command, "--help"], check=True, text=True, capture_output=True).stdout

def known_commands(sculpt):
    """The options of each command."""
    names = re.findall(r"^  ([a-z]+)  +\S", help_of(sculpt), re.MULTILINE)
    return {name: set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", help_of(sculpt, name).split("\n\n", 2)[2]))
            for name in names}

def command_faults(words, commands):
    name, *rest = words
    if name not in commands:
        yield f"there is no command '{name}'"
        return
    for word in rest:
        option = word.split("=")[0].rstrip(".,;:")
        if re.fullmatch(r"--[a-z][a-z-]*", option) and option not in commands[name]:
            yield f"{name} has no option {option}"
        # Pages name experiments of the project, or made-up ones that lie elsewhere.
        if re.fullmatch(r"configs/\w+\.json", word) and not (ROOT / word).is_file():
            yield f"there is no {word}"

def check_options(sculpt):
    commands = known_commands(sculpt)
    faults, count = [], 0
    for page in pages():
        if page.name == "CHANGELOG.md":  # tells what was
            continue
        for line in lines_of(page):
            for text in snippets(line):
                for part in re.findall(r"(?:^|[\s(/])sculpt +([a-z].*)", text) or [text]:
                    words = words_of(part)
                    # Without "sculpt" in front it is a command only if an option follows: `predict --scores`.
                    is_short = part is text
                    if not words or is_short and (words[0] not in commands or len(words) < 2 or words[1][:2] != "--"):
                        continue
                    if not is_short and (words[0] == "is" or not re.fullmatch(r"[a-z]+", words[0])):
                        continue
                    count += 1
                    faults += [f"{place(page, line)}: {fault}" for fault in command_faults(words, commands)]
    print(f"{count} commands")
    return faults + list(key_faults(sculpt))

def key_faults(sculpt):
    """The table of formats in plugins/README.md names the keys of each dataset, no more and no less."""
    rows = re.findall(r"^\|[^|]*\| \[`(\w+)`\][^|]*\|[^|]*\|[^|]*\|([^|]*)\|",
                      (ROOT / "plugins/README.md").read_text().replace(r"\|", "/"), re.MULTILINE)
    keys = {}
    for dataset, cell in rows:
        keys.setdefault(dataset, set()).update(re.findall(r"`(\w+)`", cell))
    for dataset, named in keys.items():
        text = subprocess.run([sculpt, "describe", dataset], check=True, text=True, capture_output=True).stdout
        parameters = text.partition("\n  parameters:\n")[2].partition("\n  data, each")[0]
        there = set(re.findall(r"^    (\w+) ", parameters, re.MULTILINE))
        for key in sorted(there - named):
            yield f"plugins/README.md: the table of formats lacks the key {key} of {dataset}"
        for key in sorted(named - there):
            yield f"plugins/README.md: the table of formats has the key {key}, which {dataset} lacks"
    if len(keys) < 15:
        yield f"plugins/README.md: the table of formats has {len(keys)} datasets, which are too few"

# --- README ----------------------------------------------------------------------------------------

def readme_commands():
    """Those that can be run as they stand: (line, words)."""
    for line in lines_of(ROOT / "README.md"):
        for text in snippets(line):
            words = words_of(text)
            if len(words) > 2 and words[0] == "sculpt" and "COMMAND" not in words:
                yield line, words[1:]

def needs_shared_data(words):
    if any(word.startswith("dataset.train=") for word in words):  # files of the user
        return False
    configs = [ROOT / word for word in words if word.startswith("configs/") and word.endswith(".json")]
    return any("SCULPT_DATA" in config.read_text() for config in configs)

def data_folder():
    folder = pathlib.Path(os.environ.get("SCULPT_DATA", ROOT / "../shared/data")).resolve()
    return folder if folder.is_dir() else None

def squeezed(text):
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]

def shown_summary():
    """The lines that README.md shows of the summary of its first command."""
    lines = lines_of(ROOT / "README.md")
    begin = next(k for k, line in enumerate(lines) if line.text == SUMMARY) + 2
    end = next(k for k in range(begin, len(lines)) if not lines[k].text)
    return squeezed("\n".join(line.text for line in lines[begin:end]))

def check_readme(sculpt, shared):
    if shared and data_folder() is None:
        print("SKIPPED: there is no folder of data; set SCULPT_DATA to it")
        sys.exit(SKIPPED)
    faults, count = [], 0
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(scratch)
        (work / "configs").symlink_to(ROOT / "configs")
        for name, rows in {"train.txt": "grades.txt", "test.txt": "other_grades.txt"}.items():  # of the user
            (work / name).symlink_to(ROOT / "tests/sdk/first_plugin" / rows)
        environment = {**os.environ, "SCULPT_DATA": str(data_folder() or "none")}
        for line, words in readme_commands():
            if needs_shared_data(words) != shared:
                continue
            # It is enough to see that these begin: they take up to minutes.
            limit = ["--set", "solver.max_seconds=0.2"] if shared else []
            done = subprocess.run([sculpt, *words, *limit], cwd=work, env=environment, text=True, capture_output=True)
            count += 1
            accepted = {0, 3} if shared or "oracle=icm" in words else {0}
            if done.returncode not in accepted:
                faults.append(f"README.md:{line.number}: sculpt {' '.join(words)} ended with "
                              f"{done.returncode}: {done.stderr[-500:]}")
            elif count == 1 and not shared:
                printed = squeezed(done.stdout + done.stderr)
                faults += [f"README.md shows \"{shown}\", but train does not print it"
                           for shown in shown_summary() if shown not in printed]
    print(f"{count} commands of README.md")
    if count < 5:
        faults.append(f"README.md: found {count} commands, which are too few")
    return faults

# --- Examples --------------------------------------------------------------------------------------

def example_of(page):
    """The files and commands of the section "Try it": {name: text}, [(line, words)]."""
    files, commands, name, is_inside = {}, [], None, False
    for line in lines_of(page):
        if not line.is_code and re.match(r"#+ ", line.text):
            is_inside = line.text == "## Try it"
        elif not is_inside:
            continue
        elif not line.is_code:
            match = re.match(r"`([\w.]+)`[,:]", line.text)  # the file in the block below
            name = match[1] if match else None if line.text else name
        elif line.text.startswith("    sculpt "):
            commands.append((line, words_of(line.text)[1:]))
        elif name and not line.text.startswith("```"):
            files[name] = files.get(name, "") + line.text + "\n"
    return files, commands

def check_examples(sculpt):
    faults, count = [], 0
    for page in pages():
        if not page.is_relative_to(ROOT / "plugins"):
            continue
        files, commands = example_of(page)
        with tempfile.TemporaryDirectory() as scratch:
            for name, text in files.items():
                (pathlib.Path(scratch) / name).write_text(text)
            for line, words in commands:
                done = subprocess.run([sculpt, *words], cwd=scratch, text=True, capture_output=True)
                count += 1
                if done.returncode != 0:
                    faults.append(f"{place(page, line)}: sculpt {' '.join(words)} ended with {done.returncode}: "
                                  f"{done.stderr[-500:]}")
                elif warnings := [text for text in (done.stdout + done.stderr).splitlines() if "warning:" in text]:
                    faults.append(f"{place(page, line)}: sculpt {' '.join(words)} prints \"{warnings[0]}\"")
    print(f"{count} commands of examples")
    if count < 10:
        faults.append(f"plugins: found {count} commands of examples, which are too few")
    return faults

def main():
    global ROOT
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["links", "names", "options", "readme", "examples"])
    parser.add_argument("--sculpt", default=ROOT / "build/release/bin/sculpt", help="the binary")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the folder of the pages")
    parser.add_argument("--shared", action="store_true", help="commands that need the data in $SCULPT_DATA")
    chosen = parser.parse_args()
    chosen.sculpt = pathlib.Path(chosen.sculpt).resolve()
    ROOT = chosen.root.resolve()
    if chosen.what == "links":
        faults = check_links()
    elif chosen.what == "names":
        faults = check_names()
    elif chosen.what == "options":
        faults = check_options(chosen.sculpt)
    elif chosen.what == "examples":
        faults = check_examples(chosen.sculpt)
    else:
        faults = check_readme(chosen.sculpt, chosen.shared)
    for fault in faults:
        print(fault)
    return 1 if faults else 0

if __name__ == "__main__":
    sys.exit(main())
