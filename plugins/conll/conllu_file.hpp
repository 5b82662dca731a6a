// conllu_file.hpp - reads CoNLL-U: ten columns with tabs between them, comments, ranges of tokens.
//
// Source: universaldependencies.org/format. Called by the dataset conll. Messages begin with
// path:line:column.
#pragma once

#include "conll_file.hpp"

// "id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc".
const std::vector<std::string>& conllu_columns();

// The values of a row are all its columns, also the label, which is in `label_column`. The file is
// unlabelled if all labels are "_". Ranges ("3-4"), empty nodes ("5.1") and comments are only
// kept as lines.
// Throws E_DATA.
ConllFile read_conllu_file(sculpt::LineReader& reader, std::size_t label_column);
