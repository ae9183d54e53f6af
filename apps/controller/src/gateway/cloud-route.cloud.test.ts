import { createServer, type Server } from "node:http";
import { awsCloudRoute } from "@fairlead/drivers/aws";
import { createTestVpc, type TestVpc, testCredentials } from "@fairlead/drivers/aws-testing";
import { cloudRouteReconciler, type Loop, loopMetrics, startLoop } from "@fairlead/reconciler";
import {
  cloudRouteBox,
  deleteCluster,
  deleteExposure,
  getCluster,
  listAuditEntries,
  listCloudAddresses,
  listEvents,
  markDirty,
  updateCluster,
  updateNode,
} from "@fairlead/services";
import { createMetrics, silentLog } from "@fairlead/telemetry";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type BalancerScene, type BalancerStage, onBalancerStage, patience } from "./testing/balancer-stage.ts";
import { silence } from "./testing/carried.ts";
import { pod } from "./testing/test-balancer.ts";

const secret = "only-for-tests-".repeat(3);
let stage: BalancerStage;
let scene: BalancerScene;
onBalancerStage((ours, entered) => {
  stage = ours;
  scene = entered;
});

let vpc: TestVpc;
let table: string;
let loop: Loop;
let front: Front;
const start = () =>
  startLoop({
    db: stage.database.db,
    listenUrl: stage.database.url,
    reconcilers: [
      cloudRouteReconciler(awsCloudRoute, { box: cloudRouteBox(secret), presence: { lastsMs: () => 3_600_000 } }),
    ],
    log: silentLog,
    metrics: loopMetrics(createMetrics(), stage.database.db),
    leaseMs: 1_000,
  });
beforeEach(async () => {
  vpc = await createTestVpc();
  for (const number of [1, 2, 3]) await vpc.addInterface(`10.9.0.${number}`);
  table = await vpc.addRouteTable();
  front = await startFront(vpc.place.endpoint);
  loop = await start();
});
afterEach(async () => {
  await loop.stop();
  await front.close();
  vpc.client.destroy();
});

const settings = (endpoint: string) => ({
  ...vpc.place,
  endpoint,
  vpcId: null,
  method: "route" as const,
  routeTables: [table],
});
const setUp = () =>
  updateCluster(scene.now(), scene.clusterId, {
    cloudRoute: { ...settings(front.url), credentials: testCredentials },
  });
const listed = async () =>
  (await listCloudAddresses(scene.now(), { clusterId: scene.clusterId, sort: "address", direction: "asc", limit: 10 }))
    .items;
const told = async (reason: string) => {
  const asked = { clusterId: scene.clusterId, reason: [reason], sort: "at" as const, direction: "desc" as const };
  return (await listEvents(scene.now(), { ...asked, limit: 10 })).items.map((each) => each.message);
};
/** Waits until the one address is as described. */
const comes = (want: object) => vi.waitFor(async () => expect(await listed()).toMatchObject([want]), patience);
/** Has it looked at again now, as it would be in a while. */
const look = () => markDirty(stage.database.db, "cloud-route", scene.clusterId);
const idOf = async (number: number) =>
  (await vpc.interfaces()).find((each) => each.address === `10.9.0.${number}`)?.id ?? "";

