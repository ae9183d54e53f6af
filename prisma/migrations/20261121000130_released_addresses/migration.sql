-- A balancer's former address stays taken until it is seen gone outside: given away sooner, two would answer at it.
ALTER TABLE "virtual_address" ALTER COLUMN "load_balancer_id" DROP NOT NULL;
ALTER TABLE "virtual_address" ADD COLUMN "released_by_id" TEXT;
ALTER TABLE "virtual_address" ADD CONSTRAINT "virtual_address_released_by_id_fkey" FOREIGN KEY ("released_by_id") REFERENCES "load_balancer"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "virtual_address" ADD CONSTRAINT "virtual_address_held_or_released" CHECK (num_nonnulls("load_balancer_id", "released_by_id") = 1);
CREATE INDEX "virtual_address_released_by_id_idx" ON "virtual_address"("released_by_id");
