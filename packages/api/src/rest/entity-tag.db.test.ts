import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import type { Cluster } from "@fairlead/domain/cluster";
import type { ServiceContext } from "@fairlead/services";
import {
  createTestCluster,
  createTestExposure,
  createTestNode,
  createTestOrganization,
} from "@fairlead/services/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestApi, type TestApi } from "../testing/index.ts";

let database: TestDatabase;
let api: TestApi;
let owner: ServiceContext;
let cluster: Cluster;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  owner = await createTestOrganization(database.db);
  ({ cluster } = await createTestCluster(owner));
  api = createTestApi(owner);
});
afterAll(async () => {
  api.close();
  await database.drop();
});

const tagOf = async (path: string) => (await api.fetch(owner, path)).headers.get("etag") ?? "";
const poll = async (path: string, tag: string) =>
  (await api.fetch(owner, path, { headers: { "if-none-match": tag } })).status;
const change = async (path: string, json: object, tag: string) =>
  (await api.fetch(owner, path, { method: "PATCH", json, headers: { "if-match": tag } })).status;

describe("ETag", () => {
  it("answers 304 for a state that the client has", async () => {
    const path = `/clusters/${cluster.id}`;
    const etag = (await api.fetch(owner, path)).headers.get("etag") ?? "";
    for (const header of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const response = await api.fetch(owner, path, { headers: { "if-none-match": header } });
      expect([response.status, await response.text(), response.headers.get("etag")]).toEqual([304, "", etag]);
    }
    expect((await api.fetch(owner, path, { headers: { "if-none-match": '"x"' } })).status).toBe(200);
  });

  it("changes when observed state changes, though the spec did not", async () => {
    const path = `/clusters/${cluster.id}`;
    const before = (await api.fetch(owner, path)).headers.get("etag") ?? "";
    await owner.db.node.create({
      data: { id: newId("node"), organizationId: owner.organizationId, clusterId: cluster.id, name: "n", settings: {} },
    });
    const response = await api.fetch(owner, path, { headers: { "if-none-match": before } });
    expect(response.status).toBe(200);
    // That must not make a change of the spec fail.
    const change = { method: "PATCH", json: { region: "here" }, headers: { "if-match": before } };
    expect((await api.fetch(owner, path, change)).status).toBe(200);
  });

  it("lets the first of two changes win, and refuses the second", async () => {
    const path = `/clusters/${cluster.id}`;
    const tag = (await api.fetch(owner, path)).headers.get("etag") ?? "";
    const change = (region: string) =>
      api.fetch(owner, path, { method: "PATCH", json: { region }, headers: { "if-match": tag } });
    const responses = await Promise.all([change("one"), change("two")]);
    expect(responses.map((each) => each.status).sort()).toEqual([200, 412]);
    const gone = await api.fetch(owner, path, { method: "DELETE", headers: { "if-match": tag } });
    expect(gone.status).toBe(412);
    const now = responses.find((each) => each.status === 200)?.headers.get("etag") ?? "";
    expect((await api.fetch(owner, path, { method: "DELETE", headers: { "if-match": now } })).status).toBe(204);
  });
});

describe("the ETag of an exposure", () => {
  it("changes with its status, which doesn't prevent a change of its spec", async () => {
    const { exposure } = await createTestExposure(owner);
    const path = `/exposures/${exposure.id}`;
    const observe = (at: string, phase: string) => {
      const status = { phase, message: `It is ${phase}.`, observedAt: new Date(at) };
      const where = { exposureId: exposure.id };
      return database.db.exposureStatus.upsert({ where, update: status, create: { ...where, ...status } });
    };
    await observe("2026-01-01T00:00:00Z", "serving");
    const tag = await tagOf(path);
    expect(tag).toMatch(/^W\/"1\.[\w-]{16}"$/);
    await observe("2026-01-01T00:05:00Z", "serving");
    expect(await poll(path, tag)).toBe(304);
    await observe("2026-01-01T00:10:00Z", "degraded");
    expect(await poll(path, tag)).toBe(200);
    expect(await change(path, { labels: { team: "one" } }, tag)).toBe(200);
    expect(await change(path, { labels: { team: "two" } }, tag)).toBe(412);
  });
});

describe("the ETag of a node", () => {
  it("stays while only its figures and the age of its report change", async () => {
    const { nodeId, agentId } = await createTestNode(owner, cluster.id);
    const paths = [`/nodes/${nodeId}`, "/nodes", "/overview"];
    const tags = await Promise.all(paths.map(tagOf));
    const report = (status: object) => database.db.nodeStatus.update({ where: { agentId }, data: status });
    const figures = { cpuUtilizationRatio: 0.5, memoryUsedRatio: 0.5, load1: 2, corrections: 3, droppedReports: 1 };
    await report({ ...figures, lastReportAt: new Date(Date.now() + 1_000) });
    for (const [i, path] of paths.entries()) expect(await poll(path, tags[i] ?? ""), path).toBe(304);
    await report({ configError: "no such interface" });
    for (const [i, path] of paths.entries()) expect(await poll(path, tags[i] ?? ""), path).toBe(200);
    const [tag = ""] = tags;
    expect(await change(`/nodes/${nodeId}`, { name: "one" }, tag)).toBe(200);
    expect(await change(`/nodes/${nodeId}`, { name: "two" }, tag)).toBe(412);
  });
});
