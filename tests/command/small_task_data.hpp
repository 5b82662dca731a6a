// small_task_data.hpp - a few examples for each task of `sculpt train --task`.
//
// Used by task_test.cpp and new_experiment_test.cpp.
#pragma once

#include <string>
#include <vector>

namespace sculpt::test {

struct SmallTask {
  std::string task;
  std::string dataset;  // that reads the text
  std::string text;
};

// At least one for each task, and one for each of its formats.
inline const std::vector<SmallTask>& small_tasks() {
  static const std::vector<SmallTask> all = {
      {"tagging", "conll", "the D\ncat N\n\na D\ndog N\nsleeps V\n\ncats N\nsleep V\n"},
      {"tagging", "conll", "the DT B\ncat NN I\n\na DT B\ndog NN I\n\nsleeps VB O\ncats NN B\n"},
      {"tagging", "conll", "U.N. NNP I-NP I-ORG\nsays VB I-VP O\n\nEU NNP I-NP I-ORG\n"},
      {"tagging", "conll",
       "# text = cats sleep\n1\tcats\tcat\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n"
       "2\tsleep\tsleep\tVERB\tVB\t_\t0\troot\t_\t_\n\n"
       "1\tdogs\tdog\tNOUN\tNNS\t_\t0\troot\t_\t_\n"},
      {"tagging", "crfsuite",
       "D\tw=the\t__BOS__\nN\tw=cat\tlast=the\n\nD\tw=a\t__BOS__\nN\tw=dog\tlast=a\n\nV\tw=go\n"},
      {"multiclass", "svmlight", "1 1:1 2:1\n2 1:-1\n3 2:-1\n1 1:2 2:1\n2 1:-2\n3 2:-2\n"},
      {"multiclass", "texts", "cat\tcar cat\ncat\tcart\nbat\tbar\nbat\tbat rat\n"},
      {"multilabel", "mlsvml", "1,2 1:1 2:1\n1 1:1\n2 2:1\n- 3:1\n1,2 1:2 2:1\n"},
      {"ranking", "svmrank",
       "2 qid:1 1:1\n1 qid:1 1:0.5\n0 qid:1 2:1\n1 qid:2 1:1 2:1\n0 qid:2 2:2\n"},
      {"set", "svmlight_set", "+1 1:1\n-1 2:1\n+1 1:1 2:0.5\n-1 2:2\n-1 2:1\n+1 1:2\n"},
      {"parsing", "trees",
       "(S (NP (D the) (N cat)) (V sleeps))\n(S (NP (N cats)) (VP (V see) (NP (N cats))))\n"},
      {"rna", "dot_bracket", ">one\nGGAACC\n((..))\n>two\nGCAAAGC\n((...))\n"},
      {"alignment", "pairs_fasta", ">a\nAC-GT\n>b\nACCGT\n\n>a\nACGT\n>b\nAC-T\n"},
      {"grid", "grid",
       "image one 2 2\n0.5 0.7\n-0.5 -1.5\n1 1\n0 0\nimage two 2 2\n1.5 -0.5\n0.5 -0.25\n1 0\n1 "
       "0\n"},
      {"grid", "grid", "image one 2 2\nxo\nxx\n0 1\n0 0\nimage two 2 2\noo\nxx\n1 1\n0 0\n"},
      {"graph", "graph",
       "graph one\na 1:1\nb 2:1\nedge 1 2\n\ngraph two\nb 2:1\na 1:1\nedge 1 2\n"},
      {"clustering", "item_pairs",
       "1 0 1 1 1:1\n1 0 2 -1 2:1\n1 1 2 -1 2:1\n2 0 1 1 1:1\n2 0 2 -1 2:1\n2 1 2 -1 2:2\n"},
      {"diversity", "topics",
       "topic a\ndocument 1 | s t | x x y\ndocument 2 | s | x z\ndocument 3 | u | z:2 v\n"
       "document 4 | s | x\ndocument 5 | t | y\ndocument 6 | u | v\n"}};
  return all;
}

}  // namespace sculpt::test
