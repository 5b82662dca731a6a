#include "report/figure/figure.hpp"

namespace sculpt::core {

void write_figure(Markup& out, const Figure& figure, FigureSize size,
                  const std::function<void(Markup&)>& draw) {
  out << "<figure id=\"" << figure.id << "\">\n<figcaption>" << figure.title << "</figcaption>\n";
  if (!figure.legend.empty()) {
    out << "<ul class=\"legend\">";
    for (const LegendEntry& entry : figure.legend) {
      out << "<li>";
      write_swatch(out, entry.style, entry.has_line);
      out << entry.name << "</li>";
    }
    out << "</ul>\n";
  }
  out << "<svg class=\"chart\" role=\"img\" aria-labelledby=\"" << figure.id << "-t " << figure.id
      << "-d\" viewBox=\"0 0 " << Length{size.width} << " " << Length{size.height}
      << "\"><title id=\"" << figure.id << "-t\">" << figure.title << "</title><desc id=\""
      << figure.id << "-d\">" << figure.description << "</desc>\n";
  draw(out);
  out << "</svg>\n";
  if (!figure.note.empty()) out << "<p class=\"note\">" << figure.note << "</p>\n";
  write_data_table(out, figure.title, figure.table);
  out << "</figure>\n";
}

std::string shortened_text(const std::string& text, std::size_t max_length) {
  std::size_t characters = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool begins_character = (static_cast<unsigned char>(text[k]) & 0xC0) != 0x80;
    if (begins_character && ++characters > max_length) return text.substr(0, k) + "…";
  }
  return text;
}

}  // namespace sculpt::core
