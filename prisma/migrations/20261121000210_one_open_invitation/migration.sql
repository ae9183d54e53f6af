-- Of several open invitations for one address the newest stays.
DELETE FROM "invitation" older USING "invitation" newer
WHERE older.organization_id = newer.organization_id AND older.email = newer.email
  AND older.accepted_at IS NULL AND newer.accepted_at IS NULL AND (older.created_at, older.id) < (newer.created_at, newer.id);

CREATE UNIQUE INDEX "invitation_open" ON "invitation"("organization_id", "email") WHERE "accepted_at" IS NULL;
