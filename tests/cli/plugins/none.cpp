// A shared object that is no plugin.
extern "C" int nothing() { return 0; }
