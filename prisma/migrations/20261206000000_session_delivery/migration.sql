-- When an instance of an exposure last took connections by TLS session: their delivery must not change with each report.
CREATE TABLE "exposure_session" (
  "exposure_id" TEXT NOT NULL PRIMARY KEY REFERENCES "exposure"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "taken_at" TIMESTAMPTZ(3)
);

INSERT INTO "exposure_session" ("exposure_id", "taken_at")
SELECT e.id, CASE WHEN EXISTS (
  SELECT 1 FROM load_balancer l JOIN backend b ON b.load_balancer_id = l.id JOIN backend_server_status h ON h.backend_id = b.id
  WHERE l.exposure_id = e.id AND h.ready
) THEN now() END FROM exposure e WHERE e.strategy = 'session';
