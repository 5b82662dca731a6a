// foreign_words.hpp - what options and commands of other programs are called here.
//
// Called by command.cpp for words that they do not know. The programs are LIBSVM,
// LIBLINEAR, SVM-light and SVM-struct, CRFsuite, CRF++, and scikit-learn.
#pragma once

#include <string>
#include <string_view>

namespace sculpt::core {

// "C is --set solver.C=NUMBER", for -c, --C or --cost of train. "" if nothing is known. `option`:
// with its hyphens, perhaps with a value: "-c", "-c10", "--cost".
std::string foreign_option_hint(std::string_view command, std::string_view option);

// Where a word behind the others belongs, such as the output file of svm-predict. "" if nothing is
// known.
std::string extra_word_hint(std::string_view command);

// The command that does what "learn", "fit" or "tag" do elsewhere. "" if nothing is known.
std::string command_like(std::string_view word);

}  // namespace sculpt::core
