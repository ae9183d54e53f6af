import type { TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import type { AddressMap } from "@fairlead/domain/address-map";
import type { ServiceContext } from "@fairlead/services";
import { createTestExposure, createTestOrganization } from "@fairlead/services/testing";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { TestApi } from "../testing/index.ts";
import { type MapStage, onMapStage } from "../testing/map-stage.ts";

let on: MapStage;
let database: TestDatabase;
let owner: ServiceContext;
let api: TestApi;
let id: string;
onMapStage((stage) => {
  on = stage;
  ({ database, owner, api, id } = stage);
});

describe("a map", () => {
  it("is empty before the first reconciliation, and then has an entry for each instance", async () => {
    expect(await (await on.get()).json()).toEqual({ exposureId: id, generation: 0, observedAt: null, entries: [] });
    await on.see({}, { externalAddress: "192.0.2.2", ready: false });
    const response = await on.get();
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

  it("is YAML on request, with the same content", async () => {
    await on.see({});
    const json: unknown = await (await on.get()).json();
    for (const [path, accept] of [
      [".yaml", "*/*"],
      ["", "application/yaml"],
      ["", "application/json;q=0.5, application/yaml"],
      ["?format=yaml", "*/*"],
    ] as const) {
      const response = await on.get(path, { headers: { accept } });
      expect([response.headers.get("content-type"), response.headers.get("vary")]).toEqual([
        "application/yaml",
        "accept",
      ]);
      expect(parse(await response.text())).toEqual(json);
    }
    const text = await on.get("", { headers: { accept: "text/yaml" } });
    expect(text.headers.get("content-type")).toBe("text/yaml");
    expect((await on.get(".yaml", { headers: { accept: "application/json" } })).status).toBe(406);
    expect((await on.get("", { headers: { accept: "image/png" } })).status).toBe(406);
  });

  it("has the compact form of the first client, at both paths", async () => {
    await on.see({}, { externalAddress: "192.0.2.2" });
    const notes = ["redis-0", "redis-1"].map(
      (each) => `# "${each}" has other ports outside, which this format doesn't support.\n`,
    );
    for (const path of ["?format=compact", ".yaml?format=compact"])
      expect(await (await on.get(path)).text()).toBe(
        `${notes.join("")}runtime-configuration:\n  external-mapping:\n    - "10.0.0.1:192.0.2.1"\n    - "10.0.0.2:192.0.2.2"\n`,
      );
  });

  it("has a tag for each state and form, and is not sent again to a client that has it", async () => {
    await on.see({});
    const tags = await Promise.all(
      ["", ".yaml", "?format=compact"].map(async (path) => (await on.get(path)).headers.get("etag") ?? ""),
    );
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) expect(tag).toMatch(/^"1\.[\w-]+"$/);
    const [tag = ""] = tags;
    await on.see({}); // only observed again
    const same = await on.get("", { headers: { "if-none-match": tag } });
    expect([same.status, await same.text(), same.headers.get("etag")]).toEqual([304, "", tag]);
    await on.see({ ready: false });
    const other = await on.get("", { headers: { "if-none-match": tag } });
    expect([other.status, other.headers.get("etag")?.startsWith('"2.')]).toEqual([200, true]);
  });

  it("has another tag after a restore that restarts its generations", async () => {
    await on.see({});
    const tag = (await on.get()).headers.get("etag");
    await owner.db.addressMapping.deleteMany({ where: { exposureId: id } });
    await owner.db.exposureStatus.update({ where: { exposureId: id }, data: { mapGeneration: 0 } });
    await on.see({ externalAddress: "192.0.2.9" });
    const after = await on.get("", { headers: { "if-none-match": tag ?? "" } });
    expect([after.status, ((await after.json()) as AddressMap).generation]).toEqual([200, 1]);
  });

  it("of another organisation is not found, by any path", async () => {
    await on.see({});
    const otherOwner = await createTestOrganization(database.db);
    for (const path of ["", ".yaml", "?wait=30s&after=1", "/access", "/readers"])
      expect((await on.get(path, {}, otherOwner)).status, path).toBe(404);
    const stream = await on.get("/stream", { headers: { accept: "text/event-stream" } }, otherOwner);
    expect(stream.status).toBe(404);
    const found = await api.fetch(otherOwner, "/mappings/lookup?address=10.0.0.1");
    expect(await found.json()).toEqual({ mappings: [] });
    const change = { method: "PATCH", json: { networks: [] } };
    expect((await api.fetch(otherOwner, `/exposures/${id}/mappings/access`, change)).status).toBe(404);
  });
});

describe("a lookup", () => {
  const lookUp = async (query: string) => {
    const response = await api.fetch(owner, `/mappings/lookup?${query}`);
    expect(response.status, query).toBe(200);
    const { mappings } = (await response.json()) as { mappings: { instance: string; externalPort: number }[] };
    return mappings.map((each) => each.instance);
  };

  it("finds an internal address with or without its port, and the instance behind an external one", async () => {
    await on.see({}, { externalAddress: "lb-7.Example.com" });
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

  it("finds all matches where networks of clusters overlap, and can be narrowed to one", async () => {
    await on.see({});
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
  ])("refuses an ambiguous or invalid query: %s", async (query) => {
    const response = await api.fetch(owner, `/mappings/lookup?${query}`);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ errors: [{ in: "query", name: "address" }] });
  });
});
