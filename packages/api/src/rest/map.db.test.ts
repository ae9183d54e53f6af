import { inTransaction } from "@fairlead/db";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { type AddressMap, newId } from "@fairlead/domain";
import { createApiKey, flushMapReads, recordObservedExposure, type ServiceContext } from "@fairlead/services";
import { createTestExposure, createTestOrganization } from "@fairlead/services/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Identity } from "../context.ts";
import { addressHeader, createTestApi, readEvents, type TestApi } from "../testing/index.ts";

let database: TestDatabase;
let api: TestApi;
let owner: ServiceContext;
let id: string;
let loadBalancerId: string;

beforeAll(async () => {
  database = await createTestDatabase({ connections: 12 });
});
beforeEach(async () => {
  owner = await createTestOrganization(database.db);
  const { exposure } = await createTestExposure(owner, { ports: [{ name: "redis", port: 7000, targetPort: 6379 }] });
  id = exposure.id;
  ({ id: loadBalancerId } = await owner.db.loadBalancer.findFirstOrThrow({ where: { exposureId: id } }));
  api = createTestApi(owner, { maps: { mostOfOrganization: 5 } });
});
afterEach(() => {
  expect(api.faults).toEqual([]);
  api.close();
});
afterAll(() => database.drop());

type Seen = { externalAddress?: string; ready?: boolean };

/** see has a reconciliation find an instance behind each of these external ends, as one whole. */
async function see(...instances: Seen[]): Promise<void> {
  const mappings = instances.map(({ externalAddress = "192.0.2.1", ready = true }, n) => ({
    ...{ instance: `redis-${n}`, pod: `redis-${n}`, node: "node-a", protocol: "tcp" as const },
    ...{ internalAddress: `10.0.0.${n + 1}`, internalPort: 6379, externalAddress, externalPort: 7000, ready },
  }));
  const balancer = { phase: "serving" as const, message: "", address: null, replicas: [], backends: [], mappings };
  const observed = { generation: 1, phase: "serving" as const, message: "", conditions: [], applied: true };
  const whole = { ...observed, loadBalancers: [{ id: loadBalancerId, ...balancer }] };
  await inTransaction(owner.db, (tx) => recordObservedExposure(tx, id, whole, new Date()));
}

const get = (query = "", init: RequestInit = {}, as: Identity = owner) =>
  api.fetch(as, `/exposures/${id}/mappings${query}`, init);
const from = (address: string) => ({ headers: { [addressHeader]: address } });
const detail = async (response: Response) => ((await response.json()) as { detail: string }).detail;
const setAccess = async (json: object) =>
  api.fetch(owner, `/exposures/${id}/mappings/access`, { method: "PATCH", json });

