// label_names.hpp - the labels as the data write them, for names of weights and for edge_list.
//
// Called by the features multilabel and by label_edges.cpp.
#pragma once

#include <sculpt/cpp/site_input.hpp>
#include <sculpt/sculpt.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// K labels. Without other names they are the places 1 .. K.
class LabelNames {
 public:
  // Asks the dataset for the text of an output with all labels on, and if it is no list with
  // commas, of outputs with one label on. Keeps the places if the dataset has no examples or no
  // such texts, or if the texts are no names: empty, of several lines, or equal. A restored object
  // keeps its names. Throws E_DATA if their number is not `labels`.
  void read(sculpt::Ref dataset, const sculpt::SiteInput& input, std::int64_t labels);

  std::string of(std::int64_t label) const;
  // The label from 0 of a name; nothing if there is none.
  std::optional<std::int32_t> find(std::string_view name) const;
  // "1 to 4"
  std::string range_text() const { return of(0) + " to " + of(labels_ - 1); }

  void save(sculpt::StateWriter& writer) const { writer.texts(names_); }
  // `is_saved`: false for states of before names were saved; the names are the places then.
  void restore(sculpt::StateReader& reader, bool is_saved);

 private:
  std::int64_t labels_ = 0;
  std::vector<std::string> names_;  // [K]; empty: the places
  bool is_restored_ = false;
};
