#include "command/inputs/piped_text.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/failure.hpp"
#include "base/surroundings.hpp"

namespace sculpt::core {
namespace {

// A part may wait a moment for more bytes if they come in large pieces: the writer is fast.
constexpr std::size_t large_piece = std::size_t{1} << 15;
constexpr int milliseconds_of_grace = 5;
constexpr std::size_t max_part = std::size_t{1} << 23;

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

// Returns the first position after `from` where a part ends, npos if there is none.
std::size_t next_end(std::string_view text, PartEnd end, std::size_t from) {
  while (from < text.size()) {
    const std::size_t newline = text.find('\n', from);
    if (newline == std::string_view::npos) break;
    if (end == PartEnd::line || is_blank(text.substr(from, newline - from))) return newline + 1;
    from = newline + 1;
  }
  return std::string_view::npos;
}

// mpirun passes standard input to one rank alone, and bytes of a pipe go to one reader.
const std::string& require_single_reader(const std::string& path) {
  if (surroundings().ranks() == nullptr) return path;
  throw Failure(Exit::usage, (path == "-" ? "standard input" : path) +
                                 ": is a pipe, and only one process can read it; write the data "
                                 "into a file, or start without mpirun");
}

}  // namespace

std::size_t size_of_parts(std::string_view text, PartEnd end) {
  if (end == PartEnd::none) return 0;
  for (std::size_t newline = text.rfind('\n'); newline != std::string_view::npos;) {
    const std::size_t before =
        newline == 0 ? std::string_view::npos : text.rfind('\n', newline - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    if (end == PartEnd::line || is_blank(text.substr(begin, newline - begin))) return newline + 1;
    newline = before;
  }
  return 0;
}

std::optional<std::pair<TextPart, TextPart>> halves_of(const TextPart& part, PartEnd end) {
  if (end == PartEnd::none) return std::nullopt;
  const std::string_view text = part.text;
  std::size_t cut = size_of_parts(text.substr(0, text.size() / 2), end);
  if (cut == 0) cut = next_end(text, end, 0);
  if (cut >= text.size()) return std::nullopt;
  const std::string_view first = text.substr(0, cut);
  const std::int64_t lines = std::count(first.begin(), first.end(), '\n');
  return std::pair(TextPart{std::string(first), part.first_line},
                   TextPart{std::string(text.substr(cut)), part.first_line + lines});
}

bool is_pipe(const std::string& path) {
  if (path == "-") return true;
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

std::string read_pipe(const std::string& path, std::function<bool()> cancelled) {
  std::optional<TextPart> part = PipedText(path, PartEnd::none, std::move(cancelled)).next();
  return part ? std::move(part->text) : std::string();
}

PipedText::PipedText(const std::string& path, PartEnd end, std::function<bool()> cancelled)
    : input_(unpacked(open_file_bytes(require_single_reader(path), std::move(cancelled)), path)),
      end_(end) {}

std::optional<TextPart> PipedText::next() {
  for (;;) {
    const std::size_t size = is_at_end_ ? text_.size() : size_of_parts(text_, end_);
    if (size > 0) return take(size);
    if (is_at_end_) return std::nullopt;
    read();
  }
}

// Waits for bytes, then reads what else is there.
void PipedText::read() {
  int grace = 0;
  do {
    const std::string_view bytes = input_->read();
    is_at_end_ = bytes.empty();
    text_ += bytes;
    grace = bytes.size() >= large_piece ? milliseconds_of_grace : 0;
  } while (!is_at_end_ && text_.size() < max_part && input_->is_ready(grace));
}

TextPart PipedText::take(std::size_t size) {
  TextPart part{text_.substr(0, size), line_};
  text_.erase(0, size);
  line_ += std::count(part.text.begin(), part.text.end(), '\n');
  return part;
}

}  // namespace sculpt::core
