// Text of files never becomes a tag, and lengths are short.

#include "report/markup/markup.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace sculpt::core;

namespace {

std::string markup(Length length) {
  Markup out;
  out << length;
  return out.text();
}

}  // namespace

TEST_CASE("text out of files is escaped, literals of the program are not") {
  Markup out;
  out << "<b title=\"" << std::string("\"><script>alert('&')</script>") << "\">";
  CHECK(out.text() ==
        "<b title=\"&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;\">");
}

TEST_CASE("NUL, control characters and bytes that are no UTF-8 are shown by their numbers") {
  CHECK(escaped_text(std::string("a\0b", 3)) == "a\\x00b");
  CHECK(escaped_text("a\x1b[2Jb") == "a\\x1b[2Jb");
  CHECK(escaped_text("\xff<\xc3") == "\\xff&lt;\\xc3");
  CHECK(escaped_text("right\xe2\x80\xaeleft") == "right\\u202eleft");
  CHECK(escaped_text("two\nlines\tand \xc3\xa9") == "two\nlines\tand \xc3\xa9");
  CHECK(escaped_text("]]>") == "]]&gt;");
}

TEST_CASE("lengths have two digits after the point, and are never NaN") {
  CHECK(markup({12.3456}) == "12.35");
  CHECK(markup({12}) == "12");
  CHECK(markup({-0.001}) == "0");
  CHECK(markup({std::numeric_limits<double>::quiet_NaN()}) == "0");
  CHECK(markup({std::numeric_limits<double>::infinity()}) == "0");
}
