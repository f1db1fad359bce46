// A plugin of a version that there is not.
extern "C" const char* mmaspec_plugin() { return "mmaspec-plugin 999\nalgorithm x\n"; }
