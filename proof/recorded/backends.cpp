#include "proof/recorded/backends.h"

#include <fcntl.h>
#include <unistd.h>

#include <stdexcept>

#include "proof/recorded/bit_blaster.h"
#include "proof/recorded/cadical.h"
#include "util/file.h"
#include "util/sha256.h"

namespace mmaspec {
namespace {

Answer unsatisfiable(const std::string& number) {
  return {Verdict::unsatisfiable, {}, "", 0, "query " + number};
}
Answer unknown(const std::string& why) { return {Verdict::unknown, {}, "", 0, why}; }

class Maker final : public Backend {
 public:
  explicit Maker(std::string folder) : folder_(std::move(folder)) {
    if (cadical_program().empty()) throw std::invalid_argument("cadical is not in PATH");
  }
  std::string name() const override { return "cadical"; }
  /// It is the only backend, so the whole formula comes before the attempts of strategies.
  bool leads() const override { return true; }

  Answer solve(const Query& query) const override {
    const Cnf cnf = bit_blast(query);
    const std::string clauses = dimacs_of(query, cnf);
    const std::string number = short_digest(sha256(clauses));
    const std::string file = folder_ + "/" + number;
    const CheckedProof proof =
        prove_unsatisfiable(cnf, clauses, file + "." + std::to_string(getpid()));
    if (proof.lrat.empty()) return unknown(proof.why);
    write_file(file + ".smt2", to_smtlib(query, false));
    write_file(file + ".cnf", clauses);
    write_file(file + ".lrat", proof.lrat);
    return unsatisfiable(number);
  }

 private:
  std::string folder_;
};

class Reader final : public Backend {
 public:
  Reader(ProvedQueries queries, std::string log)
      : queries_(std::move(queries)), log_(std::move(log)) {}
  std::string name() const override { return "certificate"; }

  Answer solve(const Query& query) const override {
    const std::string clauses = sha256(dimacs_of(query, bit_blast(query)));
    const auto known = queries_.find(clauses);
    if (known == queries_.end()) return unknown("has no proof in the certificate");
    if (sha256(to_smtlib(query, false)) != known->second) return unknown("is another text");
    note(short_digest(clauses) + "\n");
    return unsatisfiable(short_digest(clauses));
  }

 private:
  /// Appends in one write, which other processes' writes do not interleave.
  void note(const std::string& line) const {
    const int file = open(log_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    const bool written =
        file >= 0 && write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
    if (file >= 0) close(file);
    if (!written) throw std::runtime_error("cannot write " + log_);
  }

  ProvedQueries queries_;
  std::string log_;
};

}  // namespace

std::unique_ptr<Backend> proof_maker(const std::string& folder) {
  return std::make_unique<Maker>(folder);
}

std::string dimacs_of(const Query& query, const Cnf& cnf) {
  return "c SHA-256 of the text: " + sha256(to_smtlib(query, false)) + "\n" + to_dimacs(cnf);
}

std::unique_ptr<Backend> proof_reader(ProvedQueries queries, const std::string& log) {
  return std::make_unique<Reader>(std::move(queries), log);
}

}  // namespace mmaspec
