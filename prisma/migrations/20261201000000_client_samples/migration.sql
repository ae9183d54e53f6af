-- The client networks of a replica that sent the most in the last minute.
CREATE TABLE "client_sample" (
  "replica_id" TEXT NOT NULL PRIMARY KEY REFERENCES "replica"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "agent_id" TEXT NOT NULL,
  "sampled_at" TIMESTAMPTZ(3) NOT NULL,
  "seconds" INTEGER NOT NULL,
  "one_in" INTEGER NOT NULL,
  "problem" TEXT NOT NULL DEFAULT '',
  "networks" JSONB NOT NULL,
  "other_bps" DOUBLE PRECISION NOT NULL
);
