-- Counted entries: refusals of one kind within a minute.
ALTER TABLE "audit_entry" ADD COLUMN "count_key" TEXT;
CREATE UNIQUE INDEX "audit_entry_count_key_key" ON "audit_entry"("count_key");
