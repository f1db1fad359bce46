// The only function of the module: takes a request as JSON and returns its reply as JSON.

#include <emscripten/bind.h>

#include <stdexcept>

#include "apps/web/engine/requests.h"
#include "queries/ask/question.h"

namespace mmaspec::web {
namespace {

std::unique_ptr<Session>& current() {
  static std::unique_ptr<Session> session;
  return session;
}

using Answerer = Json (*)(const Json&);
const std::map<std::string, Answerer>& answerers() {
  static const std::map<std::string, Answerer> all{
      {"catalogue", catalogue},           {"describe", describe}, {"evaluate", evaluate},
      {"difference", begin_difference},   {"simplify", simplify}, {"property", begin_property},
      {"check-property", check_property}, {"go-on", go_on},       {"identify", identify},
      {"random-rows", random_rows},       {"measure", measure},   {"check-fields", check_fields},
      {"explain", explain_rows},
  };
  return all;
}

std::string call(const std::string& name, const std::string& request) {
  Json reply;
  try {
    const auto answerer = answerers().find(name);
    if (answerer == answerers().end()) throw std::logic_error("unknown request: " + name);
    reply = answerer->second(Json::parse(request));
  } catch (const std::invalid_argument& error) {
    reply = {{"error", error.what()}};
  } catch (const Contradiction& error) {
    reply = {{"error", std::string("an internal contradiction: ") + error.what()}};
  } catch (const std::bad_alloc&) {
    reply = {{"error", "this needs more memory than a page can use; use the command line"}};
  } catch (const std::exception& error) {
    reply = {{"error", std::string("an internal error: ") + error.what()}};
  }
  return reply.dump(-1, Json::Invalid::replace);
}

}  // namespace

void begin(std::unique_ptr<Session> session) { current() = std::move(session); }

Json go_on(const Json& request) {
  if (!current()) throw std::logic_error("no search was started");
  return current()->go_on(request.at("work").get<std::size_t>());
}

}  // namespace mmaspec::web

EMSCRIPTEN_BINDINGS(engine) { emscripten::function("call", &mmaspec::web::call); }
