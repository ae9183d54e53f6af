-- What went out to clients, where that passes the balancer, and both ways together, where its provider counts them so.
ALTER TABLE "usage_hour"
  ADD COLUMN "bytes_out" DOUBLE PRECISION,
  ADD COLUMN "bytes_both" DOUBLE PRECISION,
  ADD COLUMN "peak_both_bps" DOUBLE PRECISION;