/** until waits for what happens by itself; a test that waits in vain times out. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}

describe("a map", () => {
  it("is empty before the first look, and then has an entry for each instance", async () => {
    expect(await (await get()).json()).toEqual({ exposureId: id, generation: 0, observedAt: null, entries: [] });
    await see({}, { externalAddress: "192.0.2.2", ready: false });
    const response = await get();
    expect(response.headers.get("content-type")).toBe("application/json");
    const map = (await response.json()) as AddressMap;
    expect(map).toMatchObject({ exposureId: id, generation: 1, observedAt: expect.any(String) });
    expect(map.entries).toEqual([
      {
        instance: "redis-0",
        pod: "redis-0",
        node: "node-a",
        internalAddress: "10.0.0.1",
        externalAddress: "192.0.2.1",
        ports: [{ name: "redis", protocol: "tcp", internal: 6379, external: 7000 }],
        ready: true,
        since: expect.any(String),
        generation: 1,
      },
      expect.objectContaining({ instance: "redis-1", externalAddress: "192.0.2.2", ready: false }),
    ]);
  });

  it("is YAML where that is asked for, and says the same", async () => {
    await see({});
    const json: unknown = await (await get()).json();
    for (const [path, accept] of [
      [".yaml", "*/*"],
      ["", "application/yaml"],
      ["", "application/json;q=0.5, application/yaml"],
      ["?format=yaml", "*/*"],
    ] as const) {
      const response = await get(path, { headers: { accept } });
      expect([response.headers.get("content-type"), response.headers.get("vary")]).toEqual([
        "application/yaml",
        "accept",
      ]);
      expect(parse(await response.text())).toEqual(json);
    }
    const text = await get("", { headers: { accept: "text/yaml" } });
    expect(text.headers.get("content-type")).toBe("text/yaml");
    expect((await get(".yaml", { headers: { accept: "application/json" } })).status).toBe(406);
    expect((await get("", { headers: { accept: "image/png" } })).status).toBe(406);
  });

  it("has the compact form that the first client reads, at both paths", async () => {
    await see({}, { externalAddress: "192.0.2.2" });
    for (const path of ["?format=compact", ".yaml?format=compact"])
      expect(await (await get(path)).text()).toBe(
        'runtime-configuration:\n  external-mapping:\n    - "10.0.0.1:192.0.2.1"\n    - "10.0.0.2:192.0.2.2"\n',
      );
  });

  it("has a tag for each state and form, and is not sent again to who has it", async () => {
    await see({});
    const tags = await Promise.all(
      ["", ".yaml", "?format=compact"].map(async (path) => (await get(path)).headers.get("etag") ?? ""),
    );
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) expect(tag).toMatch(/^"1\.[\w-]+"$/);
    const [tag = ""] = tags;
    await see({}); // only seen again
    const same = await get("", { headers: { "if-none-match": tag } });
    expect([same.status, await same.text(), same.headers.get("etag")]).toEqual([304, "", tag]);
    await see({ ready: false });
    const other = await get("", { headers: { "if-none-match": tag } });
    expect([other.status, other.headers.get("etag")?.startsWith('"2.')]).toEqual([200, true]);
  });

  it("has another tag after a restore that counts anew", async () => {
    await see({});
    const tag = (await get()).headers.get("etag");
    await owner.db.addressMapping.deleteMany({ where: { exposureId: id } });
    await owner.db.exposureStatus.update({ where: { exposureId: id }, data: { mapGeneration: 0 } });
    await see({ externalAddress: "192.0.2.9" });
    const after = await get("", { headers: { "if-none-match": tag ?? "" } });
    expect([after.status, ((await after.json()) as AddressMap).generation]).toEqual([200, 1]);
  });

  it("of another organisation is not there, by whatever way", async () => {
    await see({});
    const stranger = await createTestOrganization(database.db);
    for (const path of ["", ".yaml", "?wait=30s&after=1", "/access", "/readers"])
      expect((await get(path, {}, stranger)).status, path).toBe(404);
    const stream = await get("/stream", { headers: { accept: "text/event-stream" } }, stranger);
    expect(stream.status).toBe(404);
    const found = await api.fetch(stranger, "/mappings/lookup?address=10.0.0.1");
    expect(await found.json()).toEqual({ mappings: [] });
    const change = { method: "PATCH", json: { networks: [] } };
    expect((await api.fetch(stranger, `/exposures/${id}/mappings/access`, change)).status).toBe(404);
  });
});

