-- When the shares of an exposure's clusters changed last: clusters share flows for a while.
ALTER TABLE "exposure" ADD COLUMN "shares_changed_at" TIMESTAMPTZ(3);
