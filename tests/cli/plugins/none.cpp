// A shared object that is not a plugin.
extern "C" int nothing() { return 0; }
