-- Somebody waits for each of these, for seconds: what a crash takes, nobody misses.
CREATE UNLOGGED TABLE "agent_question" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "agent_id" TEXT NOT NULL REFERENCES "agent" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "asked" JSONB NOT NULL,
  "asked_at" TIMESTAMPTZ(3) NOT NULL,
  "answer" JSONB
);
CREATE INDEX "agent_question_agent_id_idx" ON "agent_question" ("agent_id");
