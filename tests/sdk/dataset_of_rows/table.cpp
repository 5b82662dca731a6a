// table.cpp - a dataset of tables: a line with the names of the columns, then one row a line. The
// first column is the class, a number from 0.
#include <algorithm>
#include <sculpt/cpp/site_store.hpp>
#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

class Table {
 public:
  static constexpr sculpt::About about{"org.example.table", "1.0.0", "rows below column names"};
  static constexpr const char* experiments[] = {R"({
    "dataset": {"use": "table", "scaling": "max_abs",
                "train": {"text": "class height weight\n0 1.8 9e4\n1 1.6 5e4\n1 1.7 6e4\n"}},
    "features": "multiclass", "loss": "zero_one", "oracle": "enumerate",
    "solver": {"use": "n_slack", "C": 1}})"};

  // Adds the parameter `scaling`.
  sculpt::SiteStore& scaled_rows() { return store_; }

  void load(std::string_view split, const sculpt::Source& source) {
    const bool is_training = names_.empty();
    sculpt::LineReader reader(source);
    if (!reader.next()) throw sculpt::data_error(source.path() + ":1:1: no names of columns");
    std::vector<std::string> names;
    for (const sculpt::Field& field : reader.fields()) names.emplace_back(field.text);
    if (is_training) names_ = names;
    if (names != names_) {
      throw reader.error(0, "other columns than the training data; name them in the same order");
    }
    store_.begin_split(split);
    while (reader.next()) {
      const std::vector<sculpt::Field>& fields = reader.fields();
      if (fields.empty()) continue;
      if (fields.size() != names_.size()) {
        throw reader.error(0, "has " + std::to_string(fields.size()) + " fields; there are " +
                                  std::to_string(names_.size()) + " names");
      }
      const std::int64_t number = reader.integer(fields[0], "a class");
      if (number < 0 || number > 999) throw reader.error(0, "there is no such class");
      const auto label = static_cast<std::int32_t>(number);
      if (is_training) classes_ = std::max(classes_, label + 1);
      if (label >= classes_) {
        throw reader.error(0, "the training data has no class " + std::to_string(number));
      }
      for (std::size_t k = 1; k < fields.size(); ++k) {
        const double value = reader.real(fields[k], "a number");
        if (value != 0) store_.add(static_cast<std::int32_t>(k - 1), value);
      }
      store_.end_site();
      store_.end_example(sculpt::Labels(&label, 1));
    }
  }
  std::int64_t count() const { return store_.count(); }
  sculpt::Range split(std::string_view name) const { return store_.split(name); }
  sculpt::Labels truth(std::int64_t example) const { return store_.truth(example); }

  // The extension sites, for features of other libraries.
  std::int64_t feature_count() const { return static_cast<std::int64_t>(names_.size()) - 1; }
  std::int32_t state_count() const { return classes_; }
  sculpt_sites sites(std::int64_t example) const { return store_.sites(example); }
  void feature_name(std::int64_t feature, sculpt::ByteOutput& out) const {
    out << names_[static_cast<std::size_t>(feature) + 1];
  }

  void save(sculpt::StateWriter& out) const {
    out.texts(names_);
    out.integer(classes_);
  }
  void restore(sculpt::StateReader& in) {
    names_ = in.texts();
    classes_ = static_cast<std::int32_t>(in.integer());
    if (names_.empty()) in.damaged();
  }

 private:
  sculpt::SiteStore store_;
  std::vector<std::string> names_;  // with the name of the class
  std::int32_t classes_ = 0;
};

SCULPT_PLUGIN("table", "1.0.0", "MIT", sculpt::Dataset<Table>)
