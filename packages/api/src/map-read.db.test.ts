import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { type Actor, permissions, permissionsOf } from "@fairlead/domain/access";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Identity } from "./context.ts";
import { compileOperations, listProcedures, type Operation } from "./rest/operation.ts";
import { appRouter } from "./root.ts";
import { callProcedure, createTestApi, createTestFleet, type Fleet, inputsFor, type TestApi } from "./testing/index.ts";
import { type FleetMap, mapFleet } from "./testing/map-of-fleet.ts";

let database: TestDatabase;
let api: TestApi;
let fleet: Fleet;
let map: FleetMap;

beforeAll(async () => {
  database = await createTestDatabase();
  fleet = await createTestFleet(database.db);
  map = await mapFleet(fleet.owner, fleet.ids);
  api = createTestApi(fleet.owner);
});
afterAll(async () => {
  api.close();
  await database.drop();
});

const reads = compileOperations(appRouter).filter((each) => each.method === "GET");
const procedures = listProcedures(appRouter);
const queries = procedures.filter(({ type }) => type !== "mutation");

const as = (actor: Actor): Identity => ({ actor, organizationId: fleet.owner.organizationId });
const denied = (role: "viewer" | "operator"): Identity =>
  as({ ...fleet.users[role], denied: ["map:read"] } as Actor & { kind: "user" });
const readers: [string, () => Identity][] = [
  ["a viewer", () => denied("viewer")],
  ["an operator", () => denied("operator")],
  [
    "a key with all other scopes",
    () =>
      as({
        ...{ kind: "api-key", id: "key_x", name: "k", role: "owner" },
        scopes: permissions.filter((each) => each !== "map:read"),
      }),
  ],
];

/**
 * findLeak returns what a text has of the map: an internal address at all, or an external one that it, or what was asked
 * for, ties to its owner.
 */
function findLeak(text: string, request = ""): string[] {
  const internal = map.internal.filter((each) => text.includes(each));
  const external = map.external.filter((each) => `${text} ${request}`.includes(each));
  const owners = map.owners.filter((each) => text.includes(`"${each}"`) || text.includes(`"ferry"`));
  return [...internal, ...(owners.length > 0 ? external : [])];
}

/** Lists are read whole: the inputs of other tests narrow some of them to one object. */
function inputOf(id: string, more: object = {}): Record<string, unknown> {
  const input = { ...(inputsFor(fleet.ids)[id] as Record<string, unknown>) };
  if (id === "event.list" || id === "audit.list") delete input.subjectId;
  return { ...input, ...more };
}

function pathOf(operation: Operation, input: Record<string, unknown>): string {
  const fields = { ...input };
  const path = operation.path.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = String(fields[field]);
    delete fields[field];
    return value;
  });
  const query = new URLSearchParams();
  for (const [field, value] of Object.entries(fields))
    for (const each of [value].flat())
      query.append(
        field,
        each instanceof Date ? each.toISOString() : typeof each === "object" ? JSON.stringify(each) : String(each),
      );
  return `${path}?${query}`;
}

async function read(identity: Identity, operation: Operation, more: object = {}): Promise<[number, string]> {
  const response = await api.fetch(identity, pathOf(operation, inputOf(operation.id, more)));
  return [response.status, await response.text()];
}

const findOperation = (id: string): Operation => {
  const found = reads.find((each) => each.id === id);
  if (!found) throw new Error(`There is no operation ${id}.`);
  return found;
};