describe("a service address in a cloud", () => {
  it("is brought to a replica, moves when that falls silent, stays there, and is taken away with its exposure", async () => {
    const made = await scene.serve(2, [pod(1)]);
    await setUp();
    await comes({ state: "placed" });
    const [first] = await listed();
    const address = first?.address ?? "";
    const on = scene.balancers.findIndex((_, index) => `n${index + 1}` === first?.nodeName);
    expect(await vpc.leadsTo(table, address)).toBe(await idOf(on + 1));
    expect(await told("AddressPlaced")).toEqual([
      expect.stringMatching(`${address} leads to ${first?.nodeName}; that took`),
    ]);

    const other = on === 0 ? 2 : 1;
    const downAt = performance.now();
    await silence(stage, scene.balancers[on]?.agentId, 16);
    await look();
    const target = await idOf(other);
    await vi.waitFor(async () => expect(await vpc.leadsTo(table, address)).toBe(target), patience);
    console.log(`counted as silent → entry moved: ${Math.round(performance.now() - downAt)} ms`);
    await comes({ state: "placed", nodeName: `n${other}`, interfaceId: target });
    expect(await told("AddressMoved")).toEqual([
      expect.stringMatching(
        `${address} moved from n${on + 1} to n${other}, because n${on + 1} has not reported for 1[67] s; that took \\d+\\.\\d s`,
      ),
    ]);
    // The first is back, and nothing moves for that.
    await scene.balancers[on]?.say();
    await look();
    await comes({ state: "placed", nodeName: `n${other}` });

    stage.times.drainMs = 0;
    await deleteExposure(scene.now(), made.id);
    await vi.waitFor(async () => expect(await listed()).toEqual([]), patience);
    expect(await vpc.leadsTo(table, address)).toBeNull();
  });

  it("leaves a node that drains", async () => {
    await scene.serve(2, [pod(1)]);
    await setUp();
    await comes({ state: "placed" });
    const [first] = await listed();
    const other = first?.nodeName === "n1" ? "n2" : "n1";
    await updateNode(scene.now(), first?.nodeId ?? "", { draining: true });
    await comes({ state: "placed", nodeName: other, reason: `${first?.nodeName} drains` });
    expect(await told("AddressMoved")).toHaveLength(1);
  });

  it("that somebody else has an entry for is left to them, with an event; and is ours when they are gone", async () => {
    await scene.serve(1, [pod(1)]);
    const exposures = await stage.database.db.virtualAddress.findMany({
      where: { loadBalancer: { clusterId: scene.clusterId } },
    });
    const address = exposures[0]?.address ?? "";
    const foreign = await vpc.addInterface("10.9.0.99");
    await vpc.route(table, address, foreign);
    await setUp();
    await comes({ state: "refused", address, reason: expect.stringContaining(`already leads to ${foreign}`) });
    expect(await told("AddressRefused")).toEqual([expect.stringContaining(foreign)]);
    expect(await vpc.leadsTo(table, address)).toBe(foreign);
    await vpc.unroute(table, address);
    await look();
    await comes({ state: "placed", reason: "" });
    expect(await vpc.leadsTo(table, address)).toBe(await idOf(1));
  });

  it("is taken away from where earlier settings placed it, and everything when they are set to nothing", async () => {
    await scene.serve(1, [pod(1)]);
    await setUp();
    await comes({ state: "placed" });
    const address = (await listed())[0]?.address ?? "";
    const another = await vpc.addRouteTable();
    await updateCluster(scene.now(), scene.clusterId, {
      cloudRoute: { ...settings(front.url), routeTables: [another] },
    });
    await vi.waitFor(async () => expect(await vpc.leadsTo(another, address)).toBe(await idOf(1)), patience);
    await vi.waitFor(async () => expect(await vpc.leadsTo(table, address)).toBeNull(), patience);
    await updateCluster(scene.now(), scene.clusterId, { cloudRoute: null });
    await vi.waitFor(async () => expect(await vpc.leadsTo(another, address)).toBeNull(), patience);
    await vi.waitFor(
      async () => expect(await stage.database.db.cloudRoute.count({ where: { clusterId: scene.clusterId } })).toBe(0),
      patience,
    );
    expect((await vpc.interfaces()).flatMap((each) => each.tags)).toEqual([]);
  });
});

