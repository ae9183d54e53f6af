-- Backends whose network interface drops replies from the service address.
CREATE TABLE "source_check" (
    "backend_id" TEXT NOT NULL,
    "interface_id" TEXT NOT NULL,
    "observed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "source_check_pkey" PRIMARY KEY ("backend_id")
);
ALTER TABLE "source_check" ADD CONSTRAINT "source_check_backend_id_fkey" FOREIGN KEY ("backend_id") REFERENCES "backend"("id") ON DELETE CASCADE ON UPDATE CASCADE;
