#include "arrays_dataset.hpp"

#include <algorithm>

namespace {

constexpr sculpt_ext_memory_source memory_source{
    [](void* self, const char* split, const sculpt_memory_rows* rows, sculpt_error* error) {
      return sculpt::guarded(error, "load", [&] {
        auto& dataset = sculpt::mutable_component_of<ArraysDataset>(self);
        dataset.load(split, *rows);
        dataset.scaled_rows().scale_new_rows();
      });
    }};

std::string example_text(std::int64_t example) {
  return "example " + std::to_string(example) + ": ";
}

}  // namespace

const void* ArraysDataset::extension(const char* id) const {
  return std::string_view(id) == SCULPT_EXT_MEMORY_SOURCE ? &memory_source : nullptr;
}

void ArraysDataset::load(std::string_view, const sculpt::Source& source) {
  throw sculpt::unsupported_error(
      source.path() +
      ": the dataset arrays reads no files, but arrays that a program lends; for files use "
      "svmlight, mlsvml, letters, conll, graph or another dataset");
}

void ArraysDataset::load(std::string_view name, const sculpt_memory_rows& rows) {
  const auto is_loaded = [name](const LentSplit& split) { return split.name() == name; };
  if (std::any_of(splits_.begin(), splits_.end(), is_loaded)) {
    throw sculpt::Error(SCULPT_E_INVALID, "the split '" + std::string(name) + "' is loaded twice");
  }
  if (!has_learned_ && name != "train") {
    throw sculpt::Error(SCULPT_E_INVALID,
                        "has no labels before the split 'train' is loaded; load it first");
  }
  LentSplit split(name, count(), rows);
  if (has_learned_) {
    check(split, rows);
    settle_unseen_labels(split);
  } else {
    learn(split, rows);
  }
  if (is_scaled_ || split.is_mostly_zeros()) split.copy_rows(store_);
  splits_.push_back(std::move(split));
}

void ArraysDataset::learn(const LentSplit& split, const sculpt_memory_rows& rows) {
  std::int64_t k = 0;
  while (k < rows.example_count && !split.truth(k).known()) ++k;
  if (k == rows.example_count) {
    throw sculpt::data_error(rows.example_count == 0
                                 ? "example 0: there is none, so there is nothing to learn"
                                 : "example 0: no example has a label, so there is nothing to "
                                   "learn; give labels from 0 on");
  }
  if (rows.variable_count > 0 && rows.state_count > 2) {
    throw sculpt::unsupported_error(
        "example 0: labels of a set are 0 (off) or 1 (on), but there "
        "are " +
        std::to_string(rows.state_count) + " states");
  }
  states_.learn(rows.variable_count > 0 ? 2 : rows.state_count,
                rows.state_count == 2 || rows.variable_count == 0 ? rows.state_name : nullptr);
  features_.learn(rows.feature_count, rows.feature_name);
  labels_.learn(rows.variable_count, rows.variable_name);
  const bool has_edges = rows.first_edge != nullptr && rows.first_edge[rows.example_count] > 0;
  kinds_.learn(has_edges ? rows.edge_kind_count : 0, rows.edge_kind_name);
  has_one_site_each_ = rows.first_site == nullptr;
  has_learned_ = true;
}

void ArraysDataset::check(const LentSplit& split, const sculpt_memory_rows& rows) const {
  check_shape(rows);
  states_.check(rows.state_count, rows.state_name);
  features_.check(rows.feature_count, rows.feature_name);
  labels_.check(rows.variable_count, rows.variable_name);
  kinds_.check(rows.edge_kind_count, rows.edge_kind_name);
  std::int64_t number = 0;
  std::int64_t example = split.find_feature(feature_count(), number);
  if (example >= 0) {
    throw sculpt::data_error(example_text(example) + "has the feature " + std::to_string(number) +
                             ", but the training data have " + std::to_string(feature_count()) +
                             " features, from 0 on; leave it out");
  }
  example = split.find_edge_kind(edge_kind_count(), number);
  if (example >= 0) {
    throw sculpt::data_error(example_text(example) + "has an edge of kind " +
                             std::to_string(number) + ", but the training data have " +
                             std::to_string(edge_kind_count()) + " kinds of edges; leave it out");
  }
}

