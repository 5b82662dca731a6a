// The best labels of a 256 x 256 image with attractive neighbours. The case grid_cut is one call of
// graph_cut through the host, with features and tables. The case boost_grid_cut is only the maximum
// flow of Boost.Graph in the same network, which is built before the timing.

#include <benchmark/benchmark.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "boost_flow.hpp"
#include "loaded_problem.hpp"
#include "two_ways.hpp"

namespace sculpt::core::bench {
namespace {

constexpr int side = 256;

// Returns normal noise. Only the pairs make neighbours equal, which is harder than a real image.
std::vector<double> made_up_pixels() {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> pixels(side * side);
  for (double& pixel : pixels) pixel = normal(random);
  return pixels;
}

JsonDocument made_up_image() {
  std::string text = "image noise " + std::to_string(side) + " " + std::to_string(side) + "\n";
  const std::vector<double> pixels = made_up_pixels();
  for (std::size_t k = 0; k < pixels.size(); ++k) {
    text += std::to_string(pixels[k]) + ((k + 1) % side == 0 ? "\n" : " ");
  }
  for (int row = 0; row < side; ++row) text += std::string(side - 1, '0') + "1\n";
  const nlohmann::ordered_json experiment = {
      {"name", "made_up_image"},
      {"dataset", {{"use", "grid"}, {"mode", "values"}, {"train", {{"text", text}}}}},
      {"features",
       {{"use", "graph"},
        {"pairs", "potts"},
        {"by_kind", false},
        {"bias", false},
        {"nonnegative", {"pairs"}}}},
      {"loss", "hamming"},
      {"oracle", "graph_cut"},
      {"solver", {{"use", "n_slack"}, {"C", 1}}}};
  return JsonDocument::parse(experiment.dump(), {"made_up_image", ""});
}

// Returns s of  score(y) = sum_v x_v (y_v = 1) - x_v (y_v = 0) + s sum [y_u = y_v].
double strength(const benchmark::State& state) {
  return static_cast<double>(state.range(0)) / 10;
}

void grid_cut(benchmark::State& state) {
  LoadedProblem loaded(made_up_image(), SCULPT_BENCH_PLUGINS);
  Vector w = some_weights((*loaded).dimension());
  w[0] = -1;  // value, label 0
  w[1] = 1;
  w[2] = strength(state);
  Shipped oracle(*loaded);
  const std::int64_t example = (*loaded).training()[0];
  Answer answer;
  for (auto _ : state) {
    oracle.argmax(example, w, answer);
    benchmark::DoNotOptimize(answer.labels().data);
  }
}

void boost_grid_cut(benchmark::State& state) {
  constexpr std::size_t pixels = side * side;
  sculpt::bench::BoostFlow network(pixels + 2);
  const std::vector<double> values = made_up_pixels();
  for (std::size_t k = 0; k < pixels; ++k) {
    if (values[k] > 0) network.add_edge(pixels, k, 2 * values[k], 0);
    if (values[k] < 0) network.add_edge(k, pixels + 1, -2 * values[k], 0);
    if (k % side + 1 < side) network.add_edge(k, k + 1, strength(state), strength(state));
    if (k + side < pixels) network.add_edge(k, k + side, strength(state), strength(state));
  }
  for (auto _ : state) {
    double flow = network.max_flow(pixels, pixels + 1);
    benchmark::DoNotOptimize(flow);
  }
}

BENCHMARK(grid_cut)->Arg(2)->Arg(5)->Arg(10)->Arg(20)->Unit(benchmark::kMillisecond);
BENCHMARK(boost_grid_cut)->Arg(2)->Arg(5)->Arg(10)->Arg(20)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sculpt::core::bench
