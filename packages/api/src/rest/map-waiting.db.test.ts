import type { TestDatabase } from "@fairlead/db/testing";
import type { AddressMap } from "@fairlead/domain/address-map";
import type { ServiceContext } from "@fairlead/services";
import { createTestExposure, createTestOrganization } from "@fairlead/services/testing";
import { describe, expect, it } from "vitest";
import { addressHeader, readEvents, type TestApi } from "../testing/index.ts";
import { from, type MapStage, onMapStage, until } from "../testing/map-stage.ts";

let on: MapStage;
let database: TestDatabase;
let owner: ServiceContext;
let api: TestApi;
let id: string;
onMapStage((stage) => {
  on = stage;
  ({ database, owner, api, id } = stage);
});

describe("a waiting client", () => {
  it("is answered at once when there is another generation, whether lower or higher", async () => {
    await on.see({});
    for (const after of [0, 7]) {
      const response = await on.get(`?wait=60s&after=${after}`);
      expect(((await response.json()) as AddressMap).generation).toBe(1);
    }
    expect(api.maps.waiterCount).toBe(0);
  });

  it("is answered when the map changes", async () => {
    await on.see({});
    const waiting = on.get("?wait=60s&after=1");
    await until(() => api.maps.waiterCount === 1);
    await on.see({ externalAddress: "192.0.2.9" });
    const map = (await (await waiting).json()) as AddressMap;
    expect([map.generation, map.entries[0]?.externalAddress]).toEqual([2, "192.0.2.9"]);
  });

  it("gets the same map when nothing changed in time, or a 304 for its tag", async () => {
    await on.see({});
    const tag = (await on.get()).headers.get("etag") ?? "";
    const [same, unchanged] = await Promise.all([
      on.get("?wait=1s&after=1"),
      on.get("?wait=1s&after=1", { headers: { "if-none-match": tag } }),
    ]);
    expect([same.status, ((await same.json()) as AddressMap).generation, unchanged.status]).toEqual([200, 1, 304]);
  });

  it("is released when it disconnects, and when the server stops", async () => {
    await on.see({});
    const client = new AbortController();
    const gone = on.get("?wait=60s&after=1", { signal: client.signal });
    await until(() => api.maps.waiterCount === 1);
    client.abort();
    await gone;
    expect(api.maps.waiterCount).toBe(0);
    const waiting = on.get("?wait=60s&after=1");
    await until(() => api.maps.waiterCount === 1);
    api.maps.close();
    const stopped = await waiting;
    expect([stopped.status, stopped.headers.get("retry-after")]).toEqual([503, "1"]);
    expect((await on.get("?wait=60s&after=1")).status).toBe(503);
  });

  it("gets 404 once the exposure is deleted", async () => {
    await on.see({});
    const waiting = on.get("?wait=60s&after=1");
    await until(() => api.maps.waiterCount === 1);
    await owner.db.exposure.delete({ where: { id } });
    expect((await waiting).status).toBe(404);
  });

  it("is refused once it may no longer read the map", async () => {
    await on.see({});
    const waiting = on.get("?wait=60s&after=1", from("192.0.2.50"));
    await until(() => api.maps.waiterCount === 1);
    await on.setAccess({ networks: ["10.0.0.0/8"] });
    expect((await waiting).status).toBe(403);
  });

  it("is limited in number for each organisation", async () => {
    await on.see({});
    const client = new AbortController();
    const waiting = Array.from({ length: 5 }, () => on.get("?wait=60s&after=1", { signal: client.signal }));
    await until(() => api.maps.waiterCount === 5);
    const refused = await on.get("?wait=60s&after=1");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "10"]);
    expect((await on.get()).status).toBe(200);
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
  ])("gets an error that explains %s", async (query, name) => {
    const response = await on.get(query);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ errors: [{ in: "query", name }] });
  });
});

describe("a stream of a map", () => {
  const open = async (headers: Record<string, string> = {}, query = "") => {
    const response = await on.get(`/stream${query}`, { headers: { accept: "text/event-stream", ...headers } });
    expect(response.status).toBe(200);
    return readEvents(response);
  };

  it("begins with the whole map and sends each newer one, whole", async () => {
    await on.see({});
    const events = await open();
    const first = (await events.next()).value;
    expect(first).toMatchObject({ id: "1", event: "map", data: { generation: 1, entries: [{ instance: "redis-0" }] } });
    await on.see({}, { externalAddress: "192.0.2.2" });
    expect((await events.next()).value).toMatchObject({ id: "2", data: { entries: [{}, { instance: "redis-1" }] } });
    await events.return();
    await until(() => api.maps.waiterCount === 0);
  });

  it("resumes from the generation that a client has", async () => {
    await on.see({});
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

  it("reports that the exposure is gone, and ends", async () => {
    await on.see({});
    const events = await open();
    await events.next();
    await owner.db.exposure.delete({ where: { id } });
    expect((await events.next()).value).toMatchObject({ event: "gone" });
    expect((await events.next()).done).toBe(true);
  });

  it("ends once its reader may no longer read the map", async () => {
    await on.see({});
    const events = await open({ [addressHeader]: "192.0.2.50" });
    await events.next();
    await on.setAccess({ networks: ["10.0.0.0/8"] });
    expect((await events.next()).done).toBe(true);
  });

  it("requires a client that accepts events, and has no other parameters", async () => {
    expect((await on.get("/stream", { headers: { accept: "application/json" } })).status).toBe(406);
    const accept = { headers: { accept: "text/event-stream" } };
    expect((await on.get("/stream?wait=1s", accept)).status).toBe(400);
    expect((await on.get("/stream?after=x", accept)).status).toBe(422);
    expect((await on.get("/stream", { method: "POST" })).status).toBe(405);
    expect((await api.fetch(owner, "/exposures/nonsense/mappings/stream", accept)).status).toBe(422);
    expect((await api.fetch(null, `/exposures/${id}/mappings/stream`, accept)).status).toBe(401);
  });
});
