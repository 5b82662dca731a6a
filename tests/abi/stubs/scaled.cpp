// scaled.cpp - a dataset of points whose columns can be scaled, with names that look like scales,
// and features over it that tell the column of each weight (ext/draft/column_scale.h).
#include <sculpt/cpp/site_store.hpp>
#include <sculpt/cpp/site_weights.hpp>
#include <sculpt/sculpt.hpp>

namespace {

// A line is a label and three numbers.
class ScaledPoints {
 public:
  static constexpr sculpt::About about{"org.sculpt.stub.scaled_points", "1.0.0",
                                       "points whose columns can be scaled"};
  static constexpr sculpt_parameter parameters[] = {sculpt::scaling_by_query()};

  void load(std::string_view split, const sculpt::Source& source) {
    store_.begin_split(split);
    sculpt::LineReader reader(source, sculpt::LineLife::until_next);
    while (reader.next()) {
      const std::vector<sculpt::Field>& fields = reader.fields();
      for (std::size_t k = 1; k < fields.size(); ++k) {
        store_.add(static_cast<std::int32_t>(k - 1), reader.real(fields[k], "a coordinate"));
      }
      store_.end_site();
      const auto label = static_cast<std::int32_t>(reader.integer(fields.at(0), "a label"));
      store_.end_example({&label, 1});
    }
  }
  std::int64_t count() const { return store_.count(); }
  sculpt::Range split(std::string_view name) const { return store_.split(name); }
  sculpt::Labels truth(std::int64_t example) const { return store_.truth(example); }
  sculpt::SiteStore& scaled_rows() { return store_; }

  std::int64_t feature_count() const { return 3; }
  std::int32_t state_count() const { return 2; }
  sculpt_sites sites(std::int64_t example) const { return store_.sites(example); }
  void feature_name(std::int64_t feature, sculpt::ByteOutput& out) const {
    out << "x" << feature << " (/ 7)";
  }
  void state_name(std::int32_t state, sculpt::ByteOutput& out) const {
    out << "half (/ 2) " << state;
  }

 private:
  sculpt::SiteStore store_;
};

// psi(x, y) = x and a constant in block y.
class ScaledClasses {
 public:
  static constexpr sculpt::About about{"org.sculpt.stub.scaled_classes", "1.0.0",
                                       "a block of weights for each label"};

  void bind(const sculpt::Bindings& to) {
    input_ = sculpt::SiteInput(to.dataset);
    weights_ = sculpt::SiteWeights(input_.feature_count(), input_.state_count(), true);
  }
  std::int64_t dimension() const { return weights_.size(); }
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    weights_.add(input_.sites(example), 0, y[0], 1, sum);
  }
  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const {
    weights_.name(weight, input_, out);
  }
  std::int64_t weight_column(std::int64_t weight) const { return weights_.column(weight); }

 private:
  sculpt::SiteInput input_;
  sculpt::SiteWeights weights_;
};

}  // namespace

SCULPT_PLUGIN("stub_scaled", "1.0.0", "Apache-2.0", sculpt::Dataset<ScaledPoints>,
              sculpt::Features<ScaledClasses>)
