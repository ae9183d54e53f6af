import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { BgpStatusSchema, type Question } from "@fairlead/agent-protocol";
import { updateCluster } from "@fairlead/domain/cluster";
import {
  listRoutes,
  type QueryRoutingTable,
  queryRoutingTable as queryInput,
  type RoutingTable,
} from "@fairlead/domain/routing";
import * as services from "@fairlead/services";
import { createTestOrganization } from "@fairlead/services/testing";
import { silentLog } from "@fairlead/telemetry";
import { expect, it, vi } from "vitest";
import { startGateway } from "../index.ts";
import { type BalancerFixture, type BalancerStage, onBalancerStage, patience } from "../testing/balancer-stage.ts";
import { asTestAgent, enrollTestAgent, type TestAgent } from "../testing/test-agent.ts";

let stage: BalancerStage;
let fixture: BalancerFixture;
onBalancerStage((ours, entered) => {
  stage = ours;
  fixture = entered;
});

type Answering = (question: Question, agent: TestAgent) => unknown;
const since = new Date(Date.now() - 60_000);
const route = { prefix: "192.0.2.7/32", nextHop: "10.9.0.1", from: "10.9.0.11", preference: 100, best: true };
const answerWith =
  (routes: object[], more: object = {}): Answering =>
  ({ id }, { client }) =>
    client.answer({ questionId: id, routes: { routes, known: 1_000n, ...more } });

/** follow makes an agent of a role report once, and answer questions. */
async function follow(agent: TestAgent, role: string, answering: Answering): Promise<TestAgent> {
  await agent.report({ bgp: create(BgpStatusSchema, {}), info: { version: "1.2.3", roles: [role] } as never });
  const stream = agent.client.watch({ info: { version: "1.2.3", roles: [role] } })[Symbol.asyncIterator]();
  await stream.next(); // now it is connected to the gateway
  void (async () => {
    for (let next = await stream.next(); !next.done; next = await stream.next())
      if (next.value.message.case === "question") await answering(next.value.message.value, agent);
  })().catch(() => undefined); // until its connection is closed
  return agent;
}

const join = async (nodeName: string, role: string, answering: Answering) =>
  follow(await enrollTestAgent(fixture.now(), stage.port, fixture.clusterId, nodeName, [role]), role, answering);

const query = (input: Partial<QueryRoutingTable>): Promise<RoutingTable> =>
  services.queryRoutingTable(fixture.now(), queryInput.parse(input));
const covering = (more: object = {}) => query({ clusterId: fixture.clusterId, covers: "192.0.2.7", ...more });

it("queries reflectors and routers for received routes, and names their senders and next hops", async () => {
  const routing = { asn: 65_021, balancers: ["10.9.0.0/24"], reflectors: [{ name: "rr-1", address: "10.9.0.11" }] };
  await services.updateCluster(fixture.now(), fixture.clusterId, updateCluster.parse({ routing }));
  const heard: Question[] = [];
  const more = { med: 7, asPath: [65_100], communities: ["65021:100"], since: timestampFromDate(since) };
  const router = await join("tor-1", "router", (question, agent) => {
    heard.push(question);
    return answerWith([{ ...route, ...more }])(question, agent);
  });
  const refused = "it is outside the accepted prefixes";
  const reflector = await join("rr-1", "reflector", answerWith([{ ...route, from: "", best: false, refused }]));
  const speaker = await join("n1", "speaker", () => expect.unreachable("speakers were not queried"));
  const announced = { prefix: "192.0.2.7/32", nextHop: "10.9.0.1", state: "offered" };
  await speaker.report({ bgp: create(BgpStatusSchema, { address: "10.9.0.1", announcements: [announced] }) });

  const { answers } = await covering();
  expect(answers).toMatchObject([
    {
      agentId: reflector.agentId,
      nodeName: "rr-1",
      role: "reflector",
      state: "answered",
      routes: [{ from: "", fromName: "", isBest: false, refused }],
    },
    {
      agentId: router.agentId,
      nodeName: "tor-1",
      state: "answered",
      message: "",
      known: 1_000,
      next: null,
      routes: [
        {
          prefix: "192.0.2.7/32",
          nextHop: "10.9.0.1",
          nextHopName: "n1",
          from: "10.9.0.11",
          fromName: "rr-1",
          preference: 100,
          med: 7,
          asPath: [65_100],
          communities: ["65021:100"],
          isBest: true,
          refused: "",
          since,
        },
      ],
    },
  ]);
  expect(heard).toMatchObject([{ routes: { covers: "192.0.2.7", prefix: "", after: "", most: 100 } }]);
  expect(await fixture.now().db.agentQuestion.count()).toBe(0);
  for (const each of [router, reflector, speaker]) each.close();
});

