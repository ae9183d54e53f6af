import {
  type ListUsage,
  requestedHours,
  startOfHour,
  type UsageAmounts,
  type UsageAnswer,
} from "@fairlead/domain/cost";
import { authorize, type ServiceContext } from "../context.ts";
import { checkMuch } from "./check-much.ts";
import { groupSubjects } from "./group-subjects.ts";
import { selectSubjects } from "./subjects.sql.ts";
import { sumUsage, type UsageRow } from "./sum-usage.sql.ts";

/** listUsage returns what load balancers used. What was not measured is reported as missing: it is in no sum. */
export async function listUsage(ctx: ServiceContext, input: ListUsage): Promise<UsageAnswer> {
  authorize(ctx, "exposure:read");
  authorize(ctx, "series:read");
  const { db, organizationId } = ctx;
  const hours = requestedHours(input, ctx.now);
  const subjects = await selectSubjects(db, organizationId, input, hours);
  checkMuch(subjects, hours);
  const organization = await db.organization.findUniqueOrThrow({ where: { id: organizationId } });
  const groups = groupSubjects(subjects, input.groupBy, organization);
  const sums = await sumUsage(
    db,
    groups.map((group) => group.subjects.map(({ id }) => id)),
    hours,
    "all",
  );
  const largest = groups
    .map((group, index) => ({ group, index, amounts: amountsOf(sums.get(index)?.[0]) }))
    .sort(
      (a, b) =>
        carriedBy(b.amounts) - carriedBy(a.amounts) ||
        b.amounts.balancerHours - a.amounts.balancerHours ||
        a.group.name.localeCompare(b.group.name),
    )
    .slice(0, input.limit);
  const points =
    input.step === "all"
      ? new Map<number, UsageRow[]>()
      : await sumUsage(
          db,
          largest.map(({ group }) => group.subjects.map(({ id }) => id)),
          hours,
          input.step,
        );
  return {
    from: startOfHour(hours.from),
    to: startOfHour(hours.to),
    total: groups.length,
    waiting: await db.usageTask.count({ where: { hour: { gte: hours.from, lt: hours.to } } }),
    items: largest.map(({ group: { id, name, subjects: own }, amounts }, index) => ({
      id,
      name,
      balancers: own.length,
      ...amounts,
      points: (points.get(index) ?? []).map((row) => ({ at: startOfHour(row.step), ...amountsOf(row) })),
    })),
  };
}

function amountsOf(row: UsageRow | undefined): UsageAmounts {
  if (!row) throw new Error("a balancer is listed only when it was there");
  return {
    balancerHours: row.existsSeconds / 3_600,
    addressHours: row.addressSeconds / 3_600,
    machineHours: row.machineSeconds / 3_600,
    bytesIn: row.bytesIn,
    bytesOut: row.bytesOut,
    bytesBoth: row.bytesBoth,
    connectionsNew: row.connectionsNew,
    connectionHours: row.connectionSeconds === null ? null : row.connectionSeconds / 3_600,
    peakInBps: row.peakInBps,
    peakBothBps: row.peakBothBps,
    measuredShare: row.existsSeconds > 0 ? Math.min(1, row.coveredSeconds / row.existsSeconds) : 0,
  };
}

function carriedBy({ bytesIn, bytesOut, bytesBoth }: UsageAmounts): number {
  if (bytesIn === null && bytesBoth === null) return -1;
  return (bytesIn ?? 0) + (bytesOut ?? 0) + (bytesBoth ?? 0);
}
