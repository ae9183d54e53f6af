-- A person's change goes before what comes due by itself, and what rests stands in nobody's way.
ALTER TABLE "reconcile_task" ADD COLUMN "urgent" BOOLEAN NOT NULL DEFAULT false;

DROP INDEX "reconcile_task_due_at_idx";
CREATE INDEX "reconcile_task_due" ON "reconcile_task"("due_at") WHERE NOT "resting";
CREATE INDEX "reconcile_task_urgent" ON "reconcile_task"("due_at") WHERE "urgent" AND NOT "resting";
