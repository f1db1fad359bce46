// A plugin of an unknown version.
extern "C" const char* mmaspec_plugin() { return "mmaspec-plugin 999\nalgorithm x\n"; }
