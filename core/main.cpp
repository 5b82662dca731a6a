// The program sculpt.

#include <sculpt/host/program.h>

int main(int word_count, char** words) {
  return sculpt_main(word_count, words);
}
