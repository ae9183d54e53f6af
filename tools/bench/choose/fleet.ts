import { openDb } from "@fairlead/db";
import { Partitions } from "@fairlead/services/gateway";
import pg from "pg";

const balancersPerCluster = 2;
const exposuresPerCluster = 2;
const dayMs = 86_400_000;
/** The usual latency of a series, by its id. */
const usualMsOf = "2 + id % 83 / 10.0";
const usualMs = (id: number) => 2 + (id % 83) / 10;

/** Fleet is a database with clusters whose balancers report, written as their reports would be. */
export class Fleet {
  readonly #client: pg.Client;
  readonly #count: number;

  private constructor(client: pg.Client, count: number) {
    this.#client = client;
    this.#count = count;
  }

  /** create writes clusters with pools, balancers, exposures and their events of 30 days. */
  static async create(databaseUrl: string, count: number): Promise<Fleet> {
    const db = openDb(databaseUrl, { connections: 1 });
    await new Partitions().ensureFor(db, "raw", [Date.now(), Date.now() + 3_600_000]);
    await db.$disconnect();
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const fleet = new Fleet(client, count);
    await fleet.#write();
    await fleet.report();
    await client.query("ANALYZE");
    return fleet;
  }

  async #write(): Promise<void> {
    const { rows } = await this.#client.query<{ id: string }>(
      "SELECT id FROM organization ORDER BY created_at LIMIT 1",
    );
    const organization = rows[0]?.id;
    const facts = { cpuCount: 8, interfaces: [{ name: "eth0", up: true, speedBps: 25e9 }] };
    const strategy = { replicas: 2, poolId: "pool_bench0" };
    const series = ["throughputBps", "connectionsLive", "latencyMsP99"];
    const statements: [string, unknown[]][] = [
      [
        `INSERT INTO cluster (id, organization_id, name, kind, region, labels, runs_as, updated_at)
         SELECT 'clu_bench' || i, $1, 'bench-' || i, 'lab', (ARRAY['eu-central-1', 'eu-west-1', 'us-east-1'])[1 + i % 3], $3,
           jsonb_build_object('provider', 'aws', 'region', (ARRAY['eu-central-1', 'eu-west-1', 'us-east-1'])[1 + i % 3], 'machine', 'c7g.large',
             'machineShare', 1, 'zones', 1, 'responseShare', null, 'internetShare', 0), now() FROM generate_series(0, $2::int - 1) i`,
        [organization, this.#count, { tier: "gold" }],
      ],
      [
        `INSERT INTO address_pool (id, organization_id, cluster_id, name, prefix)
         SELECT 'pool_bench' || i, $1, 'clu_bench' || i, 'public', ('10.' || i / 256 || '.' || i % 256 || '.0/24')::cidr FROM generate_series(0, $2::int - 1) i`,
        [organization, this.#count],
      ],
      [
        `INSERT INTO node (id, organization_id, cluster_id, name, settings, updated_at)
         SELECT 'node_bench' || i || 'x' || b, $1, 'clu_bench' || i, 'lb-' || b, '{}', now() FROM generate_series(0, $2::int - 1) i, generate_series(1, $3::int) b`,
        [organization, this.#count, balancersPerCluster],
      ],
      [
        `INSERT INTO agent (id, organization_id, node_id, roles, certificate_serial, certificate_expires_at)
         SELECT 'agt_' || substr(id, 6), $1, id, '{balancer}', id, now() + interval '30 days' FROM node WHERE id LIKE 'node_bench%'`,
        [organization],
      ],
      [
        `INSERT INTO node_status (agent_id, node_id, boot_id, sequence, observed_revision, facts, last_report_at)
         SELECT id, node_id, '', 1, 1, $1, now() FROM agent WHERE node_id LIKE 'node_bench%'`,
        [facts],
      ],
      [
        `INSERT INTO series (organization_id, subject_id, metric, labels, agent_id)
         SELECT $1, a.node_id, m, '{"agent":"' || a.id || '"}', a.id FROM agent a, unnest($2::text[]) m WHERE a.node_id LIKE 'node_bench%'`,
        [organization, series],
      ],
      [
        `INSERT INTO exposure (id, organization_id, cluster_id, name, workload, ports, strategy, parameters, updated_at)
         SELECT 'exp_bench' || i || 'x' || e, $1, 'clu_bench' || i, 'shop-' || e, '{}', '[{"port": 443, "protocol": "tcp"}]', 'ecmp', $4, now()
         FROM generate_series(0, $2::int - 1) i, generate_series(1, $3::int) e`,
        [organization, this.#count, exposuresPerCluster, strategy],
      ],
      [
        `INSERT INTO event (id, organization_id, cluster_id, at, severity, reason, message, subject_kind, subject_id, subject_name)
         SELECT 'evt_' || substr(e.id, 5) || 'x' || d, $1, e.cluster_id, now() - ($2::float8 * ((d + 1) / 2) + CASE d % 2 WHEN 1 THEN 0 ELSE 60000 END) * interval '1 ms', 'info',
           CASE d % 2 WHEN 1 THEN 'Serving' ELSE 'Failed' END, '', 'exposure', e.id, e.name
         FROM exposure e, generate_series(1, 60) d WHERE e.id LIKE 'exp_bench%'`,
        [organization, dayMs],
      ],
    ];
    for (const [text, values] of statements) await this.#client.query(text, values);
  }

  /** report writes a sample of every series, as agents do every five seconds. */
  async report(): Promise<void> {
    await this.#client.query("UPDATE node_status SET last_report_at = now() WHERE node_id LIKE 'node_bench%'");
    await this.#client.query(
      `INSERT INTO sample (series_id, at, value)
       SELECT id, now(), CASE metric WHEN 'throughputBps' THEN 1e9 + id % 97 * 1e7 WHEN 'connectionsLive' THEN 1000 + id % 89 ELSE ${usualMsOf} END
       FROM series WHERE subject_id LIKE 'node_bench%' AND id <> ALL($1::int[])`,
      [[...this.#slowed.keys()]],
    );
    for (const [id, ms] of this.#slowed) await this.#insert(id, ms);
  }

  readonly #slowed = new Map<number, number>();

  /** slow adds latency to the balancers of a cluster, in what they report from now on. */
  async slow(clusterId: string, ms: number): Promise<void> {
    const { rows } = await this.#client.query<{ id: number }>(
      `SELECT s.id FROM series s JOIN node n ON n.id = s.subject_id WHERE n.cluster_id = $1 AND s.metric = 'latencyMsP99'`,
      [clusterId],
    );
    for (const { id } of rows) {
      const value = usualMs(id) + ms;
      this.#slowed.set(id, value);
      await this.#insert(id, value);
    }
  }

  async #insert(id: number, value: number): Promise<void> {
    await this.#client.query("INSERT INTO sample (series_id, at, value) VALUES ($1, clock_timestamp(), $2)", [
      id,
      value,
    ]);
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}
