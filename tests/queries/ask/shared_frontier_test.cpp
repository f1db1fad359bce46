// The nodes that represent the common part of two expressions: all of it, and nothing twice.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "queries/ask/dot_question.h"
#include "spec/lang/int.h"

namespace mmaspec::shared_frontier_test {
namespace {

using testing::UnorderedElementsAre;

TEST(SharedFrontier, LooksThroughNegations) {
  Graph graph;
  const Graph::Building building(graph);
  const Int x = input("x", 4);
  const Bool small = x < 5;
  const Int first = select(small, x + 1, 7);
  const Int second = select(!small, x + 1, 9);
  EXPECT_THAT(shared_frontier(graph, first.id(), second.id()),
              UnorderedElementsAre(small.id(), (x + 1).id()));
}

TEST(SharedFrontier, OmitsConjunctionsOfItsMembers) {
  Graph graph;
  const Graph::Building building(graph);
  const Int x = input("x", 4);
  const Bool p = x < 5;
  const Bool q = input("y", 4) < 7;
  const Bool r = input("z", 1) == 1;
  // The second expression's conjunction has the members of the first one's.
  const Bool both = p && q;
  const Int first = select(both, 3, 7);
  const Int second = select(both, select(both && r, 4, 5), 9);
  const std::vector<NodeId> frontier = shared_frontier(graph, first.id(), second.id());
  EXPECT_THAT(frontier, UnorderedElementsAre(p.id(), q.id()));
  // Without others, the conjunction represents its members.
  const Int other = select(both, 4, 8);
  EXPECT_THAT(shared_frontier(graph, first.id(), other.id()), UnorderedElementsAre(both.id()));
}

}  // namespace
}  // namespace mmaspec::shared_frontier_test
