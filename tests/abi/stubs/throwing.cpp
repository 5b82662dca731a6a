// throwing.cpp - a task that throws in the method that the first line of its data names. The host
// must survive it. A line "repeat N" is refused with a message of N letters.
#include <sculpt/sculpt.hpp>
#include <stdexcept>

namespace {

class Throwing {
 public:
  static constexpr sculpt::About about{"org.sculpt.stub.throwing", "1.0.0", "throws on demand"};
  static constexpr sculpt_metric metrics[] = {
      sculpt::higher_is_better("accuracy", "share of right answers")};
  static constexpr std::int64_t sum_count = 1;
  static constexpr const char* extensions[] = {SCULPT_EXT_WEIGHT_BOUNDS};

  void load(std::string_view, const sculpt::Source& source) {
    sculpt::LineReader reader(source);
    if (!reader.next()) return;
    faulty_method_ = reader.fields().at(0).text;
    if (faulty_method_ != "repeat") return;
    throw sculpt::data_error(std::string(std::stoul(std::string(reader.fields().at(1).text)), 'x'));
  }
  std::int64_t count() const { return check("count"), 1; }
  sculpt::Range split(std::string_view) const { return {0, 1}; }
  sculpt::Labels truth(std::int64_t) const { return {&truth_, 1}; }
  std::int64_t dimension() const { return check("dimension"), 1; }
  void features(std::int64_t, sculpt::Labels, sculpt::Sum& sum) const {
    sum.add(faulty_method_ == "index" ? std::int64_t{1} << 32 : 0, 1);
  }
  double loss(sculpt::Labels, sculpt::Labels) const { return 0; }
  void argmax(const sculpt::Query&, sculpt::Answer& answer) const {
    answer.labels().assign({&truth_, 1});
    answer.exact(0);
  }
  void add_metrics(std::int64_t, sculpt::Labels, sculpt::Labels, std::span<double>) const {}
  void finish_metrics(std::span<const double>, std::span<double>) const { check("finish"); }
  const void* extension(const char*) const { return check("extension"), nullptr; }

 private:
  void check(const char* method) const {
    if (faulty_method_ == method) throw std::runtime_error("not today");
  }

  std::string faulty_method_;
  std::int32_t truth_ = 0;
};

}  // namespace

SCULPT_PLUGIN("stub_throwing", "1.0.0", "Apache-2.0", sculpt::Task<Throwing>)