describe("faults", () => {
  it("asked to slow down, it comes back by itself", async () => {
    await scene.serve(1, [pod(1)]);
    front.answer = refusal(503, "RequestLimitExceeded");
    await setUp();
    await vi.waitFor(async () => expect(await told("CloudUnreachable")).toHaveLength(1), patience);
    expect((await told("CloudUnreachable"))[0]).toContain("asks to slow down");
    front.answer = null;
    await comes({ state: "placed" });
  });

  it.each([
    ["AuthFailure", 401, "doesn't know the access key; set a valid one (AuthFailure)"],
    ["SignatureDoesNotMatch", 403, "the secret doesn't belong to the access key"],
    ["UnauthorizedOperation", 403, "doesn't let the access key do ec2:DescribeRouteTables"],
  ])("of the key (%s) are told with their cure and without the key", async (code, status, words) => {
    await scene.serve(1, [pod(1)]);
    front.answer = refusal(status, code);
    await setUp();
    await comes({ state: "refused", reason: expect.stringContaining(words) });
    const all = JSON.stringify([
      await getCluster(scene.now(), scene.clusterId),
      await listed(),
      await told("CloudRefused"),
      await listAuditEntries(scene.now(), { subjectId: scene.clusterId, sort: "at", direction: "desc", limit: 50 }),
      await stage.database.db.cloudRoute.findMany(),
      await stage.database.db.reconcileTask.findMany({ where: { kind: "cloud-route" }, select: { lastError: true } }),
    ]);
    expect(await told("CloudRefused")).toHaveLength(1);
    expect(all).not.toContain(testCredentials.secretAccessKey);
    expect(all).not.toContain(testCredentials.accessKeyId);
    front.answer = null;
    // A key that is mended outside is found to work without anybody telling us.
    await comes({ state: "placed" });
  });

  it("of a key that would go to another server: it has to be given anew", async () => {
    await setUp();
    const elsewhere = updateCluster(scene.now(), scene.clusterId, { cloudRoute: settings("http://127.0.0.1:1") });
    await expect(elsewhere).rejects.toMatchObject({ fields: [{ path: ["cloudRoute", "credentials"] }] });
  });

  it.each(["CreateTags", "CreateRoute"])(
    "a controller that dies after %s leaves nothing that the next can't mend",
    async (action) => {
      await scene.serve(1, [pod(1)]);
      const { promise, resolve } = Promise.withResolvers<void>();
      // What comes after that call is never answered: the controller ends there.
      front.after = { action, reached: resolve };
      await setUp();
      await promise;
      await loop.stop(0);
      front.after = null;
      loop = await start();
      await comes({ state: "placed" });
      const address = (await listed())[0]?.address ?? "";
      expect(await vpc.leadsTo(table, address)).toBe(await idOf(1));
      await expect(deleteCluster(scene.now(), scene.clusterId)).rejects.toMatchObject({ code: "conflict" });
    },
  );
});

type Answer = { status: number; body: string };
type Front = {
  url: string;
  /** Said to every request instead of asking the emulator. */
  answer: Answer | null;
  /** After this action, requests hang. */
  after: { action: string; reached: () => void } | null;
  close: () => Promise<void>;
};

function refusal(status: number, code: string): Answer {
  const body = `<Response><Errors><Error><Code>${code}</Code><Message>of ${testCredentials.accessKeyId}</Message></Error></Errors><RequestID>r</RequestID></Response>`;
  return { status, body };
}

/** startFront stands before the emulator and says what AWS would say on a bad day. */
async function startFront(behind: string): Promise<Front> {
  let isStuck = false;
  const server: Server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    if (front.answer) return void response.writeHead(front.answer.status).end(front.answer.body);
    if (!front.after) isStuck = false;
    if (isStuck) return;
    const headers = Object.entries(request.headers).filter(
      ([name]) => !["host", "content-length", "connection"].includes(name),
    );
    const answer = await fetch(`${behind}${request.url}`, {
      method: "POST",
      headers: headers as [string, string][],
      body,
    });
    const text = await answer.text();
    if (front.after && body.includes(`Action=${front.after.action}&`)) {
      isStuck = true;
      front.after.reached();
      return;
    }
    response.writeHead(answer.status, { "content-type": "text/xml" }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const own: Front = {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    answer: null,
    after: null,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return own;
}
