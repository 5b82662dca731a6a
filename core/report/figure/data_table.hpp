// data_table.hpp - the numbers behind a figure, as a table that is folded away.
//
// The script of the page reads values off at the pointer from it, so no number is stored twice.
// Called by the figures of report/.
#pragma once

#include <string>
#include <vector>

#include "report/markup/markup.hpp"

namespace sculpt::core {

struct DataTable {
  // Rows that belong together, as those of one run. `name`: "" for no heading of their own.
  struct Group {
    std::string name;
    std::vector<std::vector<std::string>> rows;  // [rows][columns] the first cell names the row
  };
  std::vector<std::string> columns;
  std::vector<Group> groups;
};

// The text of a number in a table, with nine digits; "–" if it is not finite.
std::string cell_text(double value);

// Appends the folded table. `title`: of its figure.
void write_data_table(Markup& out, const std::string& title, const DataTable& table);

}  // namespace sculpt::core
