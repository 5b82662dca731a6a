// Labelled pictures: lines with equally many labels.

#include <algorithm>
#include <map>
#include <vector>

#include "base/text/text_parts.hpp"
#include "report/figure/chart_style.hpp"
#include "report/output/output_view.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t max_cells = 10000;

using Picture = std::vector<std::vector<std::string>>;  // [height][width] labels

// The picture of a text with one label for each cell. Empty if it is none: at least two lines, at
// least three columns, as many words in each line.
Picture picture_of(const OutputText& output) {
  Picture picture;
  std::size_t cells = 0;
  for (const std::string& line : lines_of(output.text)) {
    picture.push_back(words_of(line));
    if (picture.back().size() != picture.front().size()) return {};
    cells += picture.back().size();
  }
  const bool is_picture = picture.size() >= 2 && picture.front().size() >= 3 &&
                          cells <= max_cells &&
                          static_cast<std::int64_t>(cells) == output.label_count;
  return is_picture ? picture : Picture();
}

bool have_equal_sizes(const Picture& a, const Picture& b) {
  return a.size() == b.size() && a.front().size() == b.front().size();
}

// Appends a path over all cells for which is_in(row, column) holds, with runs joined.
template <class IsIn>
void draw_cells(Markup& out, const Picture& picture, const IsIn& is_in) {
  for (std::size_t r = 0; r < picture.size(); ++r) {
    for (std::size_t c = 0; c < picture[r].size();) {
      std::size_t end = c;
      while (end < picture[r].size() && is_in(r, end)) ++end;
      if (end > c) out << "M" << c << " " << r << "h" << (end - c) << "v1H" << c << "z";
      c = std::max(end, c + 1);
    }
  }
}

// `shade_of`: the number of each label. `other`: the picture to compare with, or nullptr.
void write_picture(Markup& out, const std::string& id, const std::string& name,
                   const Picture& picture, const std::map<std::string, std::size_t>& shade_of,
                   const Picture* other) {
  const std::size_t width = picture.front().size();
  const std::size_t height = picture.size();
  const double cell = std::clamp(260.0 / static_cast<double>(width), 3.0, 16.0);
  out << "<figure class=\"plain\"><figcaption>" << name
      << "</figcaption><svg class=\"picture\" role=\"img\" aria-labelledby=\"" << id << "-t " << id
      << "-d\" width=\"" << Length{cell * static_cast<double>(width)} << "\" height=\""
      << Length{cell * static_cast<double>(height)} << "\" viewBox=\"0 0 " << width << " " << height
      << "\" shape-rendering=\"crispEdges\"><title id=\"" << id << "-t\">" << name
      << " as a picture</title><desc id=\"" << id << "-d\">" << width << " by " << height
      << " labels. Wrong cells have a cross.</desc>";
  for (const auto& entry : shade_of) {
    out << "<path class=\"shade" << entry.second << "\" d=\"";
    draw_cells(out, picture,
               [&](std::size_t r, std::size_t c) { return picture[r][c] == entry.first; });
    out << "\"/>";
  }
  if (other != nullptr) {
    out << "<path class=\"wrong\" d=\"";
    for (std::size_t r = 0; r < height; ++r) {
      for (std::size_t c = 0; c < width; ++c) {
        if (picture[r][c] != (*other)[r][c])
          out << "M" << c << " " << r << "m.2 .2l.6 .6m0-.6l-.6 .6";
      }
    }
    out << "\"/>";
  }
  out << "</svg></figure>\n";
}

void write_legend(Markup& out, const std::map<std::string, std::size_t>& shade_of) {
  out << "<ul class=\"legend\">";
  for (const auto& [label, shade] : shade_of) {
    out << "<li><svg class=\"swatch picture\" viewBox=\"0 0 2 1\" aria-hidden=\"true\" "
           "focusable=\"false\"><path class=\"shade"
        << shade << "\" d=\"M.5 0h1v1h-1z\"/></svg>" << label << "</li>";
  }
  out << "</ul>\n";
}

}  // namespace

bool write_pictures(Markup& out, const std::string& id, const ExampleRecord& example) {
  const Picture truth = picture_of(example.truth);
  const Picture guess = picture_of(example.guess);
  if ((example.truth.is_known && truth.empty()) || (example.guess.is_known && guess.empty())) {
    return false;
  }
  if (truth.empty() && guess.empty()) return false;
  constexpr std::size_t shade_count = 8;  // of the style sheet
  std::map<std::string, std::size_t> shade_of;
  for (const Picture* picture : {&truth, &guess}) {
    for (const auto& row : *picture) {
      for (const std::string& label : row) shade_of.emplace(label, 0);
    }
  }
  if (shade_of.size() > shade_count) return false;
  std::size_t next = 0;
  for (auto& [label, shade] : shade_of) shade = next++;
  write_legend(out, shade_of);
  out << "<div class=\"pair\">";
  if (!truth.empty()) write_picture(out, id + "a", "truth", truth, shade_of, nullptr);
  if (!guess.empty()) {
    const bool has_other = !truth.empty() && have_equal_sizes(truth, guess);
    write_picture(out, id + "b", "guess", guess, shade_of, has_other ? &truth : nullptr);
  }
  out << "</div>\n";
  write_output_texts(out, "pictures", example);
  return true;
}

}  // namespace sculpt::core
