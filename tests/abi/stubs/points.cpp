// points.cpp - a dataset for the stubs: short sequences of points. One example a line, bars between
// its sites. A site is a label and coordinates:
//
//   1 0.5 2.0 | 0 1.0 -1.0
#include <sculpt/cpp/site_store.hpp>
#include <sculpt/sculpt.hpp>

class Points {
 public:
  static constexpr sculpt::About about{"org.sculpt.stub.points", "1.0.0", "sequences of points"};

  void load(std::string_view split, const sculpt::Source& source) {
    store_.begin_split(split);
    sculpt::LineReader reader(source);
    while (reader.next()) {
      std::vector<std::int32_t> labels;
      std::int32_t coordinate = 0;
      bool starts_site = true;
      for (const sculpt::Field& field : reader.fields()) {
        if (field.text == "|") {
          store_.end_site();
          starts_site = true;
        } else if (starts_site) {
          labels.push_back(static_cast<std::int32_t>(reader.integer(field, "a label")));
          states_ = std::max(states_, labels.back() + 1);
          coordinate = 0;
          starts_site = false;
        } else {
          store_.add(coordinate++, reader.real(field, "a coordinate"));
          coordinates_ = std::max<std::int64_t>(coordinates_, coordinate);
        }
      }
      store_.end_site();
      store_.end_example(labels);
    }
  }
  std::int64_t count() const { return store_.count(); }
  sculpt::Range split(std::string_view name) const { return store_.split(name); }
  sculpt::Labels truth(std::int64_t example) const { return store_.truth(example); }

  std::int64_t feature_count() const { return coordinates_; }
  std::int32_t state_count() const { return states_; }
  sculpt_sites sites(std::int64_t example) const { return store_.sites(example); }

 private:
  sculpt::SiteStore store_;
  std::int64_t coordinates_ = 0;
  std::int32_t states_ = 0;
};

SCULPT_PLUGIN("stub_points", "1.0.0", "Apache-2.0", sculpt::Dataset<Points>)
