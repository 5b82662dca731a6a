// page_tree.hpp - reads a page of `sculpt report` as XML, for tests.
//
// It knows elements, attributes, text, CDATA and the entities that the page uses. It throws for all
// else, such as a tag that is not closed.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sculpt::test {

struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::vector<Element> children;  // pieces of text are children without a name
  std::string text;               // only of these

  std::string attribute(const std::string& key) const {
    const auto found = attributes.find(key);
    return found == attributes.end() ? "" : found->second;
  }
  // All text in it.
  std::string whole_text() const {
    std::string whole = text;
    for (const Element& child : children) whole += child.whole_text();
    return whole;
  }
  // All elements with this name in it, itself included.
  std::vector<const Element*> all(const std::string& wanted) const {
    std::vector<const Element*> found;
    if (name == wanted) found.push_back(this);
    for (const Element& child : children) {
      const std::vector<const Element*> inner = child.all(wanted);
      found.insert(found.end(), inner.begin(), inner.end());
    }
    return found;
  }
  // The element with this id, or nullptr.
  const Element* by_id(const std::string& id) const {
    if (attribute("id") == id) return this;
    for (const Element& child : children) {
      if (const Element* const found = child.by_id(id)) return found;
    }
    return nullptr;
  }
};

class PageReader {
 public:
  explicit PageReader(std::string_view text) : text_(text) {}

  Element read() {
    expect("<!DOCTYPE html>");
    skip_blanks();
    Element root = read_element();
    skip_blanks();
    if (at_ != text_.size()) fail("text after the last tag");
    return root;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error("byte " + std::to_string(at_) + ": " + what + ": " +
                             std::string(text_.substr(at_, 60)));
  }
  bool begins_with(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  void expect(std::string_view word) {
    if (!begins_with(word)) fail("expected " + std::string(word));
    at_ += word.size();
  }
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \n\t", at_), text_.size()); }
  std::string read_name() {
    const std::size_t end = text_.find_first_of(" \n\t=/>", at_);
    if (end == std::string_view::npos || end == at_) fail("a name is missing");
    std::string name(text_.substr(at_, end - at_));
    at_ = end;
    return name;
  }

  // Text up to `end`, which stays.
  std::string read_text(char end) {
    std::string text;
    while (at_ < text_.size() && text_[at_] != end) {
      const auto byte = static_cast<unsigned char>(text_[at_]);
      if (byte == '<') fail("a tag in a value");
      if (byte < 0x20 && byte != '\n' && byte != '\t') fail("a control character");
      if (byte == '&') {
        text += read_entity();
      } else {
        text += text_[at_++];
      }
    }
    return text;
  }
  char read_entity() {
    static const std::map<std::string_view, char> entities = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}};
    for (const auto& [entity, character] : entities) {
      if (!begins_with(entity)) continue;
      at_ += entity.size();
      return character;
    }
    fail("an unknown entity");
  }

  Element read_element() {
    Element element;
    expect("<");
    element.name = read_name();
    for (;;) {
      skip_blanks();
      if (begins_with("/>")) {
        at_ += 2;
        return element;
      }
      if (begins_with(">")) break;
      const std::string key = read_name();
      expect("=\"");
      if (!element.attributes.emplace(key, read_text('"')).second) fail("an attribute twice");
      expect("\"");
    }
    expect(">");
    for (;;) {
      Element& piece = element.children.emplace_back();
      piece.text = read_text('<');
      if (begins_with("<![CDATA[")) {
        const std::size_t end = text_.find("]]>", at_);
        if (end == std::string_view::npos) fail("CDATA without an end");
        at_ = end + 3;
      } else if (begins_with("</")) {
        at_ += 2;
        if (read_name() != element.name) fail("the wrong tag ends " + element.name);
        expect(">");
        return element;
      } else {
        element.children.push_back(read_element());
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

inline Element page_tree(std::string_view page) {
  return PageReader(page).read();
}

}  // namespace sculpt::test