it("pages through the table of one agent, including speakers", async () => {
  const speaker = await join("n1", "speaker", (question, agent) => {
    const { after = "", most = 0 } = question.routes ?? {};
    return answerWith([{ ...route, prefix: after ? "192.0.2.9/32" : "192.0.2.7/32" }], {
      next: after ? "" : `after ${most}`,
    })(question, agent);
  });
  const { agentId } = speaker;
  const listed = await services.listRoutingTableAgents(fixture.now(), { clusterId: fixture.clusterId });
  expect(listed.agents).toMatchObject([{ agentId, nodeName: "n1", role: "speaker" }]);
  const [first] = (await query({ agentId, limit: 1 })).answers;
  expect(first).toMatchObject({ next: "after 1", routes: [{ prefix: "192.0.2.7/32" }] });
  const [second] = (await query({ agentId, limit: 1, after: first?.next ?? "" })).answers;
  expect(second).toMatchObject({ next: null, routes: [{ prefix: "192.0.2.9/32" }] });
  speaker.close();
});

it("queries routers for kernel routes beyond those they report, and names versions that don't support it", async () => {
  const kernelRoute = (i: number) => ({
    prefix: `198.18.${i >> 8}.${i & 255}/32`,
    since: timestampFromDate(since),
    nextHops: [{ address: "10.9.0.1", weight: 1, since: timestampFromDate(since) }],
  });
  const heard: Question[] = [];
  const last = kernelRoute(1_000);
  const router = await join("tor-1", "router", (question, { client }) => {
    heard.push(question);
    const nextHops = [...last.nextHops, { address: "10.9.0.2", weight: 3 }];
    const kernel = { routes: [{ ...last, nextHops }], known: 1_001n, next: "more" };
    return client.answer({ questionId: question.id, kernel });
  });
  const routes = Array.from({ length: 1_000 }, (_, i) => kernelRoute(i));
  await router.report({ bgp: create(BgpStatusSchema, { routes, routesLeftOut: 1n }) });
  // An agent from before that question finds neither form in it.
  const problem = "this version of the agent doesn't support this query";
  const old = await join("tor-2", "router", ({ id, routes }, agent) =>
    routes ? answerWith([route])({ id, routes } as Question, agent) : agent.client.answer({ questionId: id, problem }),
  );
  const reflector = await join("rr-1", "reflector", () => expect.unreachable("a reflector has no such routes"));

  const covers = "198.18.3.232";
  const listed = listRoutes.parse({ clusterId: fixture.clusterId, covers });
  expect(await services.listRoutes(fixture.now(), listed)).toMatchObject({
    items: [],
    leftOut: [{ agentId: router.agentId, nodeName: "tor-1", kept: 1_000, known: 1_001 }],
  });
  const { answers } = await query({ clusterId: fixture.clusterId, covers, kernel: true, limit: 1 });
  expect(answers).toMatchObject([
    {
      nodeName: "tor-1",
      state: "answered",
      known: 1_001,
      next: "more",
      routes: [],
      kernelRoutes: [
        {
          prefix: "198.18.3.232/32",
          nextHops: [
            { address: "10.9.0.1", name: "", weight: 1, share: 0.25 },
            { address: "10.9.0.2", name: "", weight: 3, share: 0.75 },
          ],
        },
      ],
    },
    { nodeName: "tor-2", state: "refused", message: `tor-2 could not answer: ${problem}.`, kernelRoutes: [] },
  ]);
  expect(heard).toMatchObject([{ kernel: { covers, prefix: "", after: "", most: 1, longer: false } }]);
  expect(heard[0]?.routes).toBeUndefined();
  for (const each of [router, old, reflector]) each.close();
});

