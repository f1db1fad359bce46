// A plugin whose text is truncated.
extern "C" const char* mmaspec_plugin() {
  return "mmaspec-plugin 1\nalgorithm x\nformats f16 f16 f32 f32 1\nnodes 2 0\ninput 32 c\n";
}