// Labels decide whether outputs are sets. Unlabelled data need not say it.
void ArraysDataset::check_shape(const sculpt_memory_rows& rows) const {
  if (rows.label == nullptr || rows.variable_count == labels_.count()) return;
  const auto text = [](std::int64_t variables) {
    return variables == 0 ? std::string("one label for each site")
                          : "a set of " + std::to_string(variables) + " labels";
  };
  throw sculpt::data_error("example 0: its output is " + text(rows.variable_count) +
                           ", but that of training examples is " + text(labels_.count()));
}

void ArraysDataset::settle_unseen_labels(LentSplit& split) {
  std::int64_t label = 0;
  const std::int64_t example = split.find_label(state_count(), label);
  if (example < 0) return;
  if (on_unseen_label_ == sculpt::UnseenLabels::refuse || has_sets()) {
    throw sculpt::data_error(
        example_text(example) + "label " + std::to_string(label) +
        " does not occur in the training data " + states_.list() + "; " +
        (has_sets() ? "labels of a set are 0 (off) or 1 (on)"
                    : std::string(sculpt::unseen_label_remedies) + "write -1 for it"));
  }
  const bool is_wrong = on_unseen_label_ == sculpt::UnseenLabels::wrong;
  const std::int64_t examples =
      split.replace_labels(state_count(), is_wrong ? sculpt::unseen_label : -1);
  host_.warn(split.name() + ": " +
             sculpt::unseen_labels_text("example", examples, on_unseen_label_));
}

sculpt::Range ArraysDataset::split(std::string_view name) const {
  for (const LentSplit& split : splits_) {
    if (split.name() == name) return split.range();
  }
  return {};
}

std::pair<const LentSplit&, std::int64_t> ArraysDataset::place_of(std::int64_t example) const {
  for (const LentSplit& split : splits_) {
    const sculpt::Range range = split.range();
    if (example >= range.begin && example < range.end) return {split, example - range.begin};
  }
  throw sculpt::Error(SCULPT_E_INVALID, "has no example " + std::to_string(example) +
                                            "; there are " + std::to_string(count()));
}

sculpt::Labels ArraysDataset::truth(std::int64_t example) const {
  const auto [split, k] = place_of(example);
  return split.truth(k);
}

double ArraysDataset::example_weight(std::int64_t example) const {
  const auto [split, k] = place_of(example);
  return split.weight(k);
}

sculpt_sites ArraysDataset::sites(std::int64_t example) const {
  const auto [split, k] = place_of(example);
  return split.sites(k, store_);
}

const std::int32_t* ArraysDataset::edge_kinds(std::int64_t example) const {
  const auto [split, k] = place_of(example);
  return split.edge_kinds(k);
}

void ArraysDataset::state_name(std::int32_t state, sculpt::ByteOutput& out) const {
  const std::string name = states_.of(state);
  if (has_sets() && !states_.are_given()) {
    out << (state == 0 ? "off" : "on");
  } else {
    out << name;
  }
}

void ArraysDataset::feature_name(std::int64_t feature, sculpt::ByteOutput& out) const {
  if (!features_.are_given()) out << "feature ";
  out << features_.of(feature);
}

void ArraysDataset::edge_kind_name(std::int32_t kind, sculpt::ByteOutput& out) const {
  const std::string name = kinds_.of(kind);
  if (kinds_.are_given()) {
    out << name;
  } else {
    out << (kinds_.count() == 1 ? "edge" : "edge " + name);
  }
}

char ArraysDataset::separator() const {
  const char usual = has_sets() ? ',' : ' ';
  return (has_sets() ? labels_ : states_).contain(usual) ? '\t' : usual;
}