describe("whoever waits", () => {
  it("is answered at once when there is another generation, whichever is the greater", async () => {
    await see({});
    for (const after of [0, 7]) {
      const response = await get(`?wait=60s&after=${after}`);
      expect(((await response.json()) as AddressMap).generation).toBe(1);
    }
    expect(api.maps.waiterCount).toBe(0);
  });

  it("is answered when the map changes", async () => {
    await see({});
    const waiting = get("?wait=60s&after=1");
    await until(() => api.maps.waiterCount === 1);
    await see({ externalAddress: "192.0.2.9" });
    const map = (await (await waiting).json()) as AddressMap;
    expect([map.generation, map.entries[0]?.externalAddress]).toEqual([2, "192.0.2.9"]);
  });

  it("gets the same when nothing changed in time, or a 304 for its tag", async () => {
    await see({});
    const tag = (await get()).headers.get("etag") ?? "";
    const [same, unchanged] = await Promise.all([
      get("?wait=1s&after=1"),
      get("?wait=1s&after=1", { headers: { "if-none-match": tag } }),
    ]);
    expect([same.status, ((await same.json()) as AddressMap).generation, unchanged.status]).toEqual([200, 1, 304]);
  });

  it("is let go when the client goes away, and when the server stops", async () => {
    await see({});
    const client = new AbortController();
    const gone = get("?wait=60s&after=1", { signal: client.signal });
    await until(() => api.maps.waiterCount === 1);
    client.abort();
    await gone;
    expect(api.maps.waiterCount).toBe(0);
    const waiting = get("?wait=60s&after=1");
    await until(() => api.maps.waiterCount === 1);
    api.maps.close();
    const stopped = await waiting;
    expect([stopped.status, stopped.headers.get("retry-after")]).toEqual([503, "1"]);
    expect((await get("?wait=60s&after=1")).status).toBe(503);
  });

  it("learns that the exposure is gone", async () => {
    await see({});
    const waiting = get("?wait=60s&after=1");
    await until(() => api.maps.waiterCount === 1);
    await owner.db.exposure.delete({ where: { id } });
    expect((await waiting).status).toBe(404);
  });

  it("is turned away once it may not read the map any more", async () => {
    await see({});
    const waiting = get("?wait=60s&after=1", from("192.0.2.50"));
    await until(() => api.maps.waiterCount === 1);
    await setAccess({ networks: ["10.0.0.0/8"] });
    expect((await waiting).status).toBe(403);
  });

  it("finds room for so many of an organisation, and no more", async () => {
    await see({});
    const client = new AbortController();
    const waiting = Array.from({ length: 5 }, () => get("?wait=60s&after=1", { signal: client.signal }));
    await until(() => api.maps.waiterCount === 5);
    const refused = await get("?wait=60s&after=1");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "10"]);
    expect((await get()).status).toBe(200);
    const other = await createTestOrganization(database.db);
    const { exposure } = await createTestExposure(other);
    expect((await api.fetch(other, `/exposures/${exposure.id}/mappings?wait=1s&after=0`)).status).toBe(200);
    client.abort();
    await Promise.all(waiting);
  });

  it.each([
    ["?wait=30s", "after"],
    ["?wait=61s&after=1", "wait"],
    ["?wait=forever&after=1", "wait"],
    ["?after=-1", "after"],
    ["?after=x", "after"],
    ["?format=xml", "format"],
  ])("is told what is wrong with %s", async (query, name) => {
    const response = await get(query);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ errors: [{ in: "query", name }] });
  });
});

describe("a stream of a map", () => {
  const open = async (headers: Record<string, string> = {}, query = "") => {
    const response = await get(`/stream${query}`, { headers: { accept: "text/event-stream", ...headers } });
    expect(response.status).toBe(200);
    return readEvents(response);
  };

  it("begins with the whole map and tells each newer one, whole", async () => {
    await see({});
    const events = await open();
    const first = (await events.next()).value;
    expect(first).toMatchObject({ id: "1", event: "map", data: { generation: 1, entries: [{ instance: "redis-0" }] } });
    await see({}, { externalAddress: "192.0.2.2" });
    expect((await events.next()).value).toMatchObject({ id: "2", data: { entries: [{}, { instance: "redis-1" }] } });
    await events.return();
    await until(() => api.maps.waiterCount === 0);
  });

  it("goes on from the generation that a client has", async () => {
    await see({});
    for (const [headers, query] of [
      [{ "last-event-id": "1" }, ""],
      [{}, "?after=1"],
    ] as const) {
      const events = await open(headers, query);
      expect((await events.next()).value).toMatchObject({ id: "1", event: "unchanged" });
      await events.return();
    }
    const behind = await open({ "last-event-id": "0" });
    expect((await behind.next()).value).toMatchObject({ id: "1", event: "map" });
    await behind.return();
  });

  it("says that the exposure is gone, and ends", async () => {
    await see({});
    const events = await open();
    await events.next();
    await owner.db.exposure.delete({ where: { id } });
    expect((await events.next()).value).toMatchObject({ event: "gone" });
    expect((await events.next()).done).toBe(true);
  });

  it("ends once its reader may not read the map any more", async () => {
    await see({});
    const events = await open({ [addressHeader]: "192.0.2.50" });
    await events.next();
    await setAccess({ networks: ["10.0.0.0/8"] });
    expect((await events.next()).done).toBe(true);
  });

  it("is for who accepts events, and has no other parameters", async () => {
    expect((await get("/stream", { headers: { accept: "application/json" } })).status).toBe(406);
    const accept = { headers: { accept: "text/event-stream" } };
    expect((await get("/stream?wait=1s", accept)).status).toBe(400);
    expect((await get("/stream?after=x", accept)).status).toBe(422);
    expect((await get("/stream", { method: "POST" })).status).toBe(405);
    expect((await api.fetch(owner, "/exposures/nonsense/mappings/stream", accept)).status).toBe(422);
    expect((await api.fetch(null, `/exposures/${id}/mappings/stream`, accept)).status).toBe(401);
  });
});

