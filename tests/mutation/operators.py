"""Small changes of C++ code: the operators, and their places in a file.

Requires code formatted by clang-format: binary operators have spaces on both sides, template brackets
have none. There is no other C++ parser, so some mutants do not compile; mutate replaces them.
"""
import hashlib
import re
from dataclasses import dataclass

OPERATORS = {
    "relational": "< <= > >= to its neighbours, == to != and back",
    "arithmetic": "+ to - and back, * to / and back, % to /; also += and the like; ++ to --, not in the head "
                  "of a for",
    "logical": "&& to || and back",
    "condition": "the condition of an if or while is negated; ! is removed",
    "choice": "c ? a : b to c ? b : a",
    "constant": "0 to 1; 1 to 0 or 2; 2 to 10 plus or minus 1; above 10 doubled or halved; x.y to 0 or 2 x.y; "
                "1e-12 multiplied or divided by 1e4",
    "statement": "an assignment or a call is removed",
    "extreme": "min to max and back, also of elements; the same for lower_bound and upper_bound, floor and "
               "ceil, any_of and all_of",
    "sign": "-x to x",
    "return": "return x to return {}, or to return !x if x is a comparison",
    "jump": "break or continue is removed",
    "truth": "true to false and back",
}

RELATIONS = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"),
             "==": ("!=",), "!=": ("==",)}
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/",
              "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
EXTREMES = {"min": "max", "max": "min", "min_element": "max_element", "max_element": "min_element",
            "lower_bound": "upper_bound", "upper_bound": "lower_bound",
            "floor": "ceil", "ceil": "floor", "any_of": "all_of", "all_of": "any_of"}

# Text without mutants: comments, strings, directives, attributes, static_assert, texts of errors, and
# reserve(), which only saves time.
NO_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<raw>\w*)\(.*?\)(?P=raw)"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\''
    r'|^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*|\[\[.*?\]\]|\b(?:static_assert|assert)\(.*?\);'
    r'|\bthrow\b.*?;(?=\n|$|\s*[/}])|[\w.>-]*\breserve\([^;]*;', re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Mutant:
    file: str         # from the top of the tree
    start: int
    end: int
    replacement: str
    operator: str
    line: int
    before: str       # the lines touched, joined
    after: str
    occurrence: int   # 1 for the first place in the file with this text

    @property
    def key(self):
        """Does not depend on the folder or on other lines."""
        name = self.file.rsplit("/", 1)[-1]
        return "|".join([name, self.before, self.after, str(self.occurrence)])

    def rank(self, seed):
        return hashlib.sha256(f"{seed}|{self.operator}|{self.key}".encode()).hexdigest()


def masked(text):
    """The text with blanks for what NO_CODE matches. Quotes stay, so that offsets stay the same."""
    def blank(match):
        kept = re.sub(r"[^\n]", " ", match[0])
        return '"' + kept[1:-1] + '"' if match[0][0] in "\"'R" and len(kept) > 1 else kept
    return NO_CODE.sub(blank, text)


def closing(code, start, stops=""):
    """The place of the bracket that closes the bracket at `start`. With `stops`: the first of these
    characters from `start` on that is not in brackets, or the end of the brackets around `start`."""
    depth = 0
    for place in range(start, len(code)):
        one = code[place]
        if stops and depth == 0 and (one in stops or one in ")]}"):
            return place
        depth += (one in "([{") - (one in ")]}")
        if depth == 0 and not stops:
            return place
    return len(code)


def without_brackets(code):
    kept, depth = [], 0
    for one in code:
        depth -= one in ")]}"
        if depth == 0:
            kept.append(one)
        depth += one in "([{"
    return "".join(kept)


def is_comparison(code):
    return bool(re.search(r" (<|<=|>|>=|==|!=|&&|\|\|) |^!", without_brackets(code))) and " ? " not in code