describe.each(readers)("%s without map:read", (_who, identify) => {
  it.each(reads.map((each) => [each.id, each] as const))("finds no part of a map in REST: %s", async (_, operation) => {
    const [status, text] = await read(identify(), operation);
    expect(status, text).toBeLessThan(500);
    expect(findLeak(text)).toEqual([]);
  });

  it.each(queries.map(({ id }) => id))("finds no part of a map in tRPC: %s", async (id) => {
    const answer = await callProcedure(api, identify(), id, inputOf(id)).catch((error: unknown) => String(error));
    expect(findLeak(JSON.stringify(answer) ?? "")).toEqual([]);
  });

  it.each(reads.filter((each) => "search" in each.queryFields).map((each) => [each.id, each] as const))(
    "finds no owner by an address, nor an address by its owner: %s",
    async (_, operation) => {
      for (const search of [...map.external, ...map.internal, ...map.owners]) {
        const [status, text] = await read(identify(), operation, { search });
        expect(status, text).toBeLessThan(500);
        expect(findLeak(text, search), search).toEqual([]);
        if (map.internal.includes(search) && status === 200)
          expect(
            map.owners.filter((each) => text.includes(`"${each}"`)),
            search,
          ).toEqual([]);
      }
    },
  );

  it.each([
    ["loadBalancer.list", { sort: "address" }],
    ["cluster.listInstances", { sort: "address" }],
    ["cluster.listInstances", { sort: "nodeName" }],
    ["event.list", { mentions: "192.0.2.177" }],
    ["announcement.list", () => ({ loadBalancerId: fleet.ids.loadBalancer })],
  ])("is refused what would show it: %s with %o", async (id, more) => {
    const [status, text] = await read(identify(), findOperation(id), typeof more === "function" ? more() : more);
    expect([status, text]).toEqual([403, expect.stringContaining("map:read")]);
  });

  it.each([
    "addressMap.get",
    "addressMap.getYaml",
    "addressMapping.list",
    "addressMapping.lookUp",
    "mappingChange.list",
  ])("is refused the map itself: %s", async (id) => {
    expect((await read(identify(), findOperation(id)))[0]).toBe(403);
  });

  it("is refused the stream of a map", async () => {
    const headers = { accept: "text/event-stream" };
    const path = `/exposures/${fleet.ids.exposure}/mappings/stream`;
    expect((await api.fetch(identify(), path, { headers })).status).toBe(403);
  });
});

it("leaves a viewer everything else", async () => {
  const [status, text] = await read(denied("viewer"), findOperation("exposure.get"));
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({
    name: "ferry",
    addresses: [],
    message: "ferry-0 at [address] is behind [address], and [[address]]:80 behind [address].",
    backends: [
      { instance: "ferry-0", address: null, port: 80, health: "down" },
      { instance: "ferry-1", address: null },
    ],
  });
});

it("finds no part of a map in the answers of changes either", async () => {
  const operator = denied("operator");
  for (const id of ["exposure.update", "exposure.create", "node.update", "exposure.plan"]) {
    const answer = await callProcedure(api, operator, id, inputOf(id));
    expect(findLeak(JSON.stringify(answer)), id).toEqual([]);
    expect(JSON.stringify(answer), id).not.toMatch(/192\.0\.2\.\d/);
  }
});

it("has a fleet whose changes would show it", async () => {
  const answer = await callProcedure(api, as(fleet.users.operator), "exposure.update", inputOf("exposure.update"));
  expect(findLeak(JSON.stringify(answer))).not.toEqual([]);
});

it("is what finds a leak: a viewer with map:read gets the map from all of these", async () => {
  const leaking: string[] = [];
  for (const operation of reads)
    if (findLeak((await read(as(fleet.users.viewer), operation))[1]).length > 0) leaking.push(operation.id);
  expect(permissionsOf("viewer")).toContain("map:read");
  expect(leaking.sort()).toEqual([
    "addressMap.get",
    "addressMap.getYaml",
    "addressMapping.list",
    "announcement.list",
    "bgpTransition.list",
    "cloudAddress.list",
    "cluster.listInstances",
    "event.list",
    "exposure.get",
    "exposure.list",
    "loadBalancer.get",
    "loadBalancer.list",
    "mappingChange.list",
    "node.get",
    "overview.get",
  ]);
});
