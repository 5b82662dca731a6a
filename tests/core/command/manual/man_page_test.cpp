#include "command/manual/man_page.hpp"

#include <doctest/doctest.h>

using namespace sculpt::core;

namespace {

bool has(const std::string& page, const std::string& part) {
  return page.find(part) != std::string::npos;
}

CommandDescription command_with(const std::string& epilogue) {
  CommandDescription command;
  command.name = "prune";
  command.synopsis = "RUN --output DIR [options]";
  command.summary = "make a model smaller";
  command.epilogue = epilogue;
  return command;
}

}  // namespace

TEST_CASE("a man page keeps hyphens, backslashes and lines that begin with a dot") {
  CommandDescription command = command_with("\n.5 is a half, 'a' a letter.\n'b' too: \\x1b\n");
  command.options.push_back({"time-limit", "t", "SECONDS", "30", "a \"limit\" - or none", false});
  const std::string page = man_page(command);
  CHECK(has(page, "\n\\&.5 is a half, 'a' a letter.\n\\&'b' too: \\ex1b\n"));
  CHECK(has(page,
            ".TP\n\\fB\\-t\\fR, \\fB\\-\\-time\\-limit\\fR \\fISECONDS\\fR\n"
            "a \\(dqlimit\\(dq \\- or none (default: 30)\n"));
}

TEST_CASE("a man page marks options and values of a synopsis") {
  CHECK(has(man_page(command_with("")),
            ".SH SYNOPSIS\n\\fBsculpt prune\\fR \\fIRUN\\fR \\fB\\-\\-output\\fR \\fIDIR\\fR "
            "[options]\n"));
}

TEST_CASE("a man page makes items, commands and paragraphs of what --help prints") {
  const std::string page =
      man_page(command_with("\nWhat it does:\n  primal   asks again\n           at w\n  and more\n"
                            "\n  sculpt prune runs/a\n\nThe end.\n"));
  CHECK(has(page,
            ".PP\nWhat it does:\n.TP\n\\fBprimal\\fR\nasks again\nat w\n.PP\nand more\n"
            ".PP\n.in +4\n.nf\nsculpt prune runs/a\n.fi\n.in\n.PP\nThe end.\n.SH OPTIONS\n"));
}

TEST_CASE("a man page makes an item of each exit code") {
  const std::string page =
      man_page(command_with("\nExit codes: 0 pruned; 64 usage; 65 the data or\na file; has "
                            "changed.\nNothing is left.\n"));
  CHECK(has(page,
            ".SH EXIT STATUS\n.TP\n\\fB0\\fR\npruned\n.TP\n\\fB64\\fR\nusage\n.TP\n\\fB65\\fR\n"
            "the data or a file; has changed. Nothing is left.\n.SH SEE ALSO\n"));
  CHECK(has(man_page(command_with("\nExit codes: those of train\n")),
            ".SH EXIT STATUS\n.PP\nthose of train\n"));
  CHECK(has(man_page(command_with("")), ".SH EXIT STATUS\nSee\n.BR sculpt (1).\n"));
}
