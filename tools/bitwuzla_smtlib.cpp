// A program around Bitwuzla's library: reads SMT-LIB 2 on standard input and answers on standard
// output.
//
// It is a separate program because Bitwuzla's library and cvc5's may link different versions of
// CaDiCaL, whose symbols would clash in one process.

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
