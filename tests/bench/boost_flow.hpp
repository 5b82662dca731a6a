// boost_flow.hpp - maximum flow by Boost.Graph (Boykov & Kolmogorov), for comparisons.
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <cstddef>

namespace sculpt::bench {

class BoostFlow {
 public:
  explicit BoostFlow(std::size_t nodes) : network_(nodes) {}

  // Adds an edge and its reverse edge.
  void add_edge(std::size_t from, std::size_t to, double capacity, double reverse_capacity) {
    const auto edge = boost::add_edge(from, to, network_).first;
    const auto reverse = boost::add_edge(to, from, network_).first;
    network_[edge] = {capacity, 0, reverse};
    network_[reverse] = {reverse_capacity, 0, edge};
  }

  double max_flow(std::size_t source, std::size_t sink) {
    return boost::boykov_kolmogorov_max_flow(
        network_, boost::get(&Edge::capacity, network_), boost::get(&Edge::residual, network_),
        boost::get(&Edge::reverse, network_), boost::get(&Node::predecessor, network_),
        boost::get(&Node::color, network_), boost::get(&Node::distance, network_),
        boost::get(boost::vertex_index, network_), source, sink);
  }

 private:
  using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
  struct Edge {
    double capacity = 0;
    double residual = 0;
    Traits::edge_descriptor reverse;
  };
  struct Node {
    boost::default_color_type color;
    Traits::edge_descriptor predecessor;
    double distance;
  };
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, Node, Edge> network_;
};

}  // namespace sculpt::bench
