#include "command/manual/man_page.hpp"

#include <sstream>
#include <string_view>

#include "command/manual/exit_codes.hpp"

namespace sculpt::core {
namespace {

// Text without a meaning in man(7). A hyphen must stay one, because users copy options.
std::string escaped(std::string_view text) {
  std::string result;
  if (text.starts_with('.') || text.starts_with('\'')) result += "\\&";
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '"') {
      result += "\\(dq";
    } else {
      result += c;
    }
  }
  return result;
}

std::string bold(std::string_view text) {
  return "\\fB" + escaped(text) + "\\fR";
}

std::string italic(std::string_view text) {
  return "\\fI" + escaped(text) + "\\fR";
}

// The words of a synopsis: those in capitals are what the user puts in.
std::string marked(std::string_view synopsis) {
  std::string result;
  std::string word;
  const auto end_word = [&] {
    const bool is_value =
        word.size() > 1 && word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == word.npos;
    const bool is_option = word.starts_with("--");
    result += is_value ? italic(word) : is_option ? bold(word) : escaped(word);
    word.clear();
  };
  for (const char c : synopsis) {
    const bool divides = c == ' ' || c == '[' || c == ']' || c == '.';
    if (!divides) {
      word += c;
      continue;
    }
    end_word();
    result += c;
  }
  end_word();
  return result;
}

std::string head(const std::string& name) {
  std::string title;
  for (const char c : name) title += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return ".\\\" Made by `sculpt man`. Do not edit.\n.TH " + escaped(title) +
         " 1 \"\" \"sculpt " SCULPT_VERSION "\" \"sculpt\"\n.SH NAME\n";
}

std::string item(const std::string& name, std::string_view text) {
  return ".TP\n" + name + "\n" + escaped(text) + "\n";
}

std::string option_name(const CommandOption& option) {
  std::string name = option.letter.empty() ? "" : bold("-" + option.letter) + ", ";
  name += bold("--" + option.name);
  return option.value.empty() ? name : name + " " + italic(option.value);
}

// Paragraphs of --help. A line that is set in by two blanks and has a gap is an item with its
// text. Lines set in by more go on with it. A command that is set in stays on its own line.
class Paragraphs {
 public:
  std::string text() const { return text_; }

  void add(std::string_view line) {
    if (line.empty()) {
      begin_paragraph_ = true;
      is_item_ = false;
      return;
    }
    const std::size_t indent = line.find_first_not_of(' ');
    const std::string_view bare = line.substr(indent);
    if (indent >= 2 && bare.starts_with("sculpt ")) {
      text_ += ".PP\n.in +4\n.nf\n" + escaped(bare) + "\n.fi\n.in\n";
      begin_paragraph_ = true;
      return;
    }
    const std::size_t gap = bare.find("  ");
    if (indent == 2 && gap != std::string_view::npos) {
      text_ += item(bold(bare.substr(0, gap)), bare.substr(bare.find_first_not_of(' ', gap)));
      is_item_ = true;
      begin_paragraph_ = false;
      return;
    }
    if (begin_paragraph_ || (is_item_ && indent < 4)) text_ += ".PP\n";
    is_item_ = is_item_ && indent >= 4;
    begin_paragraph_ = false;
    text_ += escaped(bare) + "\n";
  }

 private:
  std::string text_;
  bool begin_paragraph_ = true;
  bool is_item_ = false;
};

constexpr std::string_view exit_mark = "Exit codes: ";

// "0 verified; 1 a fault; ...": an item for each code. Other text is a paragraph.
std::string exit_items(std::string_view text) {
  const auto begins_with_code = [](std::string_view part) {
    const std::size_t end = part.find_first_not_of("0123456789");
    return end != 0 && end != std::string_view::npos && part[end] == ' ';
  };
  std::string result;
  while (begins_with_code(text)) {
    std::size_t end = 0;
    do {
      end = text.find("; ", end + 1);
    } while (end != std::string_view::npos && !begins_with_code(text.substr(end + 2)));
    const std::string_view part = text.substr(0, end);
    const std::size_t gap = part.find(' ');
    result += item(bold(part.substr(0, gap)), part.substr(gap + 1));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 2);
  }
  return text.empty() ? result : result + ".PP\n" + escaped(text) + "\n";
}

}  // namespace

std::string man_page(const CommandDescription& command) {
  const std::string name = "sculpt-" + command.name;
  std::string page = head(name) + escaped(name) + " \\- " + escaped(command.summary) + "\n" +
                     ".SH SYNOPSIS\n" + bold("sculpt " + command.name) + " " +
                     marked(command.synopsis) + "\n";
  Paragraphs about;
  std::string exits;
  bool is_exit = false;
  std::istringstream lines(command.epilogue);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(exit_mark)) {
      is_exit = true;
      line = line.substr(exit_mark.size());
    }
    if (is_exit) {
      exits += (exits.empty() ? "" : " ") + line;
    } else {
      about.add(line);
    }
  }
  page += ".SH DESCRIPTION\nThe command to " + escaped(command.summary) + ".\n" + about.text() +
          ".SH OPTIONS\n";
  for (const CommandOption& option : command.options) {
    const std::string fallback =
        option.fallback.empty() ? "" : " (default: " + option.fallback + ")";
    page += item(option_name(option), option.summary + fallback);
  }
  page += ".SH EXIT STATUS\n";
  page += is_exit ? exit_items(exits) : "See\n.BR sculpt (1).\n";
  return page + ".SH SEE ALSO\n.BR sculpt (1)\n";
}

std::string man_page(std::span<const CommandDescription> commands) {
  std::string page = head("sculpt") +
                     "sculpt \\- learns to predict structured outputs, with plugins and a "
                     "certificate\n.SH SYNOPSIS\n" +
                     bold("sculpt") + " " + italic("COMMAND") + " ...\n.SH DESCRIPTION\n" +
                     "An experiment is a JSON file that names a dataset, features, a loss, an "
                     "oracle and a solver.\n" +
                     bold("sculpt train") + " learns a model from it, and reports how far the " +
                     "model is from the optimum.\n.SH COMMANDS\n";
  std::string siblings;
  for (const CommandDescription& command : commands) {
    page += item(bold(command.name) + " " + marked(command.synopsis), command.summary);
    siblings += std::string(siblings.empty() ? "" : "\n") + ".BR " +
                escaped("sculpt-" + command.name) + " (1)";
  }
  page += ".SH EXIT STATUS\n";
  for (const ExitCode& code : exit_codes) page += item(bold(code.codes), code.meaning);
  page += ".SH ENVIRONMENT\n";
  page += item(bold("SCULPT_PLUGIN_PATH"), "folders with plugins, separated by colons");
  page += item(bold("XDG_DATA_HOME"),
               "plugins of the user are in its folder sculpt/plugins; ~/.local/share if unset");
  page += item(bold("SCULPT_DATA"), "the shipped experiments look for their data in this folder");
  page += item(bold("NO_COLOR"), "no colours on the terminal");
  page +=
      ".SH EXAMPLES\n.nf\nsculpt train experiment.json\nsculpt evaluate runs/experiment "
      "test.txt\nsculpt predict runs/experiment new.txt\nsculpt describe chain\n.fi\n";
  return page + ".SH SEE ALSO\n" + siblings + "\n";
}

}  // namespace sculpt::core
