// Linked into every program of a build with AddressSanitizer: leaks of libraries that a program
// loads and that are not part of this project. CLN, which cvc5 may be built with, leaks a few bytes
// when it is loaded.

extern "C" const char* __lsan_default_suppressions();

extern "C" const char* __lsan_default_suppressions() { return "leak:libcln\n"; }
