import { type FrontAnswer, type FrontRequest, refuse, testCredentials } from "@fairlead/drivers/aws-testing";
import { listAuditEntries } from "@fairlead/services";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { after, type ClusterFixture, MetricsStage, patience } from "./testing/metrics-stage.ts";

let stage: MetricsStage;
let cluster: ClusterFixture;
beforeAll(async () => {
  stage = await MetricsStage.set();
});
afterAll(() => stage.close());
beforeEach(async () => {
  cluster = await stage.addCluster();
});
afterEach(() => stage.end());

const of = (action: string, answer: FrontAnswer): FrontAnswer => {
  return (request, response) => request.action === action && answer(request, response);
};
const json = { "content-type": "application/x-amz-json-1.0" };
const minutes = (points: number[][]) => points.map(([minute]) => minute);
/** Everything that is stored about a cluster, as text. */
async function everything(): Promise<string> {
  const { db } = stage.database;
  const newest = { subjectId: cluster.id, sort: "at", direction: "desc", limit: 50 } as const;
  const rows = [
    await cluster.status(),
    await listAuditEntries(cluster.ctx, newest),
    await db.event.findMany(),
    await db.cloudMetrics.findMany({ omit: { credentials: false } }),
    await db.cloudMetricsStatus.findMany(),
    await db.reconcileTask.findMany(),
  ];
  return `${stage.logged}${JSON.stringify(rows, (_, each) => (typeof each === "bigint" ? String(each) : each))}`;
}

describe("a cloud that refuses", () => {
  it.each<[string, FrontAnswer, string]>([
    ["a wrong key", refuse(403, "InvalidClientTokenId"), "rejected the access key; set a valid one"],
    [
      "listing balancers",
      of("DescribeLoadBalancers", refuse(403, "AccessDenied")),
      "permission elasticloadbalancing:DescribeLoadBalancers; allow it",
    ],
    [
      "reading",
      of("GetMetricData", refuse(400, "AccessDeniedException")),
      "permission cloudwatch:GetMetricData; allow it",
    ],
    [
      "with a redirect",
      (_, response) => {
        response.writeHead(307, { location: "http://127.0.0.1:1/secret" }).end();
        return true;
      },
      "with status 307",
    ],
  ])(
    "%s: reported once, with the remedy and without the key, and reading resumes where it stopped",
    async (_, answer, words) => {
      const balancer = await stage.made.network();
      const id = await cluster.addBalancer(balancer);
      await stage.startLoop();
      await cluster.setUp();
      await cluster.becomes({ phase: "reading" });
      await stage.made.measure(balancer, after(7), { NewFlowCount: 60 });
      cluster.front.answer = answer;
      for (const number of [5, 6, 7]) {
        await cluster.lookAt(after(number), { phase: "refused", message: expect.stringContaining(words) });
        expect((await cluster.status()).message).toMatch(/^The endpoint .*\.$/s);
      }
      expect(await cluster.events()).toEqual(["info CloudMetricsRead", "problem CloudMetricsRefused"]);
      const all = await everything();
      for (const part of Object.values(testCredentials)) expect(all).not.toContain(part);
      cluster.front.answer = null;
      await cluster.lookAt(after(13), { phase: "reading", message: "", readAt: after(13) });
      expect(await cluster.series(id, "connectionsNewPerSecond")).toEqual(
        [0, 1, 2, 3, 4, 5, 6, 7].map((number) => [number, number === 7 ? 1 : 0]),
      );
      expect(await cluster.events()).toEqual([
        "info CloudMetricsRead",
        "problem CloudMetricsRefused",
        "info CloudMetricsRead",
      ]);
    },
  );

  it("is not called at all with a key that was sealed by another secret", async () => {
    await cluster.addBalancer(await stage.made.network());
    await cluster.setUp();
    await stage.database.db.cloudMetrics.update({ where: { clusterId: cluster.id }, data: { credentials: "sealed" } });
    await stage.startLoop();
    await cluster.becomes({ phase: "refused" });
    expect(cluster.front.requestCounts.size).toBe(0);
  });
});

