#include "graph_dataset.hpp"

#include <limits>

void GraphDataset::load(std::string_view split, const sculpt::Source& source) {
  store_.begin_split(split, source.path());
  sculpt::LineReader reader(source, sculpt::LineLife::until_next);
  GraphFile file = read_graph_file(reader);
  if (file.graphs.empty()) {
    throw sculpt::data_error(source.path() +
                             ":1:1: no examples; write `graph NAME`, then its sites and edges");
  }
  base_.apply(file.entries, reader, !learned_);
  if (!learned_) {
    if (split != "train") {
      throw sculpt::Error(SCULPT_E_INVALID,
                          "has no labels before the split 'train' is loaded; load it first");
    }
    learn(file, reader);
  }
  std::size_t row = 0;
  std::vector<std::int32_t> truth;
  for (const GraphText& graph : file.graphs) {
    truth.clear();
    for (const Word& label : graph.labels) {
      file.entries.copy_row(row++, feature_count_, store_);
      store_.end_site();
      truth.push_back(label.text.empty()
                          ? -1
                          : number_of(label, labels_, "label",
                                      "write ? in its place, which is predicted and not measured",
                                      reader));
    }
    for (const GraphEdge& edge : graph.edges) {
      store_.add_edge(
          edge.from, edge.to,
          number_of(edge.kind, kinds_, "kind of edge", "train with such edges, too", reader));
    }
    const bool is_labelled =
        std::any_of(truth.begin(), truth.end(), [](std::int32_t label) { return label >= 0; });
    store_.end_example(is_labelled ? sculpt::Labels(truth) : sculpt::Labels(), graph.line);
  }
  file.entries.warn_of_ignored(host_, source.path(), feature_count_);
}

void GraphDataset::learn(const GraphFile& file, const sculpt::LineReader& reader) {
  for (const GraphText& graph : file.graphs) {
    for (const Word& label : graph.labels) {
      if (!label.text.empty()) labels_.add(label.text);
    }
    for (const GraphEdge& edge : graph.edges) kinds_.add(edge.kind.text);
  }
  labels_.finish();
  kinds_.finish();
  if (labels_.size() == 0) {
    throw reader.error_at(1, 0,
                          "no site has a label, so there is nothing to learn; begin the lines of "
                          "sites with a label");
  }
  feature_count_ = file.entries.feature_count();
  learned_ = true;
}

std::int32_t GraphDataset::number_of(const Word& word, const sculpt::NameList& names,
                                     const char* kind, const char* remedy,
                                     const sculpt::LineReader& reader) {
  const std::int32_t number = names.find(word.text);
  if (number < 0) {
    throw reader.error_at(word.line, word.column,
                          std::string(kind) + " " + sculpt::shown(word.text) +
                              " does not occur in the training data " + names.text() +
                              "; correct it, or " + remedy);
  }
  return number;
}

void GraphDataset::format(std::int64_t, sculpt::Labels y, sculpt::ByteOutput& out) const {
  for (std::size_t s = 0; s < y.size(); ++s) {
    if (s > 0) out << " ";
    out << labels_.name(y[s]);
  }
}

void GraphDataset::parse(std::int64_t example, std::string_view text,
                         sculpt::LabelOutput& out) const {
  labels_.parse(text, sites(example).site_count, out);
}

void GraphDataset::save(sculpt::StateWriter& writer) const {
  writer.integer(state_version);
  writer.integer(feature_count_);
  labels_.save(writer);
  kinds_.save(writer);
  base_.save(writer);
}

void GraphDataset::restore(sculpt::StateReader& reader) {
  const std::int64_t version = reader.integer();
  if (version < 1 || version > state_version) reader.damaged();
  feature_count_ = reader.integer();
  labels_.restore(reader);
  kinds_.restore(reader);
  const bool plausible =
      feature_count_ >= 0 && feature_count_ <= std::numeric_limits<std::int32_t>::max();
  if (!plausible || labels_.size() == 0) reader.damaged();
  base_.restore(reader, version >= 2);
  learned_ = true;
}
