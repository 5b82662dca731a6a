// json_reader.hpp - reads JSON with the parser of nlohmann_json and records the position of each
// token.
//
// The events of the parser have no positions, so it reads through an iterator that counts. An event
// comes directly after its token was read. So the token ends at the iterator; for a number the
// iterator is one character further. It began at the first character after the previous token that
// is no white space, comma, colon or comment. Called by JsonDocument only.
#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/json_syntax.hpp"
#include "experiment/json_document.hpp"

namespace sculpt::core {

class JsonReader {
 public:
  using Json = nlohmann::ordered_json;

  // Reads `text` into an empty document. Throws Failure(Exit::config).
  static void read(std::string_view text, const Source& source, Comments comments,
                   JsonDocument& out);

  // The events. Each returns true; errors are thrown.
  bool null() { return scalar(nullptr); }
  bool boolean(bool value) { return scalar(value); }
  bool number_integer(Json::number_integer_t value) { return number(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return number(value); }
  bool number_float(Json::number_float_t value, const std::string&) { return number(value); }
  bool string(std::string& value) { return scalar(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }  // does not occur in text
  bool key(std::string& name);
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t characters_read, const std::string& token,
                   const nlohmann::detail::exception& error);

 private:
  struct Level {
    Json* container;
    std::size_t pointer_size;  // of the JSON pointer of the container
    std::size_t begin;         // offset of its bracket
  };

  JsonReader(std::string_view text, const Source& source, Comments comments, JsonDocument& out);

  bool scalar(Json value);
  bool number(Json value);
  bool open(Json value);
  bool close();
  Json& store(Json value, std::size_t begin);
  std::size_t begin_token();
  Position position(std::size_t offset);
  std::string closing_brackets() const;

  std::string_view text_;
  std::shared_ptr<const Source> source_;
  Comments comments_;
  JsonDocument& out_;
  TextCursor cursor_;
  std::size_t consumed_ = 0;  // characters that the parser has read
  std::size_t end_ = 0;       // end of the last token that made an event
  LastEvent last_event_ = LastEvent::none;
  std::vector<Level> levels_;
  std::string pointer_;  // of the next member or item, or of the container
  std::string key_;      // of the member that gets the next value
  Position key_position_;
};

}  // namespace sculpt::core
