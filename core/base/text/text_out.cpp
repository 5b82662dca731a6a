#include "base/text/text_out.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/surroundings.hpp"
#include "base/text/message_text.hpp"

namespace sculpt::core {

TextOut& TextOut::other_text(std::string_view text) {
  out_ << printable(text);
  return *this;
}

TextOut& TextOut::row(std::string_view name, std::string_view text) {
  constexpr std::size_t name_width = 16;
  return *this << "  " << padded(std::string(name), name_width) << text << "\n";
}

TextOut& TextOut::lines(std::string_view text) {
  out_ << printable_lines(text);
  return *this;
}

TextOut& TextOut::json(const nlohmann::ordered_json& json) {
  out_ << json_text(json) << '\n';
  return *this;
}

TextOut report_out() {
  return TextOut(surroundings().out());
}

TextOut error_out() {
  return TextOut(surroundings().error());
}

std::ostream& data_out() {
  return surroundings().out();
}

std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
}

void print_json(const nlohmann::ordered_json& json) {
  report_out().json(json);
}

bool stdout_is_terminal() {
  return surroundings().out_is_terminal();
}

bool flush_stdout() {
  return static_cast<bool>(surroundings().out().flush());
}

}  // namespace sculpt::core
