// units.cpp - a task whose dataset divides its column by 4, and has no parameter that says so. For
// tests of what describe prints.
//
//   data   one example a line: its label 0 or 1, and x
//   psi(x, y) = x / 4 at y,   Delta = [y != y']
#include <sculpt/ext/draft/column_scale.h>

#include <cstring>
#include <sculpt/cpp/site_store.hpp>
#include <sculpt/sculpt.hpp>

namespace {

class Units {
 public:
  static constexpr sculpt::About about{"org.test.units", "1.0.0", "a column in another unit"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("wrong_column", "0", 0, 9, "the column that weights are said to have")};
  static constexpr const char* extensions[] = {SCULPT_EXT_COLUMN_SCALE};

  explicit Units(const sculpt::Parameters& given) : column_(given.integer("wrong_column")) {}
  const void* extension(const char* id) const;

  void load(std::string_view split, const sculpt::Source& source) {
    store_.begin_split(split);
    sculpt::LineReader reader(source, sculpt::LineLife::until_next);
    while (reader.next()) {
      const auto label =
          static_cast<std::int32_t>(reader.integer(reader.fields().at(0), "a label"));
      store_.add(0, reader.real(reader.fields().at(1), "x") / divisor);
      store_.end_site();
      store_.end_example({&label, 1});
    }
  }
  std::int64_t count() const { return store_.count(); }
  sculpt::Range split(std::string_view name) const { return store_.split(name); }
  sculpt::Labels truth(std::int64_t example) const { return store_.truth(example); }
  std::int64_t feature_count() const { return 1; }
  std::int32_t state_count() const { return 2; }
  sculpt_sites sites(std::int64_t example) const { return store_.sites(example); }
  void feature_name(std::int64_t, sculpt::ByteOutput& out) const { out << "x in quarters"; }

  std::int64_t dimension() const { return 2; }
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    sum.add(y[0], value_of(example));
  }
  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const {
    out << "x in quarters, label " << weight;
  }
  std::int64_t weight_column(std::int64_t) const { return column_; }
  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    return truth[0] == guess[0] ? 0 : 1;
  }
  void argmax(const sculpt::Query& query, sculpt::Answer& answer) const {
    const double x = value_of(query.example);
    double value[2] = {query.weights[0] * x, query.weights[1] * x};
    if (query.loss_weight > 0) value[1 - query.truth[0]] += query.loss_weight;
    const std::int32_t best = value[1] > value[0] ? 1 : 0;
    answer.labels().assign({&best, 1});
    answer.exact(value[best]);
  }

 private:
  static constexpr double divisor = 4;
  static constexpr sculpt_ext_column_scale column_scale{
      [](const void*, std::int64_t, sculpt_column_scale* out, sculpt_error*) -> sculpt_status {
        sculpt::fill_record(out, sculpt_column_scale{sizeof(sculpt_column_scale), 0, 0, divisor});
        return SCULPT_OK;
      },
      [](const void*, std::int64_t, sculpt_byte_buffer* out, sculpt_error* error) {
        return sculpt::guarded(error, "name", [&] { sculpt::ByteOutput(out) << "x"; });
      }};

  double value_of(std::int64_t example) const { return store_.sites(example).value[0]; }

  std::int64_t column_;
  sculpt::SiteStore store_;
};

const void* Units::extension(const char* id) const {
  return std::strcmp(id, SCULPT_EXT_COLUMN_SCALE) == 0 ? &column_scale : nullptr;
}

}  // namespace

SCULPT_PLUGIN("units", "1.0.0", "Apache-2.0", sculpt::Task<Units>)
