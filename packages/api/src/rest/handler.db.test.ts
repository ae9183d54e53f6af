import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import type { Cluster } from "@fairlead/domain/cluster";
import type { ServiceContext } from "@fairlead/services";
import { createTestCluster, createTestOrganization } from "@fairlead/services/testing";
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

const spec = { name: "frankfurt", kind: "lab" };

describe("a response has the status and headers of its outcome", () => {
  it("reads an object", async () => {
    const response = await api.fetch(owner, `/clusters/${cluster.id}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("etag")).toMatch(/^"1\.[\w-]{16}"$/);
    expect(response.headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(cluster)));
  });

  it("returns the location of a created object", async () => {
    const response = await api.fetch(owner, "/clusters", { method: "POST", json: spec });
    expect(response.status).toBe(201);
    const made = (await response.json()) as Cluster;
    expect(response.headers.get("location")).toBe(`/api/v1/clusters/${made.id}`);
    expect((await api.fetch(owner, `/clusters/${made.id}`)).status).toBe(200);
  });

  it("answers a deletion without a body", async () => {
    const response = await api.fetch(owner, `/clusters/${cluster.id}`, { method: "DELETE" });
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect((await api.fetch(owner, `/clusters/${cluster.id}`)).status).toBe(404);
  });

  it("deletes for a client that reads only problems, because the answer has no format", async () => {
    const headers = { accept: "application/problem+json" };
    const response = await api.fetch(owner, `/clusters/${cluster.id}`, { method: "DELETE", headers });
    expect(response.status).toBe(204);
    expect((await api.fetch(owner, "/clusters", { headers })).status).toBe(406);
  });

  it("deletes a cluster that still has addresses in a cloud only with a parameter for that", async () => {
    const { db, organizationId } = owner;
    const row = { id: newId("cloudAddress"), organizationId, clusterId: cluster.id, address: "192.0.2.1" };
    await db.cloudAddress.create({ data: { ...row, loadBalancerId: "lb_1", decidedAt: new Date(), state: "placed" } });
    const remove = (query: string) => api.fetch(owner, `/clusters/${cluster.id}${query}`, { method: "DELETE" });
    const refused = await remove("");
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ detail: expect.stringContaining("forgetCloudAddresses") });
    expect((await remove("?forgetCloudAddresses=false")).status).toBe(409);
    expect((await remove("?forgetCloudAddresses=true")).status).toBe(204);
  });

  it("answers HEAD like GET, without the body", async () => {
    const get = await api.fetch(owner, "/clusters");
    const head = await api.fetch(owner, "/clusters", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("etag")).toBe(get.headers.get("etag"));
  });

  it("lists the methods of a path for OPTIONS", async () => {
    const response = await api.fetch(null, "/clusters", { method: "OPTIONS" });
    expect([response.status, response.headers.get("allow")]).toEqual([204, "GET, HEAD, POST, OPTIONS"]);
  });

  it("shows its OpenAPI document to any client", async () => {
    const response = await api.fetch(null, "/openapi.json");
    expect(await response.json()).toMatchObject({ openapi: "3.1.0" });
    const again = await api.fetch(null, "/openapi.json", {
      headers: { "if-none-match": response.headers.get("etag") ?? "" },
    });
    expect(again.status).toBe(304);
  });
});

describe("a list", () => {
  it("can be followed to its end by Link, each row once", async () => {
    for (const n of [1, 2, 3, 4])
      await api.fetch(owner, "/clusters", { method: "POST", json: { ...spec, name: `c${n}` } });
    const seen: string[] = [];
    for (let path: string | undefined = "/clusters?limit=2&kind=lab"; path; ) {
      const response: Response = await api.fetch(owner, path);
      const page = (await response.json()) as { items: Cluster[]; total: number };
      expect(page.total).toBe(5);
      seen.push(...page.items.map((each) => each.name));
      path = /<\/api\/v1([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
    }
    expect(seen).toEqual(["c1", "c2", "c3", "c4", cluster.name].sort());
  });

  it("takes a filter once or several times", async () => {
    const total = async (query: string) =>
      ((await (await api.fetch(owner, `/clusters?${query}`)).json()) as { total: number }).total;
    expect([await total("kind=lab"), await total("kind=lab&kind=machines"), await total("kind=machines")]).toEqual([
      1, 1, 0,
    ]);
  });
});
