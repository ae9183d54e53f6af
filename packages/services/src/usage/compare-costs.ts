import {
  type CompareCosts,
  type CostComparison,
  estimateCosts,
  estimateRequest,
  type Hours,
  hourOf,
  hoursOfMonth,
  type MeasuredTraffic,
  monthOf,
  profileUsage,
  startOfHour,
} from "@fairlead/domain/cost";
import type { ProbeTraffic } from "@fairlead/domain/load-balancer";
import { authorize, type ServiceContext } from "../context.ts";
import { keepCatalogue } from "../cost/keep-catalogue.ts";
import { bookOwner } from "../cost/open-context.ts";
import { loadExposure } from "../exposure/get.ts";
import { selectReplicas } from "../load-balancer/parts.sql.ts";
import { costsOf } from "./costs-of.ts";
import { type Subject, selectSubjects } from "./subjects.sql.ts";
import { sumUsage, type UsageRow } from "./sum-usage.sql.ts";

const mostOptions = 12;
/** Enough for an average of all. */
const mostProbed = 100;

/**
 * compareCosts calculates what the recently measured traffic of an exposure would cost with any other suitable
 * balancer. For members who may not read the price book, by list prices.
 */
export async function compareCosts(ctx: ServiceContext, { id, days, currency }: CompareCosts): Promise<CostComparison> {
  authorize(ctx, "exposure:read");
  authorize(ctx, "series:read");
  const { db, organizationId, now } = ctx;
  await loadExposure(db, organizationId, id);
  const to = hourOf(now);
  const hours = { from: to - days * 24, to };
  const subjects = await selectSubjects(db, organizationId, { exposureId: id }, hours);
  const rows = (await sumUsage(db, [subjects.map((each) => each.id)], hours, "hour")).get(0) ?? [];
  const used = addUp(rows);
  const balancers = subjects.map(({ facts }) => facts);
  const { profile, notes } = profileUsage(used, balancers, await probesOf(ctx, subjects));
  const book = bookOwner({ caller: ctx });
  const answer: CostComparison = {
    from: startOfHour(hours.from),
    to: startOfHour(hours.to),
    currency,
    hasPriceBook: book !== null,
    measuredShare: used.existsSeconds > 0 ? Math.min(1, used.coveredSeconds / used.existsSeconds) : 0,
    profile,
    notes,
    today: await costLately(ctx, subjects, hours, currency),
    noBalancer: null,
    options: [],
    priceDates: { oldest: null, newest: null },
    advice: { proven: null, likely: null },
  };
  if (!profile) return answer;
  const { catalogue, rates } = await keepCatalogue(ctx, { organizationId: book });
  const { noBalancer, options, priceDates, advice } = estimateCosts(
    { ...estimateRequest.parse({ profile, currency }), rates: [...rates] },
    catalogue,
  );
  const fitting = options.filter(({ fits }) => fits);
  const cheapest = [...Map.groupBy(fitting, ({ offerId }) => offerId).values()].flatMap(([first]) => first ?? []);
  const listed = cheapest.slice(0, mostOptions);
  for (const best of [advice.proven, advice.likely]) {
    const recommended = fitting.find(({ offerId, region }) => offerId === best?.offerId && region === best.region);
    if (recommended && !listed.includes(recommended)) listed.push(recommended);
  }
  return { ...answer, noBalancer, options: listed, priceDates, advice };
}

/** probesOf returns what one balancer counts of Fairlead's own probes, on average: its replicas may differ, such as by their engine. */
async function probesOf({ db }: ServiceContext, subjects: readonly Subject[]): Promise<ProbeTraffic> {
  const ids = subjects.map(({ loadBalancerId }) => loadBalancerId).slice(0, mostProbed);
  const replicas = await selectReplicas(db, ids);
  const balancers = Math.max(1, new Set(replicas.map(({ loadBalancerId }) => loadBalancerId)).size);
  const mean = (figure: keyof ProbeTraffic) =>
    replicas.reduce((sum, { probeTraffic }) => sum + (probeTraffic?.[figure] ?? 0), 0) / balancers;
  return { packetsPerSecond: mean("packetsPerSecond"), newConnectionsPerSecond: mean("newConnectionsPerSecond") };
}

/** addUp counts only the time in which the exposure existed. */
function addUp(rows: readonly UsageRow[]): MeasuredTraffic {
  const sum = (of: (row: UsageRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  const known = (of: (row: UsageRow) => number | null) =>
    rows.some((row) => of(row) !== null) ? sum((row) => of(row) ?? 0) : null;
  const most = (of: (row: UsageRow) => number | null) => {
    const peaks = rows.flatMap((row) => of(row) ?? []);
    return peaks.length > 0 ? Math.max(...peaks) : null;
  };
  return {
    seconds: sum((row) => row.groupSeconds),
    existsSeconds: sum((row) => row.existsSeconds),
    coveredSeconds: sum((row) => row.coveredSeconds),
    bytesIn: known((row) => row.bytesIn),
    bytesOut: known((row) => row.bytesOut),
    bytesInAnswered: known((row) => row.bytesInAnswered),
    bytesBoth: known((row) => row.bytesBoth),
    connectionsNew: known((row) => row.connectionsNew),
    connectionSeconds: known((row) => row.connectionSeconds),
    peakInBps: most((row) => row.peakInBps),
    peakBothBps: most((row) => row.peakBothBps),
  };
}

async function costLately(
  ctx: ServiceContext,
  subjects: readonly Subject[],
  hours: Hours,
  currency: string,
): Promise<CostComparison["today"]> {
  let [micros, known, exists] = [0, 0, 0];
  const longest = new Map<number, number>();
  const reasons = new Set<string>();
  for await (const { cost } of costsOf(
    ctx,
    subjects,
    { from: monthOf(hours.from).from, to: hours.to },
    hours.from,
    currency,
  )) {
    for (const hour of cost.hours) {
      micros += hour.micros;
      known += hour.knownSeconds;
      exists += hour.existsSeconds;
      longest.set(hour.hour, Math.max(longest.get(hour.hour) ?? 0, hour.existsSeconds));
    }
    for (const reason of cost.reasons) reasons.add(reason);
  }
  const seconds = [...longest.values()].reduce((sum, each) => sum + each, 0);
  if (seconds === 0) return null;
  return {
    micros,
    knownShare: Math.min(1, known / exists),
    monthlyMicros: Math.round((micros / seconds) * 3_600 * hoursOfMonth),
    reasons: [...reasons],
  };
}