describe("a look-up", () => {
  const lookUp = async (query: string) => {
    const response = await api.fetch(owner, `/mappings/lookup?${query}`);
    expect(response.status, query).toBe(200);
    const { mappings } = (await response.json()) as { mappings: { instance: string; externalPort: number }[] };
    return mappings.map((each) => each.instance);
  };

  it("finds an internal end with or without its port, and who is behind an external one", async () => {
    await see({}, { externalAddress: "lb-7.Example.com" });
    expect(await lookUp("address=10.0.0.1:6379")).toEqual(["redis-0"]);
    expect(await lookUp("address=10.0.0.1")).toEqual(["redis-0"]);
    expect(await lookUp("address=10.0.0.1:6380")).toEqual([]);
    expect(await lookUp("address=10.0.0.3")).toEqual([]);
    expect(await lookUp("externalAddress=192.0.2.1:7000")).toEqual(["redis-0"]);
    expect(await lookUp("externalAddress=LB-7.example.com.")).toEqual(["redis-1"]);
    expect(await lookUp(`address=10.0.0.1&exposureId=${id}`)).toEqual(["redis-0"]);
    expect((await api.fetch(owner, `/mappings/lookup?address=10.0.0.1&exposureId=${newId("exposure")}`)).status).toBe(
      404,
    );
  });

  it("finds all of them where networks of clusters overlap, and narrows to one", async () => {
    await see({});
    const twin = await createTestExposure(owner);
    const balancer = await owner.db.loadBalancer.findFirstOrThrow({ where: { exposureId: twin.exposure.id } });
    const row = await owner.db.addressMapping.findFirstOrThrow({ where: { exposureId: id } });
    await owner.db.addressMapping.create({
      data: {
        ...row,
        id: newId("addressMapping"),
        exposureId: twin.exposure.id,
        loadBalancerId: balancer.id,
        instance: "twin-0",
        internalAddress: "10.0.0.1",
      },
    });
    expect(await lookUp("address=10.0.0.1:6379")).toEqual(["redis-0", "twin-0"]);
    expect(await lookUp(`address=10.0.0.1:6379&clusterId=${twin.cluster.id}`)).toEqual(["twin-0"]);
  });

  it.each([
    "",
    "address=nonsense..",
    "address=10.0.0.1:0",
    "address=10.0.0.1&externalAddress=192.0.2.1",
    "address=redis",
  ])("refuses what can't be meant: %s", async (query) => {
    const response = await api.fetch(owner, `/mappings/lookup?${query}`);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ errors: [{ in: "query", name: "address" }] });
  });
});

