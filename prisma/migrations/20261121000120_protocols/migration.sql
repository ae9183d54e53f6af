-- TCP and UDP on the same port are two backends and two mappings.
ALTER TABLE "backend" ADD COLUMN "protocol" TEXT NOT NULL DEFAULT 'tcp';
ALTER TABLE "backend" ALTER COLUMN "protocol" DROP DEFAULT;
DROP INDEX "backend_load_balancer_id_address_port_key";
CREATE UNIQUE INDEX "backend_load_balancer_id_protocol_address_port_key" ON "backend"("load_balancer_id", "protocol", "address", "port");

ALTER TABLE "address_mapping" ADD COLUMN "protocol" TEXT NOT NULL DEFAULT 'tcp';
ALTER TABLE "address_mapping" ALTER COLUMN "protocol" DROP DEFAULT;
DROP INDEX "address_mapping_exposure_id_internal_address_internal_port_key";
CREATE UNIQUE INDEX "address_mapping_exposure_id_protocol_internal_address_inter_key" ON "address_mapping"("exposure_id", "protocol", "internal_address", "internal_port");

-- For what is read, seen again and deleted with its balancer.
CREATE INDEX "address_mapping_load_balancer_id_idx" ON "address_mapping"("load_balancer_id");
