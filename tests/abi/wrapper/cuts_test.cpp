// Relaxed answers in the C++ wrapper: the extension that offers them, and the fields of sculpt_cut.

#include <doctest/doctest.h>
#include <sculpt/cpp/factor_graph_builder.hpp>

#include "live.hpp"

namespace {

// A map_solver for one variable with two states. The relaxed answer is fractional if theta[0] < 0.
// If theta[0] > 100, there is no output. The parameter switches relaxed answers off.
class Halves {
 public:
  static constexpr sculpt::About about{"org.sculpt.test.half", "1.0.0", "half of each state"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::boolean("relaxed", "true", "offers relaxed answers")};
  explicit Halves(const sculpt::Parameters& given) : relaxed_(given.boolean("relaxed")) {}

  void solve(const sculpt::MapQuery&, sculpt::Answer& answer) const { answer.no_output(); }
  bool relaxes() const { return relaxed_; }
  void cut(const sculpt::MapQuery& query, std::span<double> mu, sculpt::Cut& out) const {
    if (query.theta[0] > 100) return out.no_output();
    if (query.theta[0] < 0) {
      mu[0] = mu[1] = 0.5;
      out.labels().resize(1)[0] = 1;  // fractional() removes it again
      out.fractional();
      out.found((query.theta[0] + query.theta[1]) / 2);
      out.bound(query.theta[1]);
    } else {
      mu[0] = 1;
      mu[1] = 0;
      out.labels().resize(1)[0] = 0;
      out.exact(query.theta[0]);
    }
  }

 private:
  bool relaxed_;
};

constexpr const sculpt_component& halves = sculpt::MapSolver<Halves>::component;

LiveComponent live_halves(bool relaxed) {
  sculpt_value value{};
  value.integer = relaxed ? 1 : 0;
  return LiveComponent(halves, &value);
}

struct CutAnswer {
  sculpt_cut raw{};
  std::int32_t labels[1];
  double mu[2] = {-1, -1};
};

void call_cut(const LiveComponent& solver, std::vector<double> theta, CutAnswer& answer) {
  sculpt::FactorGraphBuilder builder;
  builder.add_variable(2);
  const sculpt_map_query query{sizeof(sculpt_map_query), 0, &builder.graph(0, 0), theta.data(), 1};
  answer.raw.struct_size = sizeof(sculpt_cut);
  answer.raw.flags = 0xFFFF;  // as if from an earlier answer
  answer.raw.loss = 7;
  answer.raw.labels.size = 1;
  answer.raw.labels.data = answer.labels;
  answer.raw.labels.capacity = 1;
  const auto* table = solver.ref().extension<sculpt_ext_map_cut>();
  REQUIRE(table != nullptr);
  REQUIRE(table->cut(solver.self(), &query, answer.mu, &answer.raw, nullptr) == SCULPT_OK);
}

TEST_CASE("a map_solver offers relaxed answers unless a parameter switches them off") {
  CHECK(live_halves(true).ref().extension<sculpt_ext_map_cut>() != nullptr);
  CHECK(live_halves(false).ref().extension<sculpt_ext_map_cut>() == nullptr);
  CHECK(live_halves(true).ref().extension<sculpt_ext_cut>() == nullptr);
}

TEST_CASE("the catalogue lists relaxed answers even if a parameter can switch them off") {
  REQUIRE(halves.extension_count == 1);
  CHECK(std::string(halves.extensions[0]) == SCULPT_EXT_MAP_CUT);
}

TEST_CASE("a fractional answer has a bound and no labels") {
  CutAnswer answer;
  call_cut(live_halves(true), {-1, 3}, answer);
  CHECK(answer.raw.flags == (std::uint32_t{SCULPT_CUT_FRACTIONAL} | SCULPT_ANSWER_BOUND));
  CHECK(answer.raw.labels.size == 0);
  CHECK(answer.raw.value == 1);
  CHECK(answer.raw.bound == 3);
  CHECK(answer.raw.loss == 0);
  CHECK(answer.mu[0] == 0.5);
  CHECK(answer.mu[1] == 0.5);
}

TEST_CASE("an exact relaxed answer has labels, and its value is its bound") {
  CutAnswer answer;
  call_cut(live_halves(true), {2, 1}, answer);
  CHECK(answer.raw.flags == (SCULPT_ANSWER_EXACT | SCULPT_ANSWER_BOUND));
  REQUIRE(answer.raw.labels.size == 1);
  CHECK(answer.raw.labels.data[0] == 0);
  CHECK(answer.raw.value == 2);
  CHECK(answer.raw.bound == 2);
}

TEST_CASE("the relaxed answer of an example without outputs has only the flag NO_OUTPUT") {
  CutAnswer answer;
  call_cut(live_halves(true), {101, 1}, answer);
  CHECK(answer.raw.flags == SCULPT_ANSWER_NO_OUTPUT);
  CHECK(answer.raw.labels.size == 0);
}

}  // namespace
