#include "core/batch/listed_batch.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/failure.hpp"

namespace sculpt::core {

namespace {

std::size_t cell_of(const ListedBatch::Example& example, const ListedBatch::Factor& factor,
                    const std::vector<std::int32_t>& y) {
  std::size_t cell = 0;
  for (const std::int32_t v : factor.scope) {
    const auto variable = static_cast<std::size_t>(v);
    cell = cell * static_cast<std::size_t>(example.states[variable]) +
           static_cast<std::size_t>(y[variable]);
  }
  return factor.first + cell;
}

void each_output(const std::vector<std::int32_t>& states,
                 const std::function<void(const std::vector<std::int32_t>&)>& visit) {
  std::vector<std::int32_t> y(states.size(), 0);
  while (true) {
    visit(y);
    std::size_t v = 0;
    while (v < y.size() && ++y[v] == states[v]) y[v++] = 0;
    if (v == y.size()) return;
  }
}

const double* pointer_to(const std::vector<double>& numbers) {
  return numbers.empty() ? nullptr : numbers.data();
}

}  // namespace

ListedBatch::Example& ListedBatch::add_example(std::vector<std::int32_t> states) {
  Example example;
  example.variable_from = truths.size();
  example.unary_from = unary.size();
  for (const std::int32_t count : states) {
    truths.push_back(0);
    unary.resize(unary.size() + static_cast<std::size_t>(count));
  }
  example.states = std::move(states);
  examples.push_back(std::move(example));
  return examples.back();
}

void ListedBatch::add_factor(std::vector<std::int32_t> scope, std::int32_t shared_table) {
  Example& example = examples.back();
  Factor factor{std::move(scope), shared_table >= 0, tables.size()};
  if (factor.is_shared) {
    factor.first = 0;
    for (std::int32_t k = 0; k < shared_table; ++k) {
      factor.first += static_cast<std::size_t>(shared_sizes[static_cast<std::size_t>(k)]);
    }
  } else {
    std::size_t cells = 1;
    for (const std::int32_t v : factor.scope) {
      cells *= static_cast<std::size_t>(example.states[static_cast<std::size_t>(v)]);
    }
    tables.resize(tables.size() + cells);
  }
  example.factors.push_back(std::move(factor));
}

void ListedBatch::draw(std::uint32_t seed, double unknown) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::size_t shared_cells = 0;
  for (const std::int64_t cells : shared_sizes) shared_cells += static_cast<std::size_t>(cells);
  shared.resize(shared_cells);
  for (std::vector<double>* const scores : {&unary, &tables, &shared}) {
    for (double& score : *scores) score = normal(random);
  }
  for (const Example& example : examples) {
    for (std::size_t v = 0; v < example.states.size(); ++v) {
      const bool is_known = std::uniform_real_distribution<double>()(random) >= unknown;
      truths[example.variable_from + v] =
          is_known
              ? static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(example.states[v]))
              : -1;
    }
  }
}

double ListedBatch::score(const Example& example, const std::vector<std::int32_t>& y) const {
  double sum = 0;
  std::size_t cell = example.unary_from;
  for (std::size_t v = 0; v < y.size(); ++v) {
    sum += unary[cell + static_cast<std::size_t>(y[v])];
    cell += static_cast<std::size_t>(example.states[v]);
  }
  for (const Factor& factor : example.factors) {
    sum += (factor.is_shared ? shared : tables)[cell_of(example, factor, y)];
  }
  return sum;
}

double ListedBatch::delta(const Example& example, const std::vector<std::int32_t>& y) const {
  double sum = 0;
  for (std::size_t v = 0; v < y.size(); ++v) {
    const std::int32_t truth = truths[example.variable_from + v];
    if (truth < 0 || truth == y[v]) continue;
    const double weight =
        variable_weights.empty() ? 1 : variable_weights[example.variable_from + v];
    const double cost =
        costs.empty() ? 1 : costs[static_cast<std::size_t>(truth * cost_count + y[v])];
    sum += weight * cost;
  }
  return sum;
}

bool ListedBatch::agrees(const Example& example, const std::vector<std::int32_t>& y) const {
  for (std::size_t v = 0; v < y.size(); ++v) {
    const std::int32_t truth = truths[example.variable_from + v];
    if (truth >= 0 && truth != y[v]) return false;
  }
  return true;
}