it("waits seconds for an agent that doesn't answer, names its version, and shows the other answers", async () => {
  const old = await join("rr-1", "reflector", () => undefined);
  const good = await join("rr-2", "reflector", answerWith([route]));
  const unable = await join("tor-1", "router", ({ id }, { client }) =>
    client.answer({ questionId: id, problem: "BGP has not started" }),
  );
  const gone = await join("tor-2", "router", () => undefined);
  await fixture.now().db.nodeStatus.update({ where: { agentId: gone.agentId }, data: { lastReportAt: new Date(0) } });

  const began = performance.now();
  const { answers } = await covering();
  expect(performance.now() - began).toBeLessThan(6_000);
  expect(answers.map(({ nodeName, state, message }) => [nodeName, state, message])).toEqual([
    ["rr-1", "unanswered", expect.stringContaining("rr-1 did not answer within 2.5 s. It runs version 1.2.3")],
    ["rr-2", "answered", ""],
    ["tor-1", "refused", "tor-1 could not answer: BGP has not started."],
    ["tor-2", "silent", expect.stringContaining("silent since 1970-01-01")],
  ]);
  expect(await fixture.now().db.agentQuestion.count()).toBe(0);
  for (const each of [old, good, unable, gone]) each.close();
});

it("accepts an answer only from the queried agent", async () => {
  const questions: string[] = [];
  const queried = await join("rr-1", "reflector", ({ id }) => questions.push(id));
  const other = await join("rr-2", "reflector", () => undefined);
  const answer = query({ agentId: queried.agentId });
  await vi.waitFor(() => expect(questions).toHaveLength(1), patience);
  const [questionId = ""] = questions;
  await other.client.answer({ questionId, routes: { routes: [{ ...route, nextHop: "10.9.0.66" }] } });
  await queried.client.answer({ questionId, routes: { routes: [route] } });
  await queried.client.answer({ questionId, routes: { routes: [] } });
  expect((await answer).answers).toMatchObject([{ state: "answered", routes: [{ nextHop: "10.9.0.1" }] }]);
  await expect(queried.client.answer({ questionId, routes: { routes: Array(201).fill(route) } })).rejects.toThrow(
    /200/,
  );
  for (const each of [queried, other]) each.close();
});

it("reaches an agent through any gateway", async () => {
  const { db, url: databaseUrl } = stage.database;
  const secret = "only-for-tests-".repeat(3);
  const listening = { host: "127.0.0.1", port: 0, stopWithinMs: 500 };
  const second = await startGateway({ db, databaseUrl, secret, log: silentLog, ...listening });
  const here = await enrollTestAgent(fixture.now(), stage.port, fixture.clusterId, "rr-1", ["reflector"]);
  const there = await follow(asTestAgent(second.port, here.key, here), "reflector", answerWith([route]));
  expect((await covering()).answers).toMatchObject([{ state: "answered" }]);
  for (const each of [here, there]) each.close();
  await second.stop();
});

it("queries no agent of another organisation, and limits the queries to one agent", async () => {
  const reflector = await join("rr-1", "reflector", () => undefined);
  const { agentId } = reflector;
  const other = await createTestOrganization(fixture.now().db);
  const theirs = { ...other, now: new Date() };
  await expect(services.queryRoutingTable(theirs, queryInput.parse({ agentId }))).rejects.toMatchObject({
    code: "not-found",
  });
  expect((await services.listRoutingTableAgents(theirs, {})).agents).toEqual([]);
  expect((await services.queryRoutingTable(theirs, queryInput.parse({ covers: "192.0.2.7" }))).answers).toEqual([]);

  const many = await Promise.all(Array.from({ length: 24 }, () => query({ agentId })));
  const messages = many.flatMap(({ answers }) => answers.map(({ message }) => message));
  expect(messages.filter((message) => message.includes("too many open queries")).length).toBeGreaterThanOrEqual(1);
  expect(messages.filter((message) => message.includes("did not answer")).length).toBeGreaterThanOrEqual(8);
  reflector.close();
});
