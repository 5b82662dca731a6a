#include "dual_ascent.hpp"

void DualAscent::begin(const LocalPolytope& polytope, const std::vector<double>& unaries,
                       const std::vector<double>& messages) {
  polytope_ = &polytope;
  unaries_ = unaries;
  messages_ = messages;
  messages_.resize(polytope.message_count(), 0.0);
  for (const LocalPolytope::Table& table : polytope.tables()) {
    for (const LocalPolytope::Edge& edge : polytope.edges(table)) {
      double* const unary = unaries_.data() + polytope.unaries_from(edge.variable);
      for (std::size_t k = 0; k < edge.slices.states; ++k) {
        unary[k] += messages_[edge.messages_from + k];
      }
    }
  }
}

// After a pass the largest cell of every table is 0, so the variables alone give the bound.
double DualAscent::sweep() {
  for (const LocalPolytope::Table& table : polytope_->tables()) update(table);
  double bound = polytope_->constant();
  for (std::size_t v = 0; v < polytope_->variable_count(); ++v) {
    bound += *std::max_element(unary(v), unary(v) + polytope_->states(v));
  }
  return bound;
}

// The step of the header comment: takes back the messages of a table, and sends new ones.
void DualAscent::update(const LocalPolytope::Table& table) {
  const double* const cells = polytope_->scores().data() + table.cells_from;
  scratch_.assign(cells, cells + table.cell_count);
  for (const LocalPolytope::Edge& edge : polytope_->edges(table)) {
    double* const unary = unaries_.data() + polytope_->unaries_from(edge.variable);
    const double* const message = messages_.data() + edge.messages_from;
    for (std::size_t k = 0; k < edge.slices.states; ++k) unary[k] -= message[k];
    edge.slices.add(unary, 1, scratch_.data());
  }
  const double share = 1 / static_cast<double>(table.scope_size);
  for (const LocalPolytope::Edge& edge : polytope_->edges(table)) {
    double* const unary = unaries_.data() + polytope_->unaries_from(edge.variable);
    double* const message = messages_.data() + edge.messages_from;
    largest_.resize(edge.slices.states);
    edge.slices.maximize(scratch_.data(), largest_.data());
    for (std::size_t k = 0; k < edge.slices.states; ++k) {
      message[k] = share * largest_[k] - unary[k];
      unary[k] += message[k];
    }
  }
}

void DualAscent::decode(std::span<std::int32_t> y) const {
  for (std::size_t v = 0; v < y.size(); ++v) {
    const double* const states = unary(v);
    y[v] =
        static_cast<std::int32_t>(std::max_element(states, states + polytope_->states(v)) - states);
  }
}
