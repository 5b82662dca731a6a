// label_edges.hpp - which pairs of labels have pair weights: all, a tree learned from the data, or
// a list.
//
// Called by the features multilabel. Edges are flat: u_0, v_0, u_1, v_1, ... with u < v, labels
// counted from 0; in texts they count from 1, as in the data.
#pragma once

#include <sculpt/cpp/site_input.hpp>
#include <sculpt/sculpt.hpp>

#include <cstdint>
#include <string>
#include <vector>

using LabelEdges = std::vector<std::int32_t>;

// All K (K - 1) / 2, in the order (0, 1), (0, 2), ..., (1, 2), ...
LabelEdges full_label_edges(std::int64_t labels);

// A maximum spanning tree of the mutual information of pairs of labels over the whole truths of the
// split "train" (Chow & Liu, IEEE Transactions on Information Theory 14, 1968), grown from label 0
// (Prim, Bell System Technical Journal 36, 1957). Of edges with equal information the smaller pair
// comes first. Sorted. Requires a label. Memory: the labels that are on, and O(K); time: K^2 / 2
// pairs. Throws E_CANCELLED when the host asks to stop.
LabelEdges tree_of_labels(const sculpt::SiteInput& input, std::int64_t labels,
                          const sculpt::Host& host);

// The edges that "1-2", "1-3", ... name, in their order. Throws parameter_error for what is no
// edge, self-loops and repeats, and names the edge.
LabelEdges listed_label_edges(const std::vector<std::string>& list);

// "1-3"
std::string edge_text(const LabelEdges& edges, std::size_t edge);