std::vector<double> ListedBatch::values(int kind) const {
  const bool has_delta = kind == SCULPT_BATCH_HINGE || kind == SCULPT_BATCH_SOFTMAX_MARGIN;
  const bool sums =
      kind == SCULPT_BATCH_LOG_LOSS || kind == SCULPT_BATCH_SOFTMAX_MARGIN || kind == log_z;
  const bool is_loss = kind != best && kind != log_z;
  std::vector<double> values;
  for (const Example& example : examples) {
    double maximum = -std::numeric_limits<double>::infinity();
    double agreeing_maximum = maximum;
    double sum = 0;
    double agreeing_sum = 0;
    each_output(example.states, [&](const std::vector<std::int32_t>& y) {
      const bool agrees = this->agrees(example, y);
      if (!is_loss && !agrees) return;
      const double plain = score(example, y);
      const double with_delta = plain + (has_delta ? delta(example, y) : 0);
      maximum = std::max(maximum, with_delta);
      sum += std::exp(with_delta);
      if (!agrees) return;
      agreeing_maximum = std::max(agreeing_maximum, plain);
      agreeing_sum += std::exp(plain);
    });
    const double reference = !is_loss ? 0 : sums ? std::log(agreeing_sum) : agreeing_maximum;
    values.push_back((sums ? std::log(sum) : maximum) - reference);
  }
  return values;
}

OpenGraphs::OpenGraphs(const ListedBatch& batch) {
  std::vector<std::int64_t> variable_from{0};
  std::vector<std::int64_t> factor_from{0};
  std::vector<std::int64_t> scope_from{0};
  std::vector<std::int32_t> states;
  std::vector<std::int32_t> scope;
  std::vector<std::int32_t> shared_table;
  for (const ListedBatch::Example& example : batch.examples) {
    states.insert(states.end(), example.states.begin(), example.states.end());
    variable_from.push_back(static_cast<std::int64_t>(states.size()));
    for (const ListedBatch::Factor& factor : example.factors) {
      scope.insert(scope.end(), factor.scope.begin(), factor.scope.end());
      scope_from.push_back(static_cast<std::int64_t>(scope.size()));
      std::int32_t table = -1;
      std::int64_t before = 0;
      for (std::size_t k = 0; factor.is_shared && k < batch.shared_sizes.size(); ++k) {
        if (before == static_cast<std::int64_t>(factor.first)) table = static_cast<std::int32_t>(k);
        before += batch.shared_sizes[k];
      }
      shared_table.push_back(table);
    }
    factor_from.push_back(static_cast<std::int64_t>(shared_table.size()));
  }
  sculpt_batch_graph_arrays arrays = {};
  arrays.struct_size = sizeof arrays;
  arrays.example_count = static_cast<std::int64_t>(batch.examples.size());
  arrays.variable_from = variable_from.data();
  arrays.states = states.data();
  arrays.factor_from = factor_from.data();
  arrays.scope_from = scope_from.data();
  arrays.scope = scope.data();
  arrays.shared_table = shared_table.data();
  arrays.shared_count = static_cast<std::int64_t>(batch.shared_sizes.size());
  arrays.shared_sizes = batch.shared_sizes.data();
  sculpt_failure* failure = nullptr;
  const sculpt_exit exit = sculpt_batch_graphs_open(&arrays, &graphs_, &failure);
  require_success(exit, failure);
}

OpenGraphs::OpenGraphs(const std::vector<std::int64_t>& lengths, std::int32_t labels,
                       std::int32_t tables) {
  sculpt_failure* failure = nullptr;
  const sculpt_exit exit = sculpt_batch_chains(static_cast<std::int64_t>(lengths.size()),
                                               lengths.data(), labels, tables, &graphs_, &failure);
  require_success(exit, failure);
}

sculpt_batch_layout OpenGraphs::layout() const {
  sculpt_batch_layout layout = {};
  layout.struct_size = sizeof layout;
  sculpt_failure* failure = nullptr;
  const sculpt_exit exit = sculpt_batch_graphs_layout(graphs_, &layout, &failure);
  require_success(exit, failure);
  return layout;
}

OpenBatch::OpenBatch(const std::string& map_solver, int threads, const std::string& parameters) {
  sculpt_batch_options options = {};
  options.struct_size = sizeof options;
  options.threads = threads;
  options.map_solver = map_solver.c_str();
  options.parameters = parameters.c_str();
  const char* const folder = SCULPT_PLUGIN_FOLDER;
  options.plugin_path = &folder;
  options.plugin_path_count = 1;
  sculpt_failure* failure = nullptr;
  const sculpt_exit exit = sculpt_batch_open(&options, &batch_, &failure);
  require_success(exit, failure);
}