describe("an unreliable cloud", () => {
  it.each<[string, FrontAnswer]>([
    ["is throttling", refuse(400, "ThrottlingException")],
    [
      "truncates its answers",
      of("GetMetricData", (_, response) => {
        response.writeHead(200, { ...json, "content-length": "1000" }).write('{"MetricDataResults": [');
        setTimeout(() => response.destroy(), 10);
        return true;
      }),
    ],
    [
      "sends endless answers",
      of("GetMetricData", (_, response) => {
        const chunk = Buffer.alloc(1024 * 1024, "x");
        response.writeHead(200, json);
        const more = () => {
          while (!response.destroyed) if (!response.write(chunk)) return void response.once("drain", more);
        };
        more();
        return true;
      }),
    ],
    [
      "returns metrics that were not requested",
      of("GetMetricData", (_, response) => {
        const result = { Id: "m0", StatusCode: "Complete", Timestamps: [1_700_000_000], Values: [1e300] };
        response.writeHead(200, json).end(JSON.stringify({ MetricDataResults: [result] }));
        return true;
      }),
    ],
  ])("that %s is reported once and called less and less often; none of its data is shown", async (_, answer) => {
    const id = await cluster.addBalancer(await stage.made.network());
    cluster.front.answer = answer;
    await stage.startLoop();
    await cluster.setUp();
    await cluster.becomes({ phase: "unreachable" });
    const pauses: number[] = [];
    for (const number of [10, 40, 70]) {
      await cluster.lookAt(after(number), { phase: "unreachable" });
      await expect
        .poll(() => stage.database.db.reconcileTask.count({ where: { lease: { not: null } } }), patience)
        .toBe(0);
      const where = { kind_objectId: { kind: "cloud-metrics", objectId: cluster.id } };
      const { dueAt } = await stage.database.db.reconcileTask.findUniqueOrThrow({ where });
      pauses.push((dueAt.getTime() - Date.now()) / 60_000);
    }
    const [first = 0, second = 0, third = 0] = pauses;
    expect(first).toBeLessThan(second);
    expect(second).toBeGreaterThan(10);
    expect(third).toBeLessThan(20);
    expect(await cluster.events()).toEqual(["warning CloudMetricsUnreachable"]);
    expect(await cluster.series(id, "connectionsLive", after(-60))).toEqual([]);
    cluster.front.answer = null;
    await cluster.lookAt(after(71), { phase: "reading" });
    expect(await cluster.series(id, "connectionsLive")).toHaveLength(66);
  });

  it("that returns partial data leaves the rest unknown, is reported, and is queried again", async () => {
    const balancer = await stage.made.network();
    const id = await cluster.addBalancer(balancer);
    await stage.made.measure(balancer, after(2), { NewFlowCount: 60 });
    const idsOf = ({ body }: FrontRequest) =>
      (JSON.parse(body) as { MetricDataQueries: { Id: string }[] }).MetricDataQueries.map((each) => each.Id);
    cluster.front.answer = of("GetMetricData", (request, response) => {
      const Timestamps = [after(3).getTime() / 1_000];
      const MetricDataResults = idsOf(request).map((Id) => ({
        Id,
        StatusCode: "PartialData",
        Timestamps,
        Values: [30],
      }));
      response.writeHead(200, json).end(JSON.stringify({ MetricDataResults }));
      return true;
    });
    stage.now = after(10);
    await stage.database.db.loadBalancer.update({ where: { id }, data: { createdAt: after(0) } });
    await stage.startLoop();
    await cluster.setUp();
    await cluster.becomes({
      phase: "partial",
      balancers: [{ readUntil: null, problem: expect.stringContaining("only partially") }],
    });
    expect(await cluster.series(id, "connectionsLive")).toEqual([[3, 30]]);
    expect(await cluster.events()).toEqual(["warning CloudMetricsPartial"]);
    cluster.front.answer = null;
    await cluster.lookAt(after(11), { phase: "reading", balancers: [{ readUntil: after(6), problem: "" }] });
    expect(await cluster.series(id, "connectionsNewPerSecond")).toEqual([
      [0, 0],
      [1, 0],
      [2, 1],
      [3, 0],
      [4, 0],
      [5, 0],
    ]);
  });
});

describe("a deleted balancer", () => {
  it("is reported, is never shown as zero, and delays no other", async () => {
    const [gone, there] = [await stage.made.network(), await stage.made.network()];
    const [goneId, thereId] = [await cluster.addBalancer(gone), await cluster.addBalancer(there)];
    await stage.startLoop();
    await cluster.setUp();
    await cluster.becomes({ phase: "reading", balancersFound: 2, metricsPerHour: 360 });
    await stage.made.remove(gone);
    await cluster.lookAt(after(30), {
      phase: "partial",
      message: expect.stringMatching(/^Of 2 load balancers, shop-1 isn't read, or not whole: AWS has no load balancer/),
      balancersTotal: 2,
      balancersFound: 1,
      metricsPerHour: 180,
    });
    expect((await cluster.status()).balancers[0]).toMatchObject({ loadBalancerId: goneId, kind: "" });
    expect(await cluster.series(goneId, "connectionsLive")).toEqual([]);
    expect(minutes(await cluster.series(thereId, "connectionsLive"))).toHaveLength(25);
    // A balancer that is being deleted may well be gone.
    await stage.database.db.loadBalancer.update({ where: { id: goneId }, data: { deletedAt: after(30) } });
    await cluster.lookAt(after(31), { phase: "reading" });
    expect(await cluster.events()).toEqual([
      "info CloudMetricsRead",
      "warning CloudMetricsPartial",
      "info CloudMetricsRead",
    ]);
  });

  it("of the same name in another region is another account's", async () => {
    const theirs = await stage.made.network();
    const id = await cluster.addBalancer({ address: theirs.address.replace("eu-central-1", "eu-west-1") });
    await stage.made.measure(theirs, after(1), { NewFlowCount: 60 });
    stage.now = after(10);
    await stage.startLoop();
    await cluster.setUp();
    await cluster.becomes({ phase: "partial", balancersFound: 0 });
    expect(await stage.database.db.series.count({ where: { subjectId: id } })).toBe(0);
  });
});

it("twenty clusters whose clouds don't answer delay no cluster whose cloud does", async () => {
  const silent: ClusterFixture[] = [];
  for (let index = 0; index < 20; index++) {
    const each = await stage.addCluster();
    each.front.answer = () => true;
    await each.addBalancer({ address: "a.eu-central-1.elb.amazonaws.com" });
    await each.setUp();
    silent.push(each);
  }
  await cluster.addBalancer(await stage.made.network());
  await stage.startLoop();
  await expect.poll(() => silent.every((each) => each.front.requestCounts.size > 0), patience).toBe(true);
  const began = performance.now();
  await cluster.setUp();
  await cluster.becomes({ phase: "reading" });
  // Far below the wait for a silent cloud: 30 s, since each of three attempts times out after 10 s.
  expect(performance.now() - began).toBeLessThan(10_000);
  for (const each of silent) expect((await each.status()).phase).toBe("checking");
});
