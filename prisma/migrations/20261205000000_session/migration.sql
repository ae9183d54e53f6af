-- The strategy session: connections are placed by TLS session.
CREATE TABLE "session_key" (
  "cluster_id" TEXT NOT NULL REFERENCES "cluster"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "epoch" INTEGER NOT NULL,
  "sealed" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY ("cluster_id", "epoch")
);

CREATE TABLE "session_number" (
  "exposure_id" TEXT NOT NULL REFERENCES "exposure"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "instance" TEXT NOT NULL,
  "number" INTEGER NOT NULL CONSTRAINT "session_number_number_check" CHECK ("number" BETWEEN 1 AND 127),
  "released_at" TIMESTAMPTZ(3),
  PRIMARY KEY ("exposure_id", "instance")
);

CREATE TABLE "replica_session" (
  "replica_id" TEXT NOT NULL PRIMARY KEY REFERENCES "replica"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "problem" TEXT NOT NULL DEFAULT '',
  "address" TEXT NOT NULL DEFAULT '',
  "observed_at" TIMESTAMPTZ(3) NOT NULL
);

CREATE TABLE "backend_session" (
  "backend_id" TEXT NOT NULL REFERENCES "backend"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "replica_id" TEXT NOT NULL REFERENCES "replica"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "takes" BOOLEAN NOT NULL,
  "kind" TEXT NOT NULL DEFAULT 'unknown' CONSTRAINT "backend_session_kind_check" CHECK ("kind" IN ('unknown', 'stable', 'random', 'none', 'failed')),
  "message" TEXT NOT NULL DEFAULT '',
  "names" JSONB NOT NULL DEFAULT '[]',
  "observed_at" TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY ("backend_id", "replica_id")
);
CREATE INDEX "backend_session_replica_id_idx" ON "backend_session"("replica_id");

CREATE TABLE "backend_server_status" (
  "backend_id" TEXT NOT NULL PRIMARY KEY REFERENCES "backend"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "agent_id" TEXT NOT NULL REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "ready" BOOLEAN NOT NULL,
  "message" TEXT NOT NULL DEFAULT '',
  "companion" TEXT NOT NULL DEFAULT '',
  "observed_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX "backend_server_status_agent_id_idx" ON "backend_server_status"("agent_id");

CREATE TABLE "backend_role_status" (
  "agent_id" TEXT NOT NULL PRIMARY KEY REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "problem" TEXT NOT NULL DEFAULT '',
  "observed_at" TIMESTAMPTZ(3) NOT NULL
);
