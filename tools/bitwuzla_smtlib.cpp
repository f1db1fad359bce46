// Bitwuzla's library as a program: reads SMT-LIB 2 on standard input, answers on standard output.
//
// A program of its own, because the library and cvc5's may each bring another CaDiCaL, and in one
// process the names of one would stand for both.

#include <bitwuzla/cpp/bitwuzla.h>
#include <bitwuzla/cpp/parser.h>

#include <iostream>
#include <string>

int main(int argc, char** argv) {
  try {
    if (argc == 2 && std::string(argv[1]) == "--version") {
      std::cout << bitwuzla::version() << '\n';
      return 0;
    }
    bitwuzla::TermManager terms;
    bitwuzla::Options options;
    bitwuzla::parser::Parser(terms, options).parse("/dev/stdin");
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "bitwuzla: " << error.what() << '\n';
    return 1;
  }
}
