#include "experiment/json_reader.hpp"

#include <sculpt/cpp/error.hpp>

#include <algorithm>
#include <utility>

#include "base/failure.hpp"
#include "base/text/utf16.hpp"

namespace sculpt::core {
namespace {

// Deeper values would overflow the stack of recursive code.
constexpr std::size_t max_depth = 200;

// The position of each value is stored under its whole pointer. A list with many items below long
// keys would need the product of both.
constexpr std::size_t max_pointer_bytes = 2000;

// Counts the characters that the parser has read.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* count) : at_(at), count_(count) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*count_;
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  std::size_t* count_;
};

}  // namespace

void JsonReader::read(std::string_view text, const Source& source, Comments comments,
                      JsonDocument& out) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.substr(0, 3) == byte_order_mark) text.remove_prefix(3);
  JsonReader reader(text, source, comments, out);
  if (is_utf16(text)) refuse(reader.position(0), utf16_message);
  // The parser would take it as the end of the text.
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos) {
    refuse(reader.position(nul), "a NUL byte; this is not a text file");
  }
  // With white space at the end, the parser reads every number one character too far.
  const std::string padded = std::string(text) + ' ';
  const CountingIterator begin(padded.data(), &reader.consumed_);
  const CountingIterator end(padded.data() + padded.size(), &reader.consumed_);
  const bool complete = Json::sax_parse(begin, end, &reader, Json::input_format_t::json, true,
                                        comments == Comments::accepted);
  if (!complete) {
    throw Failure(Exit::internal, source.name +
                                      ": the JSON parser returned no result; this is a bug of "
                                      "sculpt");
  }
}

JsonReader::JsonReader(std::string_view text, const Source& source, Comments comments,
                       JsonDocument& out)
    : text_(text),
      source_(std::make_shared<Source>(source)),
      comments_(comments),
      out_(out),
      cursor_(text) {}

bool JsonReader::key(std::string& name) {
  key_position_ = position(begin_token());
  last_event_ = LastEvent::key;
  key_ = std::move(name);
  pointer_.resize(levels_.back().pointer_size);
  const auto first = out_.positions_.find(pointer_to(pointer_, key_));
  if (first != out_.positions_.end()) {
    const Position& first_position = first->second.key;
    refuse(key_position_, "the key \"" + shortened(key_) + "\" appears twice, first at " +
                              std::to_string(first_position.line) + ":" +
                              std::to_string(first_position.column) + "; remove one of them");
  }
  return true;
}

bool JsonReader::scalar(Json value) {
  store(std::move(value), begin_token());
  last_event_ = LastEvent::value;
  return true;
}

bool JsonReader::number(Json value) {
  const bool done = scalar(std::move(value));
  --end_;  // the parser read one character after the number
  return done;
}

bool JsonReader::open(Json value) {
  const std::size_t begin = begin_token();
  if (levels_.size() == max_depth) {
    refuse(position(begin), "nested deeper than " + std::to_string(max_depth) + " levels");
  }
  last_event_ = value.is_object() ? LastEvent::begin_object : LastEvent::begin_array;
  Json& container = store(std::move(value), begin);
  levels_.push_back({&container, pointer_.size(), begin});
  return true;
}

bool JsonReader::close() {
  begin_token();
  last_event_ = LastEvent::value;
  levels_.pop_back();
  return true;
}

// Stores a value: as the root, as the member key_, or as the next item of a list.
JsonReader::Json& JsonReader::store(Json value, std::size_t begin) {
  const Position value_position = position(begin);
  if (levels_.empty()) {
    *out_.root_ = std::move(value);
    out_.positions_[""] = {value_position, value_position};
    return *out_.root_;
  }
  Json& container = *levels_.back().container;
  pointer_.resize(levels_.back().pointer_size);
  if (container.is_object()) {
    pointer_ = pointer_to(pointer_, key_);
    if (pointer_.size() > max_pointer_bytes) {
      refuse(key_position_, "this key and those around it are longer than " +
                                std::to_string(max_pointer_bytes) +
                                " bytes together; shorten them");
    }
    out_.positions_[pointer_] = {key_position_, value_position};
    return container[key_] = std::move(value);
  }
  pointer_ += "/" + std::to_string(container.size());
  out_.positions_[pointer_] = {value_position, value_position};
  container.push_back(std::move(value));
  return container.back();
}

// The offset where the token of this event begins. Moves end_ to the end of the token.
std::size_t JsonReader::begin_token() {
  const bool accepts_comments = comments_ == Comments::accepted;
  std::size_t begin = skip_space(text_, end_, accepts_comments);
  while (begin < text_.size() && (text_[begin] == ',' || text_[begin] == ':')) {
    begin = skip_space(text_, begin + 1, accepts_comments);
  }
  end_ = consumed_;
  return begin;
}

Position JsonReader::position(std::size_t offset) {
  cursor_.move_to(offset);
  return {source_, cursor_.line(), cursor_.column()};
}

// The brackets that close all open containers, the innermost first.
std::string JsonReader::closing_brackets() const {
  std::string brackets;
  for (const Level& level : levels_) brackets += level.container->is_object() ? '}' : ']';
  std::reverse(brackets.begin(), brackets.end());
  return brackets;
}

bool JsonReader::parse_error(std::size_t characters_read, const std::string&,
                             const nlohmann::detail::exception& error) {
  const BrokenJson broken{text_,
                          comments_ == Comments::accepted,
                          characters_read,
                          end_,
                          last_event_,
                          levels_.size(),
                          levels_.empty() ? 0 : levels_.back().begin,
                          closing_brackets(),
                          error.what()};
  const SyntaxError syntax_error = explain_syntax_error(broken);
  refuse(position(syntax_error.offset), syntax_error.message);
}

}  // namespace sculpt::core
