#include "report/output/output_view.hpp"

#include "report/figure/data_table.hpp"
#include "report/figure/figure.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t max_text_length = 600;

void write_text(Markup& out, const ExampleRecord& example) {
  out << "<dl class=\"outputs\">";
  if (example.truth.is_known) {
    out << "<dt>truth</dt><dd>" << shortened_text(example.truth.text, max_text_length) << "</dd>";
  }
  if (example.guess.is_known) {
    out << "<dt>guess</dt><dd>" << shortened_text(example.guess.text, max_text_length) << "</dd>";
  }
  out << "</dl>\n";
}

}  // namespace

void write_output_texts(Markup& out, const std::string& title, const ExampleRecord& example) {
  DataTable table;
  table.columns = {"output", "text"};
  DataTable::Group& group = table.groups.emplace_back();
  if (example.truth.is_known) {
    group.rows.push_back({"truth", shortened_text(example.truth.text, 4 * max_text_length)});
  }
  if (example.guess.is_known) {
    group.rows.push_back({"guess", shortened_text(example.guess.text, 4 * max_text_length)});
  }
  write_data_table(out, title, table);
}

void write_outputs(Markup& out, const std::string& id, const ExampleRecord& example,
                   LabelColours& colours) {
  // Brackets of RNA come before trees, which also begin with a bracket.
  if (write_bracket_pairs(out, id, example) || write_trees(out, id, example) ||
      write_pictures(out, id, example) || write_alignments(out, example) ||
      write_rankings(out, example) || write_sets(out, example) ||
      write_tags(out, example, colours)) {
    return;
  }
  write_text(out, example);
}

}  // namespace sculpt::core
