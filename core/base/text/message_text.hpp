// message_text.hpp - small text functions for messages and listings.
//
// Called by all folders that write messages or print.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sculpt::core {

// The last part of a component's id: "viterbi" of "org.sculpt.viterbi".
std::string short_name(std::string_view id);

// The words with the separator between them, e.g. "a, b, c".
std::string joined(const std::vector<std::string>& words, std::string_view separator);

// A noun with its article: "a loss", "an oracle".
std::string with_article(std::string_view noun);

// Two parts of a message with "; " between them, or a space if the first part is a question.
std::string joined_parts(const std::string& first, const std::string& second);

// Makes text safe for a terminal. Control characters and bytes that are no UTF-8 become \xNN. Other
// characters that nobody sees, such as those that change the writing direction, become \uNNNN or
// \UNNNNNNNN. Letters of any script stay. Use it for all text shown to users, because it may quote
// data.
std::string printable(std::string_view text);

// The same for text with line ends, which stay.
std::string printable_lines(std::string_view text);

// The text filled with spaces to this width, with at least one space at the end.
std::string padded(const std::string& text, std::size_t width);

// A count with its unit: "1 pass", "3 passes". `unit`: the singular of a regular noun.
std::string count_text(std::int64_t count, const std::string& unit);

// A number for people: "1.23e-05" or "12.3456"; "-" if it is not finite. Use more than six digits
// if two numbers that differ little are shown together.
std::string number_text(double value, int digits = 6);
// A fraction in percent, "0.0974 %"; below 1e-5 as it is, "1e-07".
std::string percent_text(double fraction);

// The shortest text that is read as exactly the same number.
std::string exact_number_text(double value);

// A closed range: "from 0 to 1", "of at least 0", "of at most 9", or "". An infinite end is no
// limit. A lower end of at most DBL_MIN, but above 0, gives "above 0".
std::string range_text(double lower, double upper);

}  // namespace sculpt::core
