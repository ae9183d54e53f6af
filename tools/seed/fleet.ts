import { newId, numberToAddress } from "@fairlead/domain";
import { addExposures } from "./exposures.ts";
import { addNodes } from "./nodes.ts";
import type { Random } from "./random.ts";
import type { Add, Rows } from "./rows.ts";

export type Sizes = { clusters: number; loadBalancers: number; agents: number };

const regions = ["fra", "ams", "lon", "par", "sto", "iad", "sfo", "sin", "nrt", "syd"] as const;

/** planFleet invents a large organisation: most of it well, some of it in each of the ways that things go wrong. */
export function planFleet(organizationId: string, sizes: Sizes, random: Random, now: Date): Rows {
  const rows: Rows = {};
  const add: Add = (table, row) => {
    rows[table] ??= [];
    rows[table].push(row);
  };
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

  for (let c = 0; c < sizes.clusters; c++) {
    const region = regions[c % regions.length] ?? regions[0];
    const clusterId = newId("cluster", now);
    const kind = random.chance(0.8) ? "kubernetes" : "machines";
    add("cluster", {
      id: clusterId,
      organization_id: organizationId,
      name: `${region}-${String(Math.floor(c / regions.length) + 1).padStart(2, "0")}`,
      kind,
      region,
      labels: { tier: random.pick(["prod", "prod", "staging"]) },
      generation: 1,
      created_at: ago(random.integer(20_000, 400_000)),
      updated_at: ago(random.integer(0, 20_000)),
    });
    const poolId = newId("addressPool", now);
    const poolBase = (10n << 24n) + (BigInt(c) << 12n);
    add("address_pool", {
      id: poolId,
      organization_id: organizationId,
      cluster_id: clusterId,
      name: "public",
      prefix: `${numberToAddress(poolBase, 4)}/20`,
      created_at: ago(400_000),
    });
    const nodeIds = addNodes(add, {
      organizationId,
      clusterId,
      region,
      count: share(sizes.agents, sizes.clusters, c),
      random,
      now,
    });
    addExposures(add, {
      organizationId,
      clusterId,
      poolId,
      poolBase,
      nodeIds,
      count: share(sizes.loadBalancers, sizes.clusters, c),
      random,
      now,
    });
  }
  return rows;
}

function share(total: number, parts: number, part: number): number {
  return Math.floor(((part + 1) * total) / parts) - Math.floor((part * total) / parts);
}
