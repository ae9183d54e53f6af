-- Where a node's agent returns the datagrams by which other nodes of its cluster measure round trips. ring orders the nodes of a
-- cluster: each measures its neighbours.
CREATE TABLE "node_echo" (
  "node_id" TEXT NOT NULL PRIMARY KEY,
  "agent_id" TEXT NOT NULL REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "cluster_id" TEXT NOT NULL,
  "ring" TEXT NOT NULL,
  "address" TEXT NOT NULL
);
CREATE INDEX "node_echo_agent_id_idx" ON "node_echo"("agent_id");
CREATE UNIQUE INDEX "node_echo_cluster_id_ring_key" ON "node_echo"("cluster_id", "ring");
