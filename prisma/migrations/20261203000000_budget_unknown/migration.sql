-- A budget without any known cost is neither within its amount nor over it. The reason is shown with it.
ALTER TABLE "budget_status" DROP CONSTRAINT "budget_status_state_check";
ALTER TABLE "budget_status" ADD CONSTRAINT "budget_status_state_check" CHECK ("state" IN ('within', 'forecast-over', 'over', 'unknown'));
ALTER TABLE "budget_status" ADD COLUMN "reason" TEXT NOT NULL DEFAULT '';
