import { inTransaction } from "@fairlead/db";
import { hoursToRecount, type RecountUsage, startOfHour, type UsageRecount } from "@fairlead/domain/cost";
import type { ServiceContext } from "../context.ts";
import { authorizeInstallation } from "../control/authorize-installation.ts";
import { recordChange } from "../control/record-change.ts";
import { requestUsageOf } from "./meter-due.sql.ts";

/** recountUsage recalculates hours from the series, for all balancers, and changes only what was wrong. */
export async function recountUsage(ctx: ServiceContext, input: RecountUsage): Promise<UsageRecount> {
  await authorizeInstallation(
    ctx,
    "usage:write",
    "Hours are metered for all organisations together, so only members of the one that set Fairlead up can recalculate them.",
  );
  const { organizationId } = ctx;
  const hours = hoursToRecount(input, ctx.now);
  const span = { from: startOfHour(hours.from), to: startOfHour(hours.to) };
  await inTransaction(ctx.db, async (tx) => {
    await requestUsageOf(tx, hours, ctx.now);
    const { name } = await tx.organization.findUniqueOrThrow({ where: { id: organizationId } });
    await recordChange(tx, ctx, {
      ...{ action: "usage.recount", subjectKind: "organization", subjectId: organizationId, subjectName: name },
      ...{ clusterId: null, before: null, after: span },
    });
  });
  return { ...span, hours: hours.to - hours.from };
}
