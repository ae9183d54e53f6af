import type { CreateBudget } from "@fairlead/domain/budget";
import { hourOf, type PricePoint, runsAs, startOfHour } from "@fairlead/domain/cost";
import { updateCluster } from "../../cluster/index.ts";
import type { ServiceContext } from "../../context.ts";
import { importPrices } from "../../cost/index.ts";
import { type MeterStage, setMeterStage } from "../../usage/testing/meter-stage.ts";
import { createBudget } from "../index.ts";

export const now = new Date("2026-11-21T12:30:00Z");
export const hour = hourOf(now);
export const dollar = 1_000_000;

/** BudgetStage is one balancer with two machines, at a dollar an hour together. */
export type BudgetStage = MeterStage & {
  create: (fields?: Partial<CreateBudget>) => ReturnType<typeof createBudget>;
};

export async function setBudgetStage(): Promise<BudgetStage> {
  const stage = await setMeterStage();
  const ctx: ServiceContext = { ...stage.ctx, now };
  const place = runsAs.parse({ provider: "aws", region: "eu-central-1", machine: "c7g.large", machineShare: 0.5 });
  await updateCluster(ctx, stage.clusterId, { runsAs: place });
  const { db } = stage.database;
  const point: PricePoint = {
    ...{
      provider: "aws",
      region: "eu-central-1",
      sku: "c7g.large",
      unit: "hour",
      fromUnits: 0,
      micros: dollar,
      per: 1,
    },
    ...{ currency: "USD", asOf: "2026-10-01", source: "https://example.com", confidence: "published" },
  };
  await importPrices(db, { name: "t", points: [point] }, startOfHour(hour - 1_000));
  const subject = await db.usageSubject.create({
    data: {
      ...{ organizationId: ctx.organizationId, clusterId: stage.clusterId, exposureId: stage.exposureId },
      ...{ loadBalancerId: stage.balancerId, facts: {} },
    },
  });
  // From the 20th at 0:00 on, including the current hour.
  const whole = { subjectId: subject.id, existsSeconds: 3_600, addressSeconds: 0, replicaSeconds: 7_200 };
  const hours = Array.from({ length: 37 }, (_, n) => ({
    ...whole,
    hour: hour - n,
    machineSeconds: 7_200,
    measuredSeconds: 7_200,
  }));
  await db.usageHour.createMany({ data: hours });
  const create = (fields: Partial<CreateBudget> = {}) =>
    createBudget(ctx, {
      ...{ name: "all", scope: { type: "organization" }, amountMicros: 1_000 * dollar, currency: "USD" },
      ...{ warnAtPercent: 80, ...fields },
    });
  return { ...stage, ctx, create };
}