void ArraysDataset::format(std::int64_t, sculpt::Labels y, sculpt::ByteOutput& out) const {
  const bool is_set = has_sets() && y.count() == labels_.count();
  const auto is_state = [this](std::int32_t label) { return label >= 0 && label < state_count(); };
  const bool are_states = std::all_of(y.begin(), y.end(), is_state);
  const std::string between(1, separator());
  bool is_first = true;
  for (std::size_t k = 0; k < y.size(); ++k) {
    if (is_set && are_states && y[k] == 0) continue;
    if (!is_first) out << between;
    is_first = false;
    if (!are_states) {
      out << std::int64_t{y[k]};
    } else if (is_set) {
      out << labels_.of(static_cast<std::int64_t>(k));
    } else {
      out << states_.of(y[k]);
    }
  }
  if (is_set && is_first) out << "-";
}

void ArraysDataset::parse(std::int64_t example, std::string_view text,
                          sculpt::LabelOutput& out) const {
  std::vector<sculpt::Field> words;
  const std::string separators = separator() == ' ' ? " \t\r\n" : std::string(1, separator());
  if (!has_sets() || text != "-") {
    sculpt::split_fields(text, separators.c_str(), words);
  }
  const ArrayNames& names = has_sets() ? labels_ : states_;
  std::vector<std::int32_t> numbers;
  for (const sculpt::Field& word : words) {
    numbers.push_back(static_cast<std::int32_t>(names.find(word.text)));
    if (numbers.back() >= 0) continue;
    throw sculpt::data_error(sculpt::shown(word.text) + " does not occur in the training data " +
                             names.list());
  }
  if (has_sets()) {
    const auto y = out.resize(labels_.count());
    std::fill(y.begin(), y.end(), 0);
    for (const std::int32_t number : numbers) y[static_cast<std::size_t>(number)] = 1;
    return;
  }
  const std::int64_t sites = this->sites(example).site_count;
  if (std::ssize(numbers) != sites) {
    throw sculpt::data_error("there are " + std::to_string(numbers.size()) + " labels where " +
                             std::to_string(sites) + " are expected");
  }
  out.assign(numbers);
}

void ArraysDataset::check_size(std::int64_t example, sculpt::Labels y) const {
  const std::int64_t size = has_sets() ? labels_.count() : sites(example).site_count;
  if (y.count() == size) return;
  throw sculpt::Error(SCULPT_E_INVALID, "an output has " + std::to_string(size) + " labels");
}

void ArraysDataset::items(std::int64_t example, sculpt::Labels y,
                          std::vector<std::int64_t>& items) const {
  check_size(example, y);
  for (std::size_t k = 0; k < y.size(); ++k) {
    const std::int64_t item = item_of_label(example, static_cast<std::int64_t>(k), y[k]);
    if (item >= 0) items.push_back(item);
  }
}

std::int64_t ArraysDataset::item_of_label(std::int64_t, std::int64_t variable,
                                          std::int32_t state) const {
  if (has_sets()) return state == 1 ? variable : -1;
  return state < 0 || state >= state_count() ? -1 : variable * state_count() + state;
}

void ArraysDataset::save(sculpt::StateWriter& writer) const {
  writer.integer(state_version);
  writer.integer(has_one_site_each_ ? 1 : 0);
  for (const ArrayNames* names : {&states_, &features_, &labels_, &kinds_}) names->save(writer);
}

void ArraysDataset::restore(sculpt::StateReader& reader) {
  if (reader.integer() != state_version) reader.damaged();
  const std::int64_t one_site = reader.integer();
  for (ArrayNames* names : {&states_, &features_, &labels_, &kinds_}) names->restore(reader);
  const bool is_plausible = (one_site == 0 || one_site == 1) && states_.count() > 0 &&
                            (!has_sets() || states_.count() == 2);
  if (!is_plausible) reader.damaged();
  has_one_site_each_ = one_site == 1;
  has_learned_ = true;
}
