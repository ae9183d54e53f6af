import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { ServiceContext } from "@fairlead/services";
import { createTestCluster, createTestOrganization } from "@fairlead/services/testing";
import { silentLog } from "@fairlead/telemetry";
import { type Gateway, type GatewayOptions, startGateway } from "../index.ts";
import { asTestAgent, enrollTestAgent, type TestAgent } from "./test-agent.ts";

export const testSecret = "a-secret-of-thirty-two-characters!";

/** GatewayStage is a gateway with its own database, and agents that connect to it. */
export type GatewayStage = {
  database: TestDatabase;
  ctx: ServiceContext;
  clusterId: string;
  gateway: Gateway;
  /** start starts another gateway on the same database. The caller must stop it. */
  start: (more?: Partial<GatewayOptions>) => Promise<Gateway>;
  enroll: (nodeName?: string) => Promise<TestAgent>;
  reconnect: (agent: TestAgent, to: Gateway) => TestAgent;
  /** track makes close disconnect this agent too. */
  track: (agent: TestAgent) => TestAgent;
  /** pointsOf reads the stored CPU samples of an agent. */
  pointsOf: (agent: TestAgent) => Promise<number[]>;
  close: () => Promise<void>;
};

export async function setGatewayStage(pace: Partial<GatewayOptions> = {}): Promise<GatewayStage> {
  const database = await createTestDatabase({ connections: 10 });
  const ctx = await createTestOrganization(database.db);
  const clusterId = (await createTestCluster(ctx)).cluster.id;
  const { db, url: databaseUrl } = database;
  const options = {
    db,
    databaseUrl,
    secret: testSecret,
    host: "127.0.0.1",
    port: 0,
    log: silentLog,
    stopWithinMs: 500,
  };
  const start = (more: Partial<GatewayOptions> = {}) => startGateway({ ...options, ...pace, ...more });
  const gateway = await start();
  const agents: TestAgent[] = [];
  const track = (agent: TestAgent) => {
    agents.push(agent);
    return agent;
  };
  return {
    database,
    ctx,
    clusterId,
    gateway,
    start,
    track,
    enroll: async (nodeName) => track(await enrollTestAgent(ctx, gateway.port, clusterId, nodeName)),
    reconnect: (agent, to) => track(asTestAgent(to.port, agent.key, agent)),
    async pointsOf({ nodeId }) {
      const rows = await database.db.$queryRaw<{ value: number }[]>`
        SELECT value FROM sample JOIN series ON series.id = series_id
        WHERE subject_id = ${nodeId} AND metric = 'cpuUtilizationRatio' ORDER BY at`;
      return rows.map((row) => row.value);
    },
    async close() {
      for (const agent of agents) agent.close();
      await gateway.stop();
      await database.drop();
    },
  };
}
