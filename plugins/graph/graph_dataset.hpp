// graph_dataset.hpp - the dataset graph: sites with features and labels, joined by edges of named
// kinds.
//
// An example is a graph. Labels, edge kinds and the number of features are learned from the split
// "train" and saved in the model. graph.cpp offers it together with the features.
#pragma once

#include "graph_file.hpp"

#include <sculpt/cpp/cached_arrays.hpp>
#include <sculpt/cpp/edge_kinds.hpp>
#include <sculpt/cpp/index_base.hpp>
#include <sculpt/cpp/name_list.hpp>
#include <sculpt/sculpt.hpp>

class GraphDataset {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.graph", "1.0.0", "graphs: lines of sites `label index:value ...` and of edges",
      "Sen et al., AI Magazine 2008, for the task: collective classification"};
  using drafts = sculpt::Drafts<sculpt::EdgeKinds, sculpt::CachedArrays>;

  static constexpr sculpt_parameter parameters[] = {sculpt::first_index()};

  GraphDataset(const sculpt::Parameters& given, sculpt::Host host) : host_(host), base_(given) {}

  void load(std::string_view split, const sculpt::Source& source);
  // What load() fills (sculpt/cpp/cached_arrays.hpp).
  template <class Cache>
  void cached(Cache& cache) {
    cache(store_);
  }

  std::int64_t count() const { return store_.count(); }
  sculpt::Range split(std::string_view name) const { return store_.split(name); }
  sculpt::Labels truth(std::int64_t example) const { return store_.truth(example); }
  // Returns the place of an example: "train.txt:17".
  std::string place(std::int64_t example) const { return store_.place(example); }
  // The columns of its rows can be scaled (sculpt/cpp/scaling.hpp).
  sculpt::SiteStore& scaled_rows() { return store_; }

  std::int64_t feature_count() const { return feature_count_; }
  std::int32_t state_count() const { return labels_.size(); }
  sculpt_sites sites(std::int64_t example) const { return store_.sites(example); }
  void state_name(std::int32_t state, sculpt::ByteOutput& out) const { out << labels_.name(state); }
  void feature_name(std::int64_t feature, sculpt::ByteOutput& out) const {
    out << "feature " << base_.index_of(feature);
  }

  std::int32_t edge_kind_count() const { return kinds_.size(); }
  void edge_kind_name(std::int32_t kind, sculpt::ByteOutput& out) const {
    out << kinds_.name(kind);
  }
  const std::int32_t* edge_kinds(std::int64_t example) const { return store_.edge_kinds(example); }

  // Text is the labels of the sites, separated by blanks.
  void format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const;
  void parse(std::int64_t example, std::string_view text, sculpt::LabelOutput& out) const;

  void save(sculpt::StateWriter& writer) const;
  void restore(sculpt::StateReader& reader);

 private:
  static constexpr std::int64_t state_version = 2;

  void learn(const GraphFile& file, const sculpt::LineReader& reader);
  // Returns the number of a word in names of the training data. Throws E_DATA for an
  // unknown word. `kind` is the kind of name, and `remedy` what to do, for the message.
  static std::int32_t number_of(const Word& word, const sculpt::NameList& names, const char* kind,
                                const char* remedy, const sculpt::LineReader& reader);

  const sculpt::Host host_;
  sculpt::SiteStore store_;
  sculpt::IndexBase base_;
  sculpt::NameList labels_;
  sculpt::NameList kinds_;
  std::int64_t feature_count_ = 0;
  bool learned_ = false;
};
