import { parseArgs } from "node:util";
import { exposureLookedAtEveryMs } from "@fairlead/domain/node";
import { findEmbedded, readSettings } from "@fairlead/launcher";
import pg from "pg";
import { planFleet, type Sizes } from "./fleet.ts";
import { writeHistory } from "./history.ts";
import { insertRows } from "./insert-rows.ts";
import { Random } from "./random.ts";
import { writeTasks } from "./tasks.ts";

// `npm run seed -- --clusters 100 --load-balancers 10000 --agents 1000`: a large realistic fleet for tests and benchmarks.
const { values } = parseArgs({
  options: {
    clusters: { type: "string", default: "100" },
    "load-balancers": { type: "string", default: "10000" },
    agents: { type: "string", default: "1000" },
    "history-minutes": { type: "string", default: "60" },
    // The controller reconciles each object for the first time within this many minutes, like an existing fleet.
    "first-look-minutes": { type: "string", default: String(exposureLookedAtEveryMs / 60_000) },
    organization: { type: "string" },
    seed: { type: "string", default: "1" },
  },
});
// Parents before children.
const order = [
  "cluster",
  "address_pool",
  "node",
  "agent",
  "node_config",
  "node_status",
  "exposure",
  "exposure_status",
  "load_balancer",
  "load_balancer_status",
  "address_mapping",
  "virtual_address",
  "replica",
  "replica_status",
  "backend",
  "event",
];
const sizes: Sizes = {
  clusters: count("clusters", 1, 10_000),
  loadBalancers: count("load-balancers", 0, 400_000),
  agents: count("agents", 0, 100_000),
};
const firstLookMinutes = count("first-look-minutes", 1, 1_440);
const began = Date.now();
const url = databaseUrl();
const client = new pg.Client({ connectionString: url });
await client.connect();
try {
  const organization = await findOrganization();
  const existing = { organizationId: organization.id, clusterNames: await clusterNames(organization.id) };
  const rows = planFleet(existing, sizes, new Random(Number(values.seed)), new Date());
  await client.query("BEGIN");
  for (const table of order) await insertRows(client, table, rows[table] ?? []);
  for (const kind of ["exposure", "node"] as const)
    await writeTasks(
      client,
      kind,
      (rows[kind] ?? []).map((row) => String(row.id)),
      firstLookMinutes,
    );
  await client.query("COMMIT");
  const nodeIds = (rows.node ?? []).map((node) => String(node.id));
  const minutes = count("history-minutes", 0, 1_440);
  await writeHistory(client, url, { organizationId: organization.id, nodeIds, minutes });
  await client.query("ANALYZE");
  const total = Object.values(rows).reduce((sum, each) => sum + each.length, 0);
  console.log(
    `${organization.name} now has ${sizes.clusters} more clusters, ${sizes.loadBalancers} load balancers and ${sizes.agents} agents (${total} rows in ${((Date.now() - began) / 1_000).toFixed(1)} s).
There are no real agents behind them, so they all become silent within 15 s. Within ${firstLookMinutes} min each exposure reports that this version has no driver for its cluster, and its load balancers turn grey because nothing reports on them.`,
  );
} finally {
  await client.end();
}

async function findOrganization(): Promise<{ id: string; name: string }> {
  const { rows } = await client.query<{ id: string; name: string; slug: string }>(
    "SELECT id, name, slug FROM organization ORDER BY created_at LIMIT 100",
  );
  const found = values.organization ? rows.find((row) => row.slug === values.organization) : rows[0];
  if (found) return found;
  return fail(
    values.organization
      ? `There is no organisation "${values.organization}". Existing ones: ${rows.map((row) => row.slug).join(", ")}`
      : "There is no organisation yet. Start Fairlead once and create the first owner.",
  );
}

async function clusterNames(organizationId: string): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>("SELECT name FROM cluster WHERE organization_id = $1", [
    organizationId,
  ]);
  return new Set(rows.map((row) => row.name));
}

function count(name: keyof typeof values, low: number, high: number): number {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < low || number > high)
    fail(`--${name} is "${values[name]}": use an integer from ${low} to ${high}.`);
  return number;
}

function databaseUrl(): string {
  const settings = readSettings();
  return (
    settings.databaseUrl ??
    findEmbedded(settings.dataFolder) ??
    fail(`Fairlead isn't running on ${settings.dataFolder}. Start it with npm start, or set DATABASE_URL.`)
  );
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
