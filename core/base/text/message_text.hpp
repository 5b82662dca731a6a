// message_text.hpp - the small pieces that messages and listings are put together from.
//
// Called wherever the host says something: registry, experiment, commands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sculpt::core {

// The last part of a component's id: "viterbi" of "org.sculpt.viterbi".
std::string short_name(std::string_view id);

// "a, b, c"
std::string joined(const std::vector<std::string>& words, std::string_view between);

// As a terminal may show it: control characters, and bytes that are no UTF-8, as \xNN; characters
// that break or turn a line around as \uNNNN. Letters of any script stay. Everything that is told
// to people goes through it, because it may quote data.
std::string printable(std::string_view text);

// Filled up with spaces; one space at least stands behind the text.
std::string padded(const std::string& text, std::size_t width);

// "  name            text\n", a row of a summary.
std::string summary_line(const std::string& name, const std::string& text);

// For people: "1.23e-04" or "12.3456", "-" when it is not finite. More than six significant digits
// where two numbers that differ little stand side by side.
std::string number_text(double value, int digits = 6);
// Of a part: "0.0974 %".
std::string percent_text(double part);

// The shortest text that reads back as the same number.
std::string exact_number_text(double value);

// A closed range, where an infinite end is no limit: "from 0 to 1", "of at least 0", "of at most
// 9", or "". "above 0" is declared by the least number there is.
std::string range_text(double lower, double upper);

}  // namespace sculpt::core