sculpt_batch_input input_of(const ListedBatch& batch) {
  sculpt_batch_input input = {};
  input.struct_size = sizeof input;
  input.cost_count = batch.cost_count;
  input.unary = pointer_to(batch.unary);
  input.tables = pointer_to(batch.tables);
  input.shared = pointer_to(batch.shared);
  input.unary_size = static_cast<std::int64_t>(batch.unary.size());
  input.tables_size = static_cast<std::int64_t>(batch.tables.size());
  input.shared_size = static_cast<std::int64_t>(batch.shared.size());
  input.truths = batch.truths.data();
  input.truth_size = static_cast<std::int64_t>(batch.truths.size());
  input.variable_weights = pointer_to(batch.variable_weights);
  input.costs = pointer_to(batch.costs);
  input.example_weights = pointer_to(batch.example_weights);
  return input;
}

Computed OpenBatch::compute(int kind, const OpenGraphs& graphs, const ListedBatch& batch) {
  const sculpt_batch_input input = input_of(batch);
  Computed out;
  out.values.resize(batch.examples.size(), -1);
  out.upper_bounds.resize(batch.examples.size(), -1);
  out.exact.resize(batch.examples.size(), -1);
  out.unary.resize(batch.unary.size(), -1);
  out.tables.resize(batch.tables.size(), -1);
  out.shared.resize(batch.shared.size(), -1);
  out.outputs.resize(batch.truths.size(), -2);
  sculpt_batch_output output = {};
  output.struct_size = sizeof output;
  output.values = out.values.data();
  output.unary = out.unary.data();
  output.tables = out.tables.data();
  output.shared = out.shared.data();
  output.outputs = out.outputs.data();
  output.exact = out.exact.data();
  output.upper_bounds = out.upper_bounds.data();
  sculpt_failure* failure = nullptr;
  const sculpt_exit exit =
      kind == ListedBatch::best
          ? sculpt_batch_decode(batch_, graphs.get(), &input, &output, &failure)
      : kind == ListedBatch::log_z
          ? sculpt_batch_marginals(batch_, graphs.get(), &input, &output, &failure)
          : sculpt_batch_loss(batch_, graphs.get(), kind, &input, &output, &failure);
  require_success(exit, failure);
  return out;
}

void require_success(sculpt_exit exit, sculpt_failure* failure) {
  if (exit == SCULPT_EXIT_REACHED) return;
  Failure thrown(static_cast<Exit>(exit), sculpt_failure_text(failure));
  thrown.set_faulty_example(sculpt_failure_example(failure));
  sculpt_failure_free(failure);
  throw Failure(thrown);
}

ListedBatch listed_chains(const std::vector<std::int64_t>& lengths, std::int32_t labels,
                          bool share_table) {
  ListedBatch batch;
  if (share_table) batch.shared_sizes = {std::int64_t{labels} * labels};
  for (const std::int64_t length : lengths) {
    batch.add_example(std::vector<std::int32_t>(static_cast<std::size_t>(length), labels));
    for (std::int32_t v = 1; v < length; ++v) batch.add_factor({v - 1, v}, share_table ? 0 : -1);
  }
  return batch;
}

ListedBatch listed_graphs(std::uint32_t seed) {
  ListedBatch batch;
  batch.shared_sizes = {9, 3, 6};
  batch.add_example({3, 3, 2, 3});
  batch.add_factor({0, 1}, 0);
  batch.add_factor({1, 0});
  batch.add_factor({3, 1, 2});
  batch.add_factor({3, 0}, 0);
  batch.add_factor({1}, 1);
  batch.add_factor({2});
  batch.add_example({2, 3, 3});
  batch.add_factor({0, 1}, 2);
  batch.add_factor({1, 2}, 0);
  batch.add_factor({2, 0});
  batch.add_example({2});
  batch.add_example({2, 3, 3});
  batch.add_factor({0, 1}, 2);
  batch.add_factor({1, 2}, 0);
  batch.add_factor({2, 0});
  batch.draw(seed);
  return batch;
}

ListedBatch attractive_grids(std::uint32_t seed) {
  ListedBatch batch;
  for (const std::int32_t rows : {1, 2, 3}) {
    constexpr std::int32_t columns = 3;
    batch.add_example(std::vector<std::int32_t>(static_cast<std::size_t>(rows * columns), 2));
    for (std::int32_t v = 0; v < rows * columns; ++v) {
      if (v % columns + 1 < columns) batch.add_factor({v, v + 1});
      if (v + columns < rows * columns) batch.add_factor({v, v + columns});
    }
  }
  batch.draw(seed);
  for (std::size_t first = 0; first < batch.tables.size(); first += 4) {
    double* const p = batch.tables.data() + first;
    const double missing = p[1] + p[2] - p[0] - p[3];
    if (missing > 0) p[0] += missing + 0.1;
  }
  return batch;
}

}  // namespace sculpt::core
