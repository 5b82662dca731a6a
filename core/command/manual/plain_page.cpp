#include "command/manual/plain_page.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

namespace sculpt::core {
namespace {

constexpr std::size_t page_width = 78;
constexpr std::size_t body_indent = 7;
constexpr std::size_t item_indent = 14;

// The text of a line without fonts and escapes.
std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '\\' || k + 1 == text.size()) {
      result += text[k];
      continue;
    }
    switch (text[++k]) {
      case 'f':  // \fB
        ++k;
        break;
      case '&':
        break;
      case 'e':
        result += '\\';
        break;
      case '(':  // \(dq
        result += '"';
        k += 2;
        break;
      default:  // \-
        result += text[k];
    }
  }
  return result;
}

class PlainPage {
 public:
  void add(std::string_view line) {
    if (line.starts_with(".\\\"") || line.starts_with(".TH")) return;
    if (line.starts_with(".BR ")) return add_reference(line.substr(4));
    if (line.starts_with('.')) return add_macro(line);
    if (std::exchange(is_tag_, false)) {
      text_ += std::string(body_indent, ' ') + unescaped(line) + "\n";
      indent_ = item_indent;
    } else if (is_filled_) {
      paragraph_ += (paragraph_.empty() ? "" : " ") + unescaped(line);
    } else {
      text_ += std::string(indent_ + more_indent_, ' ') + unescaped(line) + "\n";
    }
  }
  std::string text() {
    end_paragraph();
    return text_;
  }

 private:
  void add_macro(std::string_view line) {
    end_paragraph();
    if (line.starts_with(".SH ")) {
      text_ += (text_.empty() ? "" : "\n") + unescaped(line.substr(4)) + "\n";
      indent_ = body_indent;
      begins_section_ = true;
    } else if (line == ".PP" || line == ".TP") {
      if (!std::exchange(begins_section_, false)) text_ += "\n";
      indent_ = body_indent;
      is_tag_ = line == ".TP";
    } else if (line.starts_with(".in")) {
      more_indent_ = line == ".in" ? 0 : 4;
    } else if (line == ".nf" || line == ".fi") {
      is_filled_ = line == ".fi";
    }
  }
  // "sculpt-train (1)" of .BR, without the blank.
  void add_reference(std::string_view words) {
    std::string text = unescaped(words);
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    paragraph_ += (paragraph_.empty() ? "" : " ") + text;
  }
  void end_paragraph() {
    std::istringstream words(std::exchange(paragraph_, ""));
    std::string row;
    const auto end_row = [&] {
      if (!row.empty()) text_ += std::string(indent_, ' ') + row + "\n";
      row.clear();
    };
    for (std::string word; words >> word;) {
      if (!row.empty() && indent_ + row.size() + 1 + word.size() > page_width) end_row();
      row += (row.empty() ? "" : " ") + word;
    }
    if (!row.empty()) begins_section_ = false;
    end_row();
  }

  std::string text_;
  std::string paragraph_;  // words that are not in `text_` yet
  std::size_t indent_ = body_indent;
  std::size_t more_indent_ = 0;
  bool is_filled_ = true;
  bool is_tag_ = false;  // the next line is the name of an item
  bool begins_section_ = false;
};

}  // namespace

std::string plain_page(const std::string& page) {
  PlainPage plain;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) plain.add(line);
  return plain.text();
}

}  // namespace sculpt::core