def numbers(written):
    if re.fullmatch(r"\d+", written):
        n = int(written)
        others = {0: [1], 1: [0, 2]}.get(n, [n - 1, n + 1] if n <= 10 else [2 * n, n // 2])
        return [str(other) for other in others]
    if re.fullmatch(r"\d[\d.]*[eE][+-]?\d+", written):
        return [f"{float(written) * 1e4:.17g}", f"{float(written) / 1e4:.17g}"]
    if re.fullmatch(r"\d+\.\d+", written):
        return ["1.0"] if float(written) == 0 else ["0.0", f"{2 * float(written)}"]
    return []


def tokens(code):
    """Yields (start, end, replacement, operator) for all operators except "statement"."""
    for m in re.finditer(r"(?<= )(<=|>=|==|!=|<|>)(?=\s)", code):
        yield from ((m.start(), m.end(), other, "relational") for other in RELATIONS[m[1]])
    for m in re.finditer(r"(?<= )([+\-*/]=|[+\-*/%])(?=\s)", code):
        if '"' not in (code[:m.start()].rstrip()[-1:], code[m.end():].lstrip()[:1]):
            yield m.start(), m.end(), ARITHMETIC[m[1]], "arithmetic"
    for m in re.finditer(r"(?<![\w)\]])(\+\+|--)(?=\w)", code):
        if "for (" not in code[code.rfind("\n", 0, m.start()) + 1:m.start()]:
            yield m.start(), m.end(), {"++": "--", "--": "++"}[m[1]], "arithmetic"
    for m in re.finditer(r"(?<= )(&&|\|\|)(?=\s)", code):
        yield m.start(), m.end(), {"&&": "||", "||": "&&"}[m[1]], "logical"
    for m in re.finditer(r"(?<=[\s(])!(?=[\w(])", code):
        yield m.start(), m.end(), "", "condition"
    for m in re.finditer(r"\b(if|while) \(", code):
        start, end = m.end(), closing(code, m.end() - 1)
        start = max(start, code.rfind("; ", start, end) + 2)
        if not re.search(r"[^=!<>]= ", code[start:end]):
            yield start, end, f"!({code[start:end]})", "condition"
    for m in re.finditer(r"\?(?=\s)", code):
        colon = closing(code, m.end(), ":")
        while code[colon:colon + 2] == "::" or code[colon - 1:colon + 1] == "::":
            colon = closing(code, colon + 2, ":") if code[colon:colon + 2] == "::" else colon + 1
        end = closing(code, colon + 1, ",;")
        if code[colon:colon + 1] == ":":
            first, second = code[m.end():colon].strip(), code[colon + 1:end].strip()
            yield m.end(), end, f" {second} : {first}", "choice"
    for m in re.finditer(r"(?<![\w.<'])\d[\d.]*(?:[eE][+-]?\d+)?(?![\w.>'])", code):
        if not re.search(r"\)( const| noexcept| override)* = $", code[:m.start()]):
            yield from ((m.start(), m.end(), other, "constant") for other in numbers(m[0]))
    for m in re.finditer(r"(?<=std::)(" + "|".join(EXTREMES) + r")(?=\()", code):
        yield m.start(), m.end(), EXTREMES[m[1]], "extreme"
    for m in re.finditer(r"(?:[(,=?:<>&|{\[]\s?|return )(-)(?=[\w(])", code):
        yield m.start(1), m.end(1), "", "sign"
    for m in re.finditer(r"\breturn ([^;]+);", code):
        value = m[1]
        if is_comparison(value):
            yield m.start(1), m.end(1), f"!({value})", "return"
        elif value not in ("{}", "true", "false", "0", "*this") and "{\n" not in value:
            yield m.start(1), m.end(1), "{}", "return"
    for m in re.finditer(r"\b(break|continue)(?=;)", code):
        yield m.start(), m.end(), "", "jump"
    for m in re.finditer(r"\b(true|false)\b", code):
        yield m.start(), m.end(), {"true": "false", "false": "true"}[m[1]], "truth"


NO_STATEMENT = re.compile(
    r"(return|using|break|continue|throw|delete|const|noexcept|override|final)\b")


def statements(code):
    for m in re.finditer(r"(?:[;{})]|[^:]:|\belse)\s+(?=[\w*+-])", code):
        start = m.end()
        end = closing(code, start, ";")
        if code[end:end + 1] != ";" or NO_STATEMENT.match(code[start:start + 12]):
            continue
        flat = without_brackets(code[start:end])
        called = re.fullmatch(r"[\w:.>-]+\)", flat) and not re.match(r"(if|for|while|switch)\b", flat)
        assigned = re.match(r"\*?[\w:.>\]\)\[\(-]+\s[+\-*/|&]?=\s", flat)
        counted = re.fullmatch(r"(\+\+|--)[\w.\]\[>-]+", flat)
        if called or assigned or counted:
            yield start, end, "", "statement"


def mutants(file, text):
    """Every mutant of a file."""
    code = masked(text)
    seen = {}
    for start, end, replacement, operator in sorted({*tokens(code), *statements(code)}):
        if "\"" in code[start:end]:  # restores the blanked strings
            replacement = replacement.replace(code[start:end], text[start:end])
            if "\"" in replacement and text[start:end] not in replacement:
                continue
        first = text.rfind("\n", 0, start) + 1
        last = text.find("\n", end)
        shown = [" ".join(part.split()) for part in
                 (text[first:last], text[first:start] + replacement + text[end:last])]
        seen[tuple(shown)] = seen.get(tuple(shown), 0) + 1
        yield Mutant(file, start, end, replacement, operator, text.count("\n", 0, start) + 1,
                     *shown, seen[tuple(shown)])
