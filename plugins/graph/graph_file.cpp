#include "graph_file.hpp"

#include <set>
#include <tuple>

namespace {

using sculpt::Field;

class GraphFileReader {
 public:
  explicit GraphFileReader(sculpt::LineReader& reader) : reader_(reader) {}

  GraphFile read() {
    while (reader_.next()) {
      reader_.cut_comment('#');
      const Field first = reader_.field_from(0);
      if (first.text.empty()) continue;
      if (first.text == "graph") {
        begin_graph(reader_.fields());
      } else if (file_.graphs.empty()) {
        throw reader_.error(first.column,
                            sculpt::shown(first.text) +
                                " is before the first graph; begin it with a line `graph NAME`");
      } else if (first.text == "edge") {
        read_edge(reader_.fields());
      } else {
        read_site(first);
      }
    }
    end_graph();
    return std::move(file_);
  }

 private:
  // The two sites of an edge, as numbers from 1 and as words of the file. The sites may follow
  // later.
  struct Ends {
    std::int64_t site[2];
    Word word[2];
  };

  void begin_graph(const std::vector<Field>& fields) {
    end_graph();
    if (fields.size() < 2) {  // a line cut short, or a site with this label
      throw reader_.error(fields[0].column, "this graph has no name; write `graph NAME`");
    }
    if (fields.size() > 2) {
      throw reader_.error(fields[2].column, sculpt::shown(fields[2].text) +
                                                " is one word too many; write `graph NAME`");
    }
    file_.graphs.emplace_back().line = reader_.number();
    ends_.clear();
    seen_.clear();
  }

  void read_site(Field first) {
    Word label{"", reader_.number(), first.column};
    const bool has_label = first.text.find(':') == std::string_view::npos;
    if (has_label && first.text != "?") label.text = first.text;
    file_.entries.add_row(reader_, has_label ? first.end() : first.column);
    file_.graphs.back().labels.push_back(std::move(label));
  }

  // Reads `edge SITE SITE [KIND]`. end_graph() checks that the sites exist.
  void read_edge(const std::vector<Field>& fields) {
    if (fields.size() < 3 || fields.size() > 4) {
      throw reader_.error(fields[0].column, "an edge has " + std::to_string(fields.size() - 1) +
                                                " words; write `edge SITE SITE` or `edge SITE SITE "
                                                "KIND`, sites counted from 1");
    }
    Ends ends;
    for (std::size_t k = 0; k < 2; ++k) {
      const Field field = fields[k + 1];
      ends.site[k] = reader_.clamped_integer(field, "the number of a site; sites count from 1");
      ends.word[k] = {std::string(field.text), reader_.number(), field.column};
    }
    const bool has_kind = fields.size() == 4;
    Word kind{has_kind ? std::string(fields[3].text) : "edge", reader_.number(),
              has_kind ? fields[3].column : fields[0].column};
    if (ends.site[0] == ends.site[1]) {
      throw reader_.error(fields[2].column, "the edge joins site " + std::to_string(ends.site[0]) +
                                                " with itself; remove it");
    }
    if (!seen_.insert({ends.site[0], ends.site[1], kind.text}).second) {
      throw reader_.error(fields[0].column, "this graph has the same edge already; write it once");
    }
    ends_.push_back(ends);
    file_.graphs.back().edges.push_back({0, 0, std::move(kind)});
  }

  // Sites may follow the edges that refer to them, so the check is here.
  void end_graph() {
    if (file_.graphs.empty()) return;
    GraphText& graph = file_.graphs.back();
    const auto sites = static_cast<std::int64_t>(graph.labels.size());
    if (sites == 0) {
      throw reader_.error_at(graph.line, 0,
                             "this graph has no sites; write lines such as `label 1:0.5 3:1`");
    }
    for (std::size_t e = 0; e < ends_.size(); ++e) {
      for (std::size_t k = 0; k < 2; ++k) {
        const std::int64_t site = ends_[e].site[k];
        if (site >= 1 && site <= sites) continue;
        const Word& word = ends_[e].word[k];
        throw reader_.error_at(word.line, word.column,
                               "there is no site " + sculpt::shortened(word.text) +
                                   "; the sites of this graph are 1 to " + std::to_string(sites));
      }
      graph.edges[e].from = static_cast<std::int32_t>(ends_[e].site[0] - 1);
      graph.edges[e].to = static_cast<std::int32_t>(ends_[e].site[1] - 1);
    }
  }

  sculpt::LineReader& reader_;
  GraphFile file_;
  std::vector<Ends> ends_;  // of the edges of the current graph
  // Edges of the current graph: two sites and the kind.
  std::set<std::tuple<std::int64_t, std::int64_t, std::string>> seen_;
};

}  // namespace

GraphFile read_graph_file(sculpt::LineReader& reader) {
  return GraphFileReader(reader).read();
}