describe("a private map", () => {
  const makeKey = async (name: string) => {
    const { id, key } = await createApiKey(owner, {
      ...{ name, role: "viewer", scopes: ["exposure:read"], requestsPerMinute: 600, expiresAt: null },
    });
    return { id, headers: { authorization: `Bearer ${key}` } };
  };
  const asKey = (key: { headers: Record<string, string> }, path: string) =>
    api.fetch(null, path, { headers: key.headers });

  it("is read by the keys that it names and by no other, whichever way they try", async () => {
    await see({});
    const [named, other] = [await makeKey("named"), await makeKey("other")];
    expect((await setAccess({ mode: "keys", keys: [named.id] })).status).toBe(200);
    const paths = ["", ".yaml", "?format=compact", "?wait=1s&after=0"];
    for (const path of paths) {
      expect((await asKey(named, `/exposures/${id}/mappings${path}`)).status, path).toBe(200);
      const refused = await asKey(other, `/exposures/${id}/mappings${path}`);
      expect(refused.status, path).toBe(403);
      expect(await detail(refused)).toContain("other is none of them");
    }
    const counted = async (key: typeof named) =>
      ((await (await asKey(key, "/mappings")).json()) as { total: number }).total;
    expect([await counted(named), await counted(other), await (await asKey(other, "/mapping-changes")).json()]).toEqual(
      [1, 0, { items: [], total: 0, nextCursor: null }],
    );
    expect(await (await asKey(other, "/mappings/lookup?address=10.0.0.1")).json()).toEqual({ mappings: [] });
    expect((await asKey(other, `/mappings/lookup?address=10.0.0.1&exposureId=${id}`)).status).toBe(403);
  });

  it("is read from the networks that it names and from nowhere else", async () => {
    await see({});
    await setAccess({ networks: ["10.0.0.0/8"] });
    expect((await get("", from("10.1.2.3"))).status).toBe(200);
    const refused = await get("", from("192.0.2.50"));
    expect([refused.status, await detail(refused)]).toEqual([
      403,
      expect.stringContaining("192.0.2.50 is in none of them"),
    ]);
    expect((await get()).status).toBe(403);
    const list = await api.fetch(owner, "/mappings", from("192.0.2.50"));
    expect(await list.json()).toMatchObject({ total: 0 });
  });

  it("keeps what a change leaves out, and says what is wrong with one", async () => {
    const key = await makeKey("k");
    await setAccess({ mode: "keys", keys: [key.id] });
    const narrowed = await setAccess({ networks: ["10.0.0.0/8"] });
    expect(await narrowed.json()).toEqual({ mode: "keys", keys: [key.id], networks: ["10.0.0.0/8"] });
    expect(await (await setAccess({ mode: "organization" })).json()).toEqual({
      mode: "organization",
      keys: [],
      networks: ["10.0.0.0/8"],
    });
    expect((await setAccess({ mode: "keys", keys: [newId("apiKey")] })).status).toBe(404);
    const wrong = await setAccess({ mode: "keys" });
    expect([wrong.status, await wrong.json()]).toEqual([
      422,
      expect.objectContaining({ errors: [expect.objectContaining({ pointer: "#/keys" })] }),
    ]);
    const entries = await owner.db.auditEntry.findMany({
      where: { subjectId: id, action: "exposure.update-map-access" },
    });
    expect(entries).toHaveLength(3);
  });
});

describe("who read a map", () => {
  const readers = async () => {
    await flushMapReads(owner.db);
    const response = await api.fetch(owner, `/exposures/${id}/mappings/readers`);
    return (await response.json()) as { total: number; readers: Record<string, unknown>[] };
  };

  it("is told by actor, address and form, with how often", async () => {
    await see({});
    for (let n = 0; n < 3; n++) await get("", from("10.0.0.7"));
    await get("?format=compact", from("10.0.0.7"));
    await api.fetch(owner, "/mappings/lookup?address=10.0.0.1", from("10.0.0.8"));
    await api.fetch(owner, "/mappings/lookup?address=10.9.9.9", from("10.0.0.9"));
    const told = await readers();
    expect(told.total).toBe(3);
    expect(
      told.readers.map(({ actorName, address, format, reads }) => [actorName, address, format, reads]).sort(),
    ).toEqual([
      ["Test", "10.0.0.7", "compact", 1],
      ["Test", "10.0.0.7", "json", 3],
      ["Test", "10.0.0.8", "lookup", 1],
    ]);
    expect(told.readers[0]?.hours).toEqual([{ hour: expect.any(String), reads: expect.any(Number) }]);
  });

  it("names nobody who was refused", async () => {
    await see({});
    await setAccess({ networks: ["10.0.0.0/8"] });
    await get("", from("192.0.2.50"));
    expect((await readers()).total).toBe(0);
  });
});
