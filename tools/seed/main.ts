import { parseArgs } from "node:util";
import { findEmbedded, readSettings } from "@fairlead/launcher";
import pg from "pg";
import { planFleet, type Sizes } from "./fleet.ts";
import { writeHistory } from "./history.ts";
import { insertRows } from "./insert-rows.ts";
import { Random } from "./random.ts";
import { writeTasks } from "./tasks.ts";

// `npm run seed -- --clusters 100 --load-balancers 10000 --agents 1000`: a large believable fleet for tests and benchmarks.
const { values } = parseArgs({
  options: {
    clusters: { type: "string", default: "100" },
    "load-balancers": { type: "string", default: "10000" },
    agents: { type: "string", default: "1000" },
    "history-minutes": { type: "string", default: "60" },
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
    );
  await client.query("COMMIT");
  const nodeIds = (rows.node ?? []).map((node) => String(node.id));
  const minutes = count("history-minutes", 0, 1_440);
  await writeHistory(client, url, { organizationId: organization.id, nodeIds, minutes });
  await client.query("ANALYZE");
  const total = Object.values(rows).reduce((sum, each) => sum + each.length, 0);
  console.log(
    `${organization.name} now has ${sizes.clusters} more clusters, ${sizes.loadBalancers} load balancers and ${sizes.agents} agents (${total} rows in ${((Date.now() - began) / 1_000).toFixed(1)} s).
Nobody is behind them: agents that were never there can't report, so they all turn silent within 15 s; within five minutes each exposure says that this version has no driver for its cluster, and its balancers, which nobody looks at, turn grey with what they show.`,
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
  return refuse(
    values.organization
      ? `There is no organisation "${values.organization}"; there are: ${rows.map((row) => row.slug).join(", ")}`
      : "There is no organisation yet: start Fairlead once and make the first owner.",
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
    refuse(`--${name} is "${values[name]}": give a whole number from ${low} to ${high}.`);
  return number;
}

function databaseUrl(): string {
  const settings = readSettings();
  return (
    settings.databaseUrl ??
    findEmbedded(settings.dataFolder) ??
    refuse(`No Fairlead runs on ${settings.dataFolder}: start it with npm start, or set DATABASE_URL.`)
  );
}

function refuse(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}
