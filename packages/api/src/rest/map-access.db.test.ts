import { newId } from "@fairlead/domain";
import type { Permission } from "@fairlead/domain/access";
import { createApiKey, flushMapReads, type ServiceContext } from "@fairlead/services";
import { createTestUser } from "@fairlead/services/testing";
import { describe, expect, it, vi } from "vitest";
import { createTestApi, readEvents, type TestApi } from "../testing/index.ts";
import { detail, from, type MapStage, onMapStage } from "../testing/map-stage.ts";

let on: MapStage;
let owner: ServiceContext;
let api: TestApi;
let id: string;
onMapStage((stage) => {
  on = stage;
  ({ owner, api, id } = stage);
});

describe("a private map", () => {
  const makeKey = async (name: string) => {
    const { id, key } = await createApiKey(owner, {
      ...{ name, role: "viewer", scopes: ["map:read"], requestsPerMinute: 600, expiresAt: null },
    });
    return { id, headers: { authorization: `Bearer ${key}` } };
  };
  const asKey = (key: { headers: Record<string, string> }, path: string) =>
    api.fetch(null, path, { headers: key.headers });

  it("is readable with the keys that it names and no other, by every path", async () => {
    await on.see({});
    const [named, other] = [await makeKey("named"), await makeKey("other")];
    expect((await on.setAccess({ mode: "keys", keys: [named.id] })).status).toBe(200);
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

  it("is readable from the networks that it names and from nowhere else", async () => {
    await on.see({});
    await on.setAccess({ networks: ["10.0.0.0/8"] });
    expect((await on.get("", from("10.1.2.3"))).status).toBe(200);
    const refused = await on.get("", from("192.0.2.50"));
    expect([refused.status, await detail(refused)]).toEqual([
      403,
      expect.stringContaining("192.0.2.50 is in none of them"),
    ]);
    expect((await on.get()).status).toBe(403);
    const list = await api.fetch(owner, "/mappings", from("192.0.2.50"));
    expect(await list.json()).toMatchObject({ total: 0 });
  });

  it("keeps the fields that a change leaves out, and explains an invalid one", async () => {
    const key = await makeKey("k");
    await on.setAccess({ mode: "keys", keys: [key.id] });
    const narrowed = await on.setAccess({ networks: ["10.0.0.0/8"] });
    expect(await narrowed.json()).toEqual({ mode: "keys", keys: [key.id], networks: ["10.0.0.0/8"] });
    expect(await (await on.setAccess({ mode: "organization" })).json()).toEqual({
      mode: "organization",
      keys: [],
      networks: ["10.0.0.0/8"],
    });
    expect((await on.setAccess({ mode: "keys", keys: [newId("apiKey")] })).status).toBe(404);
    const wrong = await on.setAccess({ mode: "keys" });
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

describe("the readers of a map", () => {
  const readers = async () => {
    await flushMapReads(owner.db);
    const response = await api.fetch(owner, `/exposures/${id}/mappings/readers`);
    return (await response.json()) as { total: number; readers: Record<string, unknown>[] };
  };

  it("are listed by actor, address and form, with a count", async () => {
    await on.see({});
    for (let n = 0; n < 3; n++) await on.get("", from("10.0.0.7"));
    await on.get("?format=compact", from("10.0.0.7"));
    await api.fetch(owner, "/mappings/lookup?address=10.0.0.1", from("10.0.0.8"));
    await api.fetch(owner, "/mappings/lookup?address=10.9.9.9", from("10.0.0.9"));
    const listed = await readers();
    expect(listed.total).toBe(3);
    expect(
      listed.readers.map(({ actorName, address, format, reads }) => [actorName, address, format, reads]).sort(),
    ).toEqual([
      ["Test", "10.0.0.7", "compact", 1],
      ["Test", "10.0.0.7", "json", 3],
      ["Test", "10.0.0.8", "lookup", 1],
    ]);
    expect(listed.readers[0]?.hours).toEqual([{ hour: expect.any(String), reads: expect.any(Number) }]);
  });

  it("share one limit in a /64 of IPv6, and are listed by their exact address", async () => {
    await on.see({});
    const addresses = ["2001:db8:1:2::7", "2001:db8:1:2:ffff::1"];
    for (const address of addresses) expect((await on.get("", from(address))).status).toBe(200);
    expect((await readers()).readers.map(({ address }) => address).sort()).toEqual(addresses.sort());
    const name = { startsWith: `map-read:${owner.organizationId}:` };
    expect(await owner.db.allowance.count({ where: { name } })).toBe(1);
  });

  it("don't include refused clients", async () => {
    await on.see({});
    await on.setAccess({ networks: ["10.0.0.0/8"] });
    await on.get("", from("192.0.2.50"));
    expect((await readers()).total).toBe(0);
  });
});

describe("a map and the permission map:read", () => {
  it("is all that a key needs, and a key without it reads no map", async () => {
    await on.see({});
    const makeKey = async (scopes: Permission[]) => {
      const spec = { name: "k", role: "viewer" as const, scopes, requestsPerMinute: 600, expiresAt: null };
      return { authorization: `Bearer ${(await createApiKey(owner, spec)).key}` };
    };
    const read = async (headers: Record<string, string>, path: string) =>
      (await api.fetch(null, path, { headers })).status;
    const [reader, other] = [await makeKey(["map:read"]), await makeKey(["exposure:read"])];
    for (const path of [`/exposures/${id}/mappings`, "/mappings", "/mappings/lookup?address=10.0.0.1"])
      expect([await read(reader, path), await read(other, path)], path).toEqual([200, 403]);
    expect(await read(reader, `/exposures/${id}`)).toBe(403);
  });

  it("is taken away from a member by REST, and ends what they read at once", async () => {
    await on.see({});
    const bob = await createTestUser(owner, "viewer", "Bob");
    const path = `/exposures/${id}/mappings`;
    const strict = createTestApi(owner, { recheckMs: 100 });
    const stream = await strict.fetch(bob, `${path}/stream`, { headers: { accept: "text/event-stream" } });
    const events = readEvents(stream);
    const first = (await events.next()).value;
    const last = events.next();
    const waiting = strict.fetch(bob, `${path}?wait=60s&after=${first?.id}`);
    await vi.waitFor(() => expect(strict.maps.waiterCount).toBe(2));
    const change = { method: "PATCH", json: { denied: ["map:read"] } };
    const changed = await api.fetch(owner, `/members/${bob.memberId}`, change);
    expect([changed.status, await changed.json()]).toEqual([200, expect.objectContaining({ denied: ["map:read"] })]);
    expect((await last).done).toBe(true);
    expect((await waiting).status).toBe(503);
    strict.close();
    const refused = await api.fetch(owner, `/members/${bob.memberId}`, { ...change, json: { denied: ["node:read"] } });
    expect(refused.status).toBe(422);
  });
});
