#include "report/figure/data_table.hpp"

#include <cmath>

#include "base/text/message_text.hpp"

namespace sculpt::core {

std::string cell_text(double value) {
  constexpr int digits = 9;
  return std::isfinite(value) ? number_text(value, digits) : "–";
}

void write_data_table(Markup& out, const std::string& title, const DataTable& table) {
  out << "<details><summary>Data</summary>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
         "aria-label=\"Data: "
      << title << "\"><table><thead><tr>";
  for (const std::string& column : table.columns) out << "<th scope=\"col\">" << column << "</th>";
  out << "</tr></thead>\n";
  for (const DataTable::Group& group : table.groups) {
    if (!group.name.empty()) {
      out << "<tbody class=\"head\"><tr><th scope=\"colgroup\" colspan=\""
          << std::ssize(table.columns) << "\">" << group.name << "</th></tr></tbody>\n";
    }
    out << "<tbody class=\"data\">";
    for (const std::vector<std::string>& row : group.rows) {
      out << "<tr>";
      for (std::size_t k = 0; k < row.size(); ++k) {
        if (k == 0) {
          out << "<th scope=\"row\">" << row[k] << "</th>";
        } else {
          out << "<td>" << row[k] << "</td>";
        }
      }
      out << "</tr>\n";
    }
    out << "</tbody>\n";
  }
  out << "</table></div></details>\n";
}

}  // namespace sculpt::core
