// output_view.hpp - shows the truth and the guess of an example as what they are: a tree, a
// picture, an alignment, a ranking, tags, pairs of brackets, a set, or text.
//
// Datasets give outputs as text (sculpt/ext/label_text.h) and do not say what they are. So the
// shape of the text decides: each view looks at both outputs, and the first one that fits shows
// them. Called by examples_section.cpp.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "report/markup/markup.hpp"
#include "report/record/run_content.hpp"

namespace sculpt::core {

// The colour of each label so far, so that it is the same in all examples.
using LabelColours = std::map<std::string, std::size_t>;

// `id`: of the page, unique. `colours`: new labels are added. Requires that the truth or the guess
// is known.
void write_outputs(Markup& out, const std::string& id, const ExampleRecord& example,
                   LabelColours& colours);

// The views. Each returns false, and appends nothing, if it does not fit.

// Bracketed trees: (S (NP the dog) (VP barks)).
bool write_trees(Markup& out, const std::string& id, const ExampleRecord& example);
// Pictures: lines with equally many labels, one for each pixel.
bool write_pictures(Markup& out, const std::string& id, const ExampleRecord& example);
// Two rows of equal length with gaps: AC-GT ACCGT.
bool write_alignments(Markup& out, const ExampleRecord& example);
// Pairs of brackets over a sequence: ((..)).
bool write_bracket_pairs(Markup& out, const std::string& id, const ExampleRecord& example);
// A rank on each line.
bool write_rankings(Markup& out, const ExampleRecord& example);
// A label for each position: words, or the characters of one word.
bool write_tags(Markup& out, const ExampleRecord& example, LabelColours& colours);
// Words or numbers with commas between them, or ascending labels.
bool write_sets(Markup& out, const ExampleRecord& example);

// Truth and guess as text, in a folded table: the data of a picture.
void write_output_texts(Markup& out, const std::string& title, const ExampleRecord& example);

}  // namespace sculpt::core
