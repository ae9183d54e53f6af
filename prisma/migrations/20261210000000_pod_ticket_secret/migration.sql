-- The Secrets of Kubernetes clusters from which pods read managed ticket keys.
CREATE TABLE "pod_ticket_secret" (
  "exposure_id" TEXT NOT NULL PRIMARY KEY REFERENCES "exposure"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "namespace" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "revision" INTEGER NOT NULL DEFAULT 0,
  "software" TEXT NOT NULL DEFAULT '',
  "folder" TEXT NOT NULL DEFAULT '',
  "problem" TEXT NOT NULL DEFAULT ''
);
