// graph_file.hpp - reads and checks the lines "graph NAME", "label index:value ..." and "edge a b
// [kind]" of a file.
//
// Called by the dataset graph. Messages begin with path:line:column.
#pragma once

#include <sculpt/cpp/sparse_rows.hpp>

#include <cstdint>
#include <string>
#include <vector>

// A word of the file and its place.
struct Word {
  std::string text;
  std::int64_t line = 0;   // from 1
  std::size_t column = 0;  // from 0
};

struct GraphEdge {
  std::int32_t from = 0;  // sites of the graph, from 0
  std::int32_t to = 0;
  Word kind;  // "edge" if the line has no kind
};

struct GraphText {
  std::int64_t line = 0;     // of its name, from 1
  std::vector<Word> labels;  // [sites]; the text is empty if the label is unknown
  std::vector<GraphEdge> edges;
};

struct GraphFile {
  std::vector<GraphText> graphs;
  sculpt::SparseRows entries;  // of all sites of all graphs
};

// Throws E_DATA for malformed files.
GraphFile read_graph_file(sculpt::LineReader& reader);
