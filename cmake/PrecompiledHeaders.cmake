# Headers of other libraries that most sources need, here and in apps/web/.
set(mmaspec_precompiled_headers
  <algorithm> <array> <chrono> <compare> <cstdint> <filesystem> <functional> <map> <memory> <optional> <random> <set>
  <span> <sstream> <stdexcept> <string> <string_view> <tuple> <unordered_map> <utility> <variant> <vector>
  <boost/multiprecision/cpp_int.hpp>)
