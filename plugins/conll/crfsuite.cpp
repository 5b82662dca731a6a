#include "crfsuite.hpp"

#include <algorithm>
#include <cmath>

namespace {

// Gives the attributes of stored rows new numbers, and drops those without one.
struct Renumbering {
  const std::vector<std::int32_t>& numbers;

  void begin_example(std::int64_t, const sculpt_sites&) {}
  template <class Add>
  void scale_row(const sculpt_sites& rows, std::int64_t site, Add add) const {
    for (std::int64_t j = rows.row_from[site]; j < rows.row_from[site + 1]; ++j) {
      const std::int32_t number = numbers[static_cast<std::size_t>(rows.index[j])];
      if (number >= 0) add(number, rows.value[j]);
    }
  }
};

}  // namespace

void CrfSuite::load(std::string_view split, const sculpt::Source& source) {
  require_learned(split);
  const bool learns = labels_.size() == 0;
  begin_split(split, source.path());
  if (split == "train") first_weight_ = count();
  const std::int64_t first = count();
  CrfsuiteReader reader(source);
  CountedTexts learned;
  AttributeCounts counts;
  PredictedRows rows;
  for (auto row = reader.next(); row != CrfsuiteReader::Row::end_of_file; row = reader.next()) {
    if (row == CrfsuiteReader::Row::token) {
      if (learns) learn_label_of(reader);
      add_token(reader, learns ? &learned : nullptr, counts);
      if (split != "predict") continue;
      if (reader.is_labelled()) rows.text.append(reader.label()) += '\t';
      rows.places.push_back(rows.text.size());
      rows.text += '\n';
      continue;
    }
    if (split == "train") weights_.push_back(reader.weight());
    if (split == "predict") {
      end_predicted(reader.is_labelled(), reader.first_line(), std::move(rows));
      rows = {};
    } else {
      end_sequence(reader.is_labelled(), reader.first_line());
    }
  }
  if (count() == first && split != "predict") {
    throw reader.lines().error_at(1, 0,
                                  "no sequences; write one token a line, its label, a tab and its "
                                  "attributes with a tab between them, and a blank line after each "
                                  "sequence");
  }
  if (learns) keep_frequent(learned, source.path());
  if (!learns) warn_of_unseen(source.path(), counts, false);
}

double CrfSuite::example_weight(std::int64_t example) const {
  const std::int64_t k = example - first_weight_;
  const bool is_known = k >= 0 && k < static_cast<std::int64_t>(weights_.size());
  return is_known ? weights_[static_cast<std::size_t>(k)] : 1;
}

void CrfSuite::learn_label_of(CrfsuiteReader& reader) {
  if (!reader.is_labelled()) {
    reader.refuse_if_others_have_labels();
    throw reader.lines().error(0,
                               "the rows have no label in front of their first tab, so there is "
                               "nothing to learn; add it");
  }
  learn_label(reader.label(), reader.lines(), reader.lines().number(), 0);
}

// Adds a token to the sequence. `learned`: counts all attributes and gives their numbers. If it is
// null, attributes that training does not have are dropped.
void CrfSuite::add_token(const CrfsuiteReader& reader, CountedTexts* learned,
                         AttributeCounts& counts) {
  entries_.clear();
  for (const CrfsuiteReader::Attribute& attribute : reader.attributes()) {
    const std::int32_t number =
        learned ? learned->add(attribute.name) : attributes_.find(attribute.name);
    ++(number < 0 ? counts.unseen : counts.known);
    if (number >= 0) entries_.push_back({number, attribute.value});
  }
  add_entries(reader);
  end_token();
  if (!reader.is_labelled()) return;
  add_label(reader.label(), reader.lines(), reader.lines().number(), 0);
}

// Values of an attribute that a row repeats add up, as in CRFsuite.
void CrfSuite::add_entries(const CrfsuiteReader& reader) {
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.attribute < b.attribute; });
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const std::int32_t attribute = entry->attribute;
    double sum = 0;
    for (; entry != entries_.end() && entry->attribute == attribute; ++entry) sum += entry->value;
    if (!std::isfinite(sum)) {
      throw reader.lines().error(0,
                                 "the values of an attribute that the row repeats add up to more "
                                 "than 1.79e308; write smaller values");
    }
    if (sum != 0) add_value(attribute, sum);
  }
}

// Keeps the attributes that are frequent enough, and numbers those of the stored rows anew.
void CrfSuite::keep_frequent(const CountedTexts& learned, const std::string& path) {
  const std::vector<std::int32_t> numbers = learned.keep(cutoff_, attributes_);
  if (learned.size() == 0) {
    throw sculpt::data_error(path +
                             ":1:1: no row has an attribute; write a tab between the label and "
                             "each attribute");
  }
  report_learned(path, learned.size());
  if (cutoff_ == 1) return;
  Renumbering renumbering{numbers};
  store_.rewrite_rows(0, renumbering);
}

void CrfSuite::save(sculpt::StateWriter& writer) const {
  writer.integer(state_version);
  labels_.save(writer);
  attributes_.save(writer);
}

void CrfSuite::restore(sculpt::StateReader& reader) {
  if (reader.integer() != state_version) reader.damaged();
  labels_.restore(reader);
  attributes_.restore(reader);
}
