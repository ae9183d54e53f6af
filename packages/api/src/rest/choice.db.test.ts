import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { Choice } from "@fairlead/domain/choice";
import { deleteCluster, type ServiceContext, updateCluster } from "@fairlead/services";
import { createTestCluster, createTestOrganization } from "@fairlead/services/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestApi, readEvents, type TestApi } from "../testing/index.ts";
import { until } from "../testing/map-stage.ts";

let database: TestDatabase;
let owner: ServiceContext;
let api: TestApi;
let [here, there] = ["", ""];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  owner = await createTestOrganization(database.db);
  api = createTestApi(owner, { choices: { mostOfOrganization: 3 } });
  here = await createCluster("oslo");
  there = await createCluster("rome");
});
afterEach(() => {
  api.close();
  expect(api.faults).toEqual([]);
});

async function createCluster(region: string): Promise<string> {
  const { cluster } = await createTestCluster(owner);
  await updateCluster(owner, cluster.id, { region });
  return cluster.id;
}

const requirements = { region: { anyOf: ["oslo"] } };
const post = (json: object, path = "", init: RequestInit = {}) =>
  api.fetch(owner, `/choose${path}`, { ...init, method: "POST", json });
const choose = async (more: object = {}) => (await (await post({ requirements, ...more })).json()) as Choice;

it("ranks clusters with evidence, and names the state of the choice", async () => {
  const response = await post({ requirements });
  expect([response.status, response.headers.get("etag")]).toEqual([200, expect.stringMatching(/^W\//)]);
  expect(await response.json()).toMatchObject({
    ...{ winner: { id: here }, reason: "It has the most points.", hysteresis: { marginPoints: 5, holdSeconds: 30 } },
    settled: { winnerId: here, behindSince: null },
    items: [
      { id: here, rank: 1, points: 100, evidence: [{ result: "met", text: "oslo", source: "Cluster" }], against: [] },
      { id: there, rank: 2, points: 0, against: ["Region: rome; preferred: oslo."] },
    ],
  });
});

it.each([
  [{}, "#/requirements"],
  [{ requirements: {} }, "#/requirements"],
  [{ requirements: { latencyMsP99: { atMost: 0 } } }, "#/requirements/latencyMsP99/atMost"],
  [{ requirements: { labels: { match: {} } } }, "#/requirements/labels/match"],
  [{ requirements: { region: { anyOf: ["x"], weight: -1 } } }, "#/requirements/region/weight"],
  [{ requirements, wait: "30s" }, "#/after"],
  [{ requirements, wait: "90s", after: "" }, "#/wait"],
  [{ requirements, hysteresis: { marginPoints: 101 } }, "#/hysteresis/marginPoints"],
  [{ requirements, previous: { winnerId: "x", behindSince: "soon" } }, "#/previous/behindSince"],
])("rejects %j and names the field", async (body, pointer) => {
  for (const path of ["", "/stream"]) {
    const response = await post(body, path);
    expect([path, response.status]).toEqual([path, 422]);
    expect(await response.json()).toMatchObject({ errors: [{ in: "body", pointer, message: expect.any(String) }] });
  }
});

it("keeps the previous winner by the hysteresis that it states", async () => {
  const { settled } = await choose();
  await updateCluster(owner, here, { region: "rome" });
  await updateCluster(owner, there, { region: "oslo" });
  const strict = { hysteresis: { marginPoints: 101 - 1, holdSeconds: 3_600 }, previous: settled };
  expect(await choose({ ...strict, previous: settled })).toMatchObject({ winner: { id: there } });
  const soft = { requirements: { ...requirements, addressFamily: { family: "ipv4", weight: 99 } } };
  const kept = await choose({ ...soft, previous: settled });
  expect(kept).toMatchObject({ winner: { id: here }, settled: { winnerId: here, behindSince: expect.any(String) } });
  expect(kept.reason).toMatch(/leads it by 1 point: less than 5, and not yet for 30 s/);
  expect(await choose({ ...soft, previous: kept.settled, hysteresis: { holdSeconds: 0 } })).toMatchObject({
    winner: { id: there },
  });
});

describe("a waiting client", () => {
  it("is answered at once when it has another state", async () => {
    expect((await choose({ wait: "60s", after: "" })).winner?.id).toBe(here);
    expect(api.choices.watcherCount).toBe(0);
  });

  it("is answered when the winner changes", async () => {
    const { state, settled } = await choose();
    const waiting = choose({ wait: "60s", after: state, previous: settled });
    await until(() => api.choices.watcherCount === 1);
    await updateCluster(owner, here, { region: "rome" });
    await updateCluster(owner, there, { region: "oslo" });
    const answer = await waiting;
    expect(answer.state).not.toBe(state);
    await until(() => api.choices.watcherCount === 0);
  });

  it("gets the same state when nothing changed in time", async () => {
    const { state } = await choose();
    expect((await choose({ wait: "1s", after: state })).state).toBe(state);
  });

  it("changes to a candidate that leads a little for the hold time", async () => {
    const soft = {
      requirements: { ...requirements, addressFamily: { family: "ipv4", weight: 99 } },
      ...{ hysteresis: { holdSeconds: 1 }, previous: { winnerId: there } },
    };
    const first = await choose(soft);
    expect(first).toMatchObject({ winner: { id: there } });
    const next = await choose({ ...soft, wait: "10s", after: first.state, previous: first.settled });
    expect(next).toMatchObject({
      winner: { id: here },
      reason: expect.stringMatching(/led .* for 1 s, now by 1 point/),
    });
  });

  it("is limited in number, and released when it or the server stops", async () => {
    const { state } = await choose();
    const client = new AbortController();
    const wait = { requirements, wait: "60s", after: state };
    const waiting = Array.from({ length: 3 }, () => post(wait, "", { signal: client.signal }));
    await until(() => api.choices.watcherCount === 3);
    const refused = await post(wait);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "10"]);
    expect((await post({ requirements })).status).toBe(200);
    client.abort();
    await Promise.all(waiting);
    expect(api.choices.watcherCount).toBe(0);
    const last = post(wait);
    await until(() => api.choices.watcherCount === 1);
    api.choices.close();
    expect((await last).status).toBe(503);
  });
});

describe("a stream", () => {
  const open = async (more: object = {}) => {
    const response = await post({ requirements, ...more }, "/stream", { headers: { accept: "text/event-stream" } });
    expect(response.status).toBe(200);
    return readEvents(response);
  };

  it("begins with the whole choice and sends each later state", async () => {
    const events = await open();
    const first = (await events.next()).value;
    expect(first).toMatchObject({ event: "choice", data: { winner: { id: here } } });
    await deleteCluster(owner, await removePools(here));
    const second = (await events.next()).value;
    expect(second).toMatchObject({ event: "choice", data: { winner: { id: there }, candidateCount: 1 } });
    await events.return?.(undefined);
  });

  it("resumes without a repeat", async () => {
    const { state, settled } = await choose();
    const events = await open({ after: state, previous: settled });
    expect((await events.next()).value).toMatchObject({ id: state, event: "unchanged" });
    await events.return?.(undefined);
  });

  it("rejects wait, other media types and other methods", async () => {
    expect((await post({ requirements, wait: "5s", after: "" }, "/stream")).status).toBe(422);
    expect((await post({ requirements }, "/stream", { headers: { accept: "application/json" } })).status).toBe(406);
    expect((await api.fetch(owner, "/choose/stream")).status).toBe(405);
  });
});

async function removePools(clusterId: string): Promise<string> {
  await owner.db.addressPool.deleteMany({ where: { clusterId } });
  return clusterId;
}
