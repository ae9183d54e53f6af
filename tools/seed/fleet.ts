import { newId } from "@fairlead/domain";
import { addressToNumber, numberToAddress } from "@fairlead/domain/address";
import { addExposures } from "./exposures.ts";
import { addNodes } from "./nodes.ts";
import type { Random } from "./random.ts";
import type { Add, Rows } from "./rows.ts";

export type Sizes = { clusters: number; loadBalancers: number; agents: number };

const regions = ["fra", "ams", "lon", "par", "sto", "iad", "sfo", "sin", "nrt", "syd"] as const;

/** The existing organisation, and the names of its clusters, which new clusters must not use. */
export type Existing = { organizationId: string; clusterNames: ReadonlySet<string> };

/** planFleet generates a large organisation: most of it healthy, some of it in each failure state. */
export function planFleet({ organizationId, clusterNames }: Existing, sizes: Sizes, random: Random, now: Date): Rows {
  const rows: Rows = {};
  const add: Add = (table, row) => {
    rows[table] ??= [];
    rows[table].push(row);
  };
  const names = freeNames(clusterNames);
  let nextPool = addressToNumber("10.0.0.0", 4);
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

  for (let c = 0; c < sizes.clusters; c++) {
    const { region, name } = names();
    const loadBalancers = share(sizes.loadBalancers, sizes.clusters, c);
    const clusterId = newId("cluster", now);
    const kind = random.chance(0.8) ? "kubernetes" : "machines";
    add("cluster", {
      id: clusterId,
      organization_id: organizationId,
      name,
      kind,
      region,
      labels: { tier: random.pick(["prod", "prod", "staging"]) },
      generation: 1,
      created_at: ago(random.integer(20_000, 400_000)),
      updated_at: ago(random.integer(0, 20_000)),
    });
    const poolId = newId("addressPool", now);
    const pool = poolFor(loadBalancers, nextPool);
    nextPool = pool.last + 1n;
    add("address_pool", {
      id: poolId,
      organization_id: organizationId,
      cluster_id: clusterId,
      name: "public",
      prefix: pool.prefix,
      note: `public addresses of the uplink in ${region}`,
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
      poolBase: pool.first,
      nodeIds,
      count: loadBalancers,
      random,
      now,
    });
  }
  return rows;
}

/** freeNames returns a new name at each call, region by region, and skips names in use. */
function freeNames(taken: ReadonlySet<string>): () => { region: string; name: string } {
  let next = 0;
  return () => {
    for (;;) {
      const region = regions[next % regions.length] ?? regions[0];
      const name = `${region}-${String(Math.floor(next / regions.length) + 1).padStart(2, "0")}`;
      next++;
      if (!taken.has(name)) return { region, name };
    }
  };
}

/** poolFor returns the smallest prefix at or after an address, at least a /24, with an address for each load balancer. */
function poolFor(loadBalancers: number, from: bigint): { prefix: string; first: bigint; last: bigint } {
  let length = 24;
  while (2 ** (32 - length) - 2 < loadBalancers) length--;
  const size = 1n << BigInt(32 - length);
  const first = ((from + size - 1n) / size) * size;
  return { prefix: `${numberToAddress(first, 4)}/${length}`, first, last: first + size - 1n };
}

function share(total: number, parts: number, part: number): number {
  return Math.floor(((part + 1) * total) / parts) - Math.floor((part * total) / parts);
}
