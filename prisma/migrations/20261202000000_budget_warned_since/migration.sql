-- Since when the share of the amount at which a budget warns is spent.
ALTER TABLE "budget_status" ADD COLUMN "warned_since" TIMESTAMPTZ(3);
