import { flowOfExposure, type TrafficFlow } from "@fairlead/domain/traffic-flow";
import { authorize, type ServiceContext } from "../context.ts";
import { getExposure } from "../exposure/get.ts";
import { listLoadBalancers } from "../load-balancer/list.ts";
import { measuredOverMs } from "../routing/measure-hops.sql.ts";
import { flowPermissions } from "./flow-permissions.ts";
import { readSamples } from "./read-samples.ts";
import { selectHops } from "./select-hops.sql.ts";
import { selectMeasured } from "./select-measured.sql.ts";

/** As many as an exposure is returned with the parts of. */
const mostBalancers = 100;

/** getExposureFlow returns the path of an exposure's traffic: client networks, routers, replicas and backends. */
export async function getExposureFlow(ctx: ServiceContext, id: string): Promise<TrafficFlow> {
  for (const permission of flowPermissions) authorize(ctx, permission);
  const { db, now } = ctx;
  const { replicas, backends } = await getExposure(ctx, id);
  const { items: balancers, total } = await listLoadBalancers(ctx, {
    exposureId: id,
    sort: "name",
    direction: "asc",
    limit: mostBalancers,
  });
  const ids = balancers.map((each) => each.id);
  const [measured, hops, { samples, isSampled, problems }] = await Promise.all([
    selectMeasured(db, [...ids, ...backends.map((each) => each.id)], now),
    selectHops(db, ids),
    readSamples(ctx, id),
  ]);
  const left = total > balancers.length ? [`Only the first ${balancers.length} of ${total} load balancers.`] : [];
  return {
    at: now,
    overMs: measuredOverMs,
    ...flowOfExposure({ balancers, replicas, backends, measured, hops, samples, now }),
    isSampled,
    problems: [...left, ...problems],
  };
}
