-- An exposure may span clusters: its load balancers in the others announce the address of its own.
ALTER TABLE "exposure" ADD COLUMN "placements" JSONB NOT NULL DEFAULT '[]';
UPDATE "exposure" SET "paused_spec" = "paused_spec" || '{"placements": []}' WHERE "paused_spec" IS NOT NULL;
ALTER TABLE "load_balancer" ADD COLUMN "address_of_id" TEXT;
ALTER TABLE "load_balancer" ADD CONSTRAINT "load_balancer_address_of_id_fkey" FOREIGN KEY ("address_of_id") REFERENCES "load_balancer"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "load_balancer_address_of_id_idx" ON "load_balancer"("address_of_id");
