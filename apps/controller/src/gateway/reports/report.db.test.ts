import { Code, ConnectError } from "@connectrpc/connect";
import { Limit } from "@fairlead/agent-protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayStage, setGatewayStage } from "../testing/gateway-stage.ts";
import { cpuPoint, enrollTestAgent, type TestAgent } from "../testing/test-agent.ts";

let stage: GatewayStage;
beforeAll(async () => {
  stage = await setGatewayStage();
});
afterAll(() => stage.close());

describe("reports", () => {
  it("are stored once they are answered: status, facts, metrics and samples", async () => {
    const agent = await stage.enroll();
    const at = new Date();
    const series = [
      cpuPoint(0.25, at),
      { ...cpuPoint(1_000, at), metric: "memoryUsedBytes" },
      { ...cpuPoint(4_000, at), metric: "memoryTotalBytes" },
      { ...cpuPoint(7, at), metric: "interfaceReceiveBps", labels: { interface: "eth0" } },
    ];
    const info = { version: "1.2.3", roles: ["node"] } as never;
    const answer = await agent.report({ series, info, observedRevision: 0n });
    expect(answer).toMatchObject({ rejectedPoints: 0n, newestRevision: 0n });
    expect(await statusOf(agent)).toMatchObject({
      version: "1.2.3",
      sequence: 1n,
      cpuUtilizationRatio: 0.25,
      memoryUsedRatio: 0.25,
      load1: null,
    });
    expect(await stage.pointsOf(agent)).toEqual([0.25]);
  });

  it("change nothing if repeated, and only add samples if out of order", async () => {
    const agent = await stage.enroll();
    const at = new Date();
    const earlier = new Date(at.getTime() - 60_000);
    await agent.report({ sequence: 5, observedRevision: 2n, series: [cpuPoint(0.5, at)] });
    await agent.report({ sequence: 5, observedRevision: 2n, series: [cpuPoint(0.9, at)] });
    await agent.report({ sequence: 4, observedRevision: 1n, series: [cpuPoint(0.1, earlier)] });
    expect(await statusOf(agent)).toMatchObject({ sequence: 5n, observedRevision: 2, cpuUtilizationRatio: 0.5 });
    expect(await stage.pointsOf(agent)).toEqual([0.1, 0.5]);
    expect(await stage.database.db.event.count({ where: { subjectId: agent.nodeId, reason: "AgentReporting" } })).toBe(
      1,
    );
  });

  it("notify browsers only of changes: one feed entry per changed revision, none per ordinary report", async () => {
    const agent = await stage.enroll();
    const feed = () => stage.database.db.feedEntry.count({ where: { subjectId: agent.nodeId } });
    await agent.report({ observedRevision: 1n });
    const before = await feed();
    for (let count = 0; count < 5; count++)
      await agent.report({ observedRevision: 1n, series: [cpuPoint(count / 10)] });
    expect(await feed()).toBe(before);
    await agent.report({ observedRevision: 2n });
    expect(await feed()).toBe(before + 1);
    const events = await stage.database.db.event.findMany({
      where: { subjectId: agent.nodeId },
      orderBy: { at: "asc" },
    });
    expect(events.map((event) => event.reason)).toEqual(["AgentEnrolled", "AgentReporting", "ConfigApplied"]);
  });

  it("of an agent that keeps restarting create one flapping event, and an event for each warning", async () => {
    const agent = await stage.enroll();
    for (let boot = 0; boot < 7; boot++)
      await agent.report({ bootId: `boot-${boot}`, sequence: 1, warnings: [`warning ${boot}`] });
    const events = await stage.database.db.event.findMany({ where: { subjectId: agent.nodeId } });
    const counts = Object.entries(Object.groupBy(events, (event) => event.reason)).map(([reason, of]) => [
      reason,
      of?.length,
    ]);
    expect(Object.fromEntries(counts)).toEqual({
      AgentEnrolled: 1,
      AgentReporting: 1,
      AgentRestarted: 3,
      AgentRestartedFlapping: 1,
      AgentWarning: 6,
    });
  });

  it("of several agents of a node are different events, so none of them counts as flapping", async () => {
    const { ctx, gateway, clusterId } = stage;
    for (const role of ["node", "backend", "balancer", "speaker"]) {
      const agent = stage.track(await enrollTestAgent(ctx, gateway.port, clusterId, "shared-1", [role]));
      for (const observedRevision of [1n, 2n]) await agent.report({ observedRevision });
    }
    const events = await stage.database.db.event.groupBy({
      by: ["reason"],
      where: { subjectName: "shared-1", reason: { startsWith: "Agent" } },
      _count: true,
    });
    expect(events.map(({ reason, _count }) => [reason, _count]).sort()).toEqual([
      ["AgentEnrolled", 4],
      ["AgentReporting", 4],
    ]);
    const applied = await stage.database.db.event.findMany({
      where: { subjectName: "shared-1", reason: { startsWith: "ConfigApplied" } },
    });
    expect(applied.map((each) => each.message).sort()).toEqual(
      ["backend", "balancer", "node", "speaker"].map(
        (role) => `The agent of the role ${role} on shared-1 runs revision 2 of its config.`,
      ),
    );
  });

  it("that are malformed are rejected, without affecting others", async () => {
    const [good, bad] = [await stage.enroll(), await stage.enroll()];
    const outcomes = await Promise.all([
      good.report({ series: [cpuPoint(0.5)] }).then(() => "stored"),
      bad.report({ series: [cpuPoint(Number.NaN)] }).catch((error) => ConnectError.from(error).code),
      bad.report({ bootId: "" }).catch((error) => ConnectError.from(error).code),
    ]);
    expect(outcomes).toEqual(["stored", Code.InvalidArgument, Code.InvalidArgument]);
  });

  it("that the database rejects don't affect other agents in the same batch", async () => {
    await stage.database.db.$executeRaw`
      CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN IF NEW.value = 0.5 THEN RAISE data_exception; END IF; RETURN NEW; END'`;
    await stage.database.db.$executeRaw`
      CREATE TRIGGER poison BEFORE INSERT ON sample FOR EACH ROW EXECUTE FUNCTION refuse_poison()`;
    const many = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(() => stage.enroll()));
    const outcomes = await Promise.all(
      many.map((agent, index) =>
        agent.report({ series: [cpuPoint(index === 3 ? 0.5 : 1)] }).then(
          () => "stored",
          (error) => ConnectError.from(error).code,
        ),
      ),
    );
    await stage.database.db.$executeRaw`DROP TRIGGER poison ON sample`;
    expect(outcomes).toEqual(many.map((_, index) => (index === 3 ? Code.InvalidArgument : "stored")));
    for (const [index, agent] of many.entries()) expect(await stage.pointsOf(agent)).toEqual(index === 3 ? [] : [1]);
  });

  it("return the number of rejected points", async () => {
    const agent = await stage.enroll();
    const answer = await agent.report({
      series: [
        cpuPoint(1, new Date(0)),
        cpuPoint(1, new Date(Date.now() + 3_600_000)),
        { ...cpuPoint(1), metric: "new" },
      ],
    });
    expect(answer.rejectedPoints).toBe(3n);
  });

  it("above the size limit are rejected permanently", async () => {
    const agent = await stage.enroll();
    const atMs = [...new Array(Limit.MESSAGE_BYTES / 8).keys()].map((index) => BigInt(Date.now() - index));
    const refused = await agent
      .report({ series: [{ ...cpuPoint(1), atMs, values: atMs.map(() => 1) }] })
      .catch((error) => ConnectError.from(error));
    expect(refused).toMatchObject({ code: Code.ResourceExhausted });
    expect((refused as ConnectError).metadata.get("retry-after")).toBeNull();
  });

  it("of the maximum size are accepted", async () => {
    const agent = await stage.enroll();
    const each = Limit.REPORT_POINTS / Limit.REPORT_SERIES;
    const now = Date.now();
    const atMs = [...new Array(each).keys()].map((index) => BigInt(now - index * 1_000));
    const series = [...new Array(Limit.REPORT_SERIES).keys()].map((index) => ({
      ...cpuPoint(1),
      metric: "interfaceReceiveBps",
      labels: { interface: `an-interface-${index}` },
      atMs,
      values: atMs.map((at) => Number(at) / 7),
    }));
    expect((await agent.report({ series })).rejectedPoints).toBe(0n);
  });

  it("with endless new labels stop creating series", async () => {
    const agent = await stage.enroll();
    const invent = (from: number) => ({
      series: [...new Array(1_500).keys()].map((index) => ({
        ...cpuPoint(1),
        metric: "interfaceReceiveBps",
        labels: { interface: `veth${from + index}` },
      })),
    });
    expect((await agent.report(invent(0))).rejectedPoints).toBe(0n);
    expect((await agent.report(invent(1_500))).rejectedPoints).toBe(1_000n);
    expect(await stage.database.db.series.count({ where: { subjectId: agent.nodeId } })).toBe(2_000);
  });
});

function statusOf(agent: TestAgent) {
  return stage.database.db.nodeStatus.findUniqueOrThrow({ where: { agentId: agent.agentId } });
}
