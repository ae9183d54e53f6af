import {
  type CostGroup,
  type CostsAnswer,
  type ListCosts,
  type MeteredCost,
  type MeteredItem,
  monthOf,
  type PriceUsed,
  requestedHours,
  type Step,
  startOfHour,
  stepOf,
} from "@fairlead/domain/cost";
import { authorize, type ServiceContext } from "../context.ts";
import { bookOwner } from "../cost/open-context.ts";
import { checkMuch } from "./check-much.ts";
import { costsOf } from "./costs-of.ts";
import { type Group, groupSubjects } from "./group-subjects.ts";
import { type Subject, selectSubjects } from "./subjects.sql.ts";

/**
 * listCosts returns usage times the price of its hour. It is calculated on request, so that a corrected price or
 * setting applies at once; only the usage is stored. For members who may not read the price book, prices are list prices.
 */
export async function listCosts(ctx: ServiceContext, input: ListCosts): Promise<CostsAnswer> {
  authorize(ctx, "exposure:read");
  authorize(ctx, "series:read");
  const { db, organizationId } = ctx;
  const hours = requestedHours(input, ctx.now);
  const subjects = await selectSubjects(db, organizationId, input, hours);
  // Tiers are per month, so earlier usage in the month counts as well.
  const read = { from: monthOf(hours.from).from, to: hours.to };
  checkMuch(subjects, read);
  const organization = await db.organization.findUniqueOrThrow({ where: { id: organizationId } });
  const groups = groupSubjects(subjects, input.groupBy, organization).map((group) => new Sum(group, input.step));
  const sumOf = new Map(groups.flatMap((sum) => sum.subjects.map((subject) => [subject.id, sum] as const)));
  const prices = new Map<string, PriceUsed>();
  for await (const { subject, cost } of costsOf(ctx, subjects, read, hours.from, input.currency)) {
    sumOf.get(subject.id)?.add(cost, subject.clusterId);
    for (const price of cost.prices)
      prices.set(`${price.provider}\n${price.region}\n${price.sku}\n${price.asOf}\n${price.source}`, price);
  }
  const items = groups.map((sum) => sum.answer()).sort((a, b) => b.micros - a.micros || a.name.localeCompare(b.name));
  const known = groups.reduce((seconds, sum) => seconds + sum.knownSeconds, 0);
  const exists = groups.reduce((seconds, sum) => seconds + sum.existsSeconds, 0);
  return {
    from: startOfHour(hours.from),
    to: startOfHour(hours.to),
    currency: input.currency,
    hasPriceBook: bookOwner({ caller: ctx }) !== null,
    micros: items.reduce((micros, each) => micros + each.micros, 0),
    knownShare: exists > 0 ? known / exists : 0,
    balancers: subjects.length,
    balancerHours: exists / 3_600,
    points: sumPoints(groups),
    items: items.slice(0, input.limit),
    total: items.length,
    prices: [...prices.values()] as CostsAnswer["prices"],
  };
}

/** sumPoints sums the costs of all groups in each step. */
function sumPoints(groups: readonly Sum[]): CostsAnswer["points"] {
  const all = new Map<number, Point>();
  for (const { points } of groups)
    for (const [hour, point] of points) {
      const sum = all.get(hour) ?? { micros: 0, knownSeconds: 0, existsSeconds: 0 };
      addTo(sum, point);
      all.set(hour, sum);
    }
  return pointsOf(all);
}

function pointsOf(points: ReadonlyMap<number, Point>): CostGroup["points"] {
  return [...points]
    .sort(([a], [b]) => a - b)
    .map(([hour, point]) => ({ at: startOfHour(hour), micros: point.micros, knownShare: shareOf(point) }));
}

type Point = { micros: number; knownSeconds: number; existsSeconds: number };

class Sum {
  readonly subjects: Subject[];
  micros = 0;
  knownSeconds = 0;
  existsSeconds = 0;
  readonly #group: Group;
  readonly #step: Step;
  readonly points = new Map<number, Point>();
  readonly #items = new Map<string, MeteredItem>();
  readonly #reasons = new Map<string, CostGroup["reasons"][number]>();

  constructor(group: Group, step: Step) {
    this.subjects = group.subjects;
    this.#group = group;
    this.#step = step;
  }

  add(cost: MeteredCost, clusterId: string): void {
    for (const hour of cost.hours) {
      addTo(this, hour);
      const step = stepOf(this.#step, hour.hour);
      if (step === null) continue;
      const point = this.points.get(step);
      if (point) addTo(point, hour);
      else this.points.set(step, { ...hour });
    }
    for (const item of cost.items) {
      const kept = this.#items.get(`${item.item}\n${item.unit}`);
      if (!kept) this.#items.set(`${item.item}\n${item.unit}`, { ...item });
      else {
        kept.quantity += item.quantity;
        kept.micros += item.micros;
      }
    }
    for (const reason of cost.reasons) {
      const key = `${clusterId}\n${reason}`;
      const balancers = (this.#reasons.get(key)?.balancers ?? 0) + 1;
      this.#reasons.set(key, { reason, balancers, clusterId });
    }
  }

  answer(): CostGroup {
    const { id, name, subjects } = this.#group;
    return {
      id,
      name,
      balancers: subjects.length,
      balancerHours: this.existsSeconds / 3_600,
      micros: this.micros,
      knownShare: shareOf(this),
      instance: instanceOf(subjects),
      breakdown: [...this.#items.values()].sort((a, b) => b.micros - a.micros),
      reasons: [...this.#reasons.values()],
      points: pointsOf(this.points),
    };
  }
}

function instanceOf([first, ...others]: readonly Subject[]): string | null {
  const instance = first?.facts.instance ?? null;
  return others.every(({ facts }) => facts.instance === instance) ? instance : null;
}

function addTo(sum: Point, { micros, knownSeconds, existsSeconds }: Point): void {
  sum.micros += micros;
  sum.knownSeconds += knownSeconds;
  sum.existsSeconds += existsSeconds;
}

function shareOf({ knownSeconds, existsSeconds }: Point): number {
  return existsSeconds > 0 ? Math.min(1, knownSeconds / existsSeconds) : 0;
}
