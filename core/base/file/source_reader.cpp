#include "base/file/source_reader.hpp"

#include <utility>

namespace sculpt::core {

std::string_view SourceReader::next_block() {
  return block_.empty() ? input_->read() : std::exchange(block_, {});
}

std::string_view SourceReader::rest() {
  joined_ = std::exchange(block_, {});
  for (std::string_view more = input_->read(); !more.empty(); more = input_->read()) {
    joined_ += more;
  }
  return joined_;
}

std::optional<std::string_view> SourceReader::next_line() {
  joined_.clear();
  std::size_t newline = block_.find('\n');
  while (newline == std::string_view::npos) {
    joined_ += block_;
    block_ = input_->read();
    if (block_.empty()) break;
    newline = block_.find('\n');
  }
  const bool is_at_end = newline == std::string_view::npos;
  std::string_view line = block_.substr(0, newline);
  if (!joined_.empty()) line = joined_ += line;
  if (line_number_ == 0 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  if (is_at_end && line.empty()) return std::nullopt;
  if (!is_at_end) block_.remove_prefix(newline + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  ++line_number_;
  return line;
}

}  // namespace sculpt::core
