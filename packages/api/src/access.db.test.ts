import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { DomainError, newId } from "@fairlead/domain";
import { type Actor, type Permission, permissions, permissionsOf, type Role, roles } from "@fairlead/domain/access";
import { ensureAuthority } from "@fairlead/services/gateway";
import { TRPCError } from "@trpc/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Identity } from "./context.ts";
import { refusalsOf } from "./openapi/responses.ts";
import { compileOperations, listProcedures, permissionsNeeded } from "./rest/operation.ts";
import { appRouter } from "./root.ts";
import {
  callProcedure,
  createTestApi,
  createTestFleet,
  type Fleet,
  inputsFor,
  type TestApi,
  unknownIds,
} from "./testing/index.ts";

let database: TestDatabase;
let api: TestApi;
let own: Fleet;
let foreign: Fleet;

beforeAll(async () => {
  database = await createTestDatabase();
  own = await createTestFleet(database.db);
  foreign = await createTestFleet(database.db);
  await ensureAuthority(database.db, own.owner.settings.secret, new Date());
  api = createTestApi(own.owner);
});
afterAll(async () => {
  api.close();
  await database.drop();
});

const procedures = listProcedures(appRouter);
const operations = new Map(compileOperations(appRouter).map((operation) => [operation.id, operation]));

const keyWith = (scopes: Permission[]): Actor => ({
  kind: "api-key",
  id: newId("apiKey"),
  name: "k",
  role: "owner",
  scopes,
});
const userWith = (role: Role): Identity => ({ actor: own.users[role], organizationId: own.owner.organizationId });
const asKey = (scopes: Permission[]): Identity => ({
  actor: keyWith(scopes),
  organizationId: own.owner.organizationId,
});

/** A role can't grant permissions that it lacks, so these inputs grant the viewer role. */
const granted: Record<string, Permission[]> = {
  "invitation.create": permissionsOf("viewer"),
  "identityProvider.create": permissionsOf("viewer"),
};

/**
 * Returns the outcome of a call ("done" or the outcome of its refusal) and its whole answer. Any other error fails
 * the test.
 */
async function call(
  identity: Identity | null,
  path: string,
  input: unknown,
): Promise<{ outcome: string; response: string }> {
  const before = api.faults.length;
  try {
    const answer = await callProcedure(api, identity, path, input);
    return { outcome: "done", response: JSON.stringify(answer) ?? "" };
  } catch (error) {
    expect(api.faults.slice(before), path).toEqual([]);
    if (!(error instanceof TRPCError && error.cause instanceof DomainError)) throw error;
    const { code, message, fields } = error.cause;
    return { outcome: code, response: JSON.stringify({ message, fields }) };
  }
}

/** These are refused for another reason before the object is looked up. */
const refusedAs: Record<string, string> = { "identityProvider.create": "invalid" };

it.each([
  "cluster.list",
  "node.get",
  "apiKey.list",
  "identityProvider.list",
  "negotiatedPrice.list",
  "ownMachine.list",
  "currencyRate.list",
  "budget.list",
  "budget.get",
  "cost.ownPrices",
  "series.query",
  "cost.list",
  "usage.list",
  "bgpSession.list",
  "bgpTransition.list",
  "announcement.list",
  "route.list",
  "routeUpdate.list",
  "routeDelay.query",
  "experiment.list",
  "experimentStep.list",
  "move.list",
  "move.get",
  "cloudAddress.list",
  "addressMap.get",
  "addressMap.getYaml",
  "addressMapping.list",
  "addressMapping.lookUp",
  "mappingChange.list",
  "cluster.getKubernetesStatus",
  "cluster.getCloudMetricsStatus",
  "cluster.listInventory",
])("finds an organisation's marks in what its own members see: %s", async (path) => {
  const { response } = await call(userWith("owner"), path, inputsFor(own.ids)[path]);
  expect(own.marks.filter((mark) => response.includes(mark))).not.toEqual([]);
});

it("has an input for every procedure", () => {
  expect(Object.keys(inputsFor(unknownIds)).sort()).toEqual(procedures.map(({ id }) => id).sort());
});

describe.each(procedures)("$id", ({ id: path, meta }) => {
  // Ids that don't exist: an actor with permission gets as far as "not found".
  const ask = async (identity: Identity | null) => (await call(identity, path, inputsFor(unknownIds)[path])).outcome;
  const needed = permissionsNeeded(meta);

  const isOpen = meta.permission === "anyone";

  it("refuses an anonymous client, unless the procedure is open", async () => {
    expect(await ask(null)).toBe(isOpen ? "done" : "unauthenticated");
  });

  it.each(roles)("lets the role %s do what its permissions allow", async (role) => {
    const may = needed.every((permission) => permissionsOf(role).includes(permission));
    const outcome = await ask(userWith(role));
    expect(outcome === "forbidden" ? "forbidden" : "passed", outcome).toBe(may ? "passed" : "forbidden");
  });

  it("lets a key do it only with exactly the scopes it needs", async () => {
    const mayWithout = needed.length === 0 && meta.permission !== "person";
    expect((await ask(asKey([]))) === "forbidden").toBe(!mayWithout);
    const mayWith = meta.permission !== "person";
    expect((await ask(asKey([...needed, ...(granted[path] ?? [])]))) === "forbidden").toBe(!mayWith);
    for (const missing of needed)
      expect(await ask(asKey(permissions.filter((each) => each !== missing))), missing).toBe("forbidden");
  });

  it("never shows or changes another organisation's objects", async () => {
    const before = await foreign.snapshot();
    const { outcome, response } = await call(userWith("owner"), path, inputsFor(foreign.ids)[path]);
    // A list is empty; a procedure that names an object, or creates one within it, answers as if it did not exist.
    const own = [
      "cluster.create",
      "cluster.previewKubeconfig",
      "invitation.create",
      "apiKey.create",
      "session.get",
      "cost.estimate",
      "cost.prices",
      "cost.ownPrices",
      "negotiatedPrice.create",
      "ownMachine.create",
      "currencyRate.create",
      "priceRefresh.start",
      "usage.recount",
      "overview.get",
      "trafficFlow.ofFleet",
      "controlPlane.get",
      "live.changes",
    ];
    if (!path.endsWith(".list") && !path.startsWith("series.") && !own.includes(path))
      expect(outcome).toBe(refusedAs[path] ?? "not-found");
    else expect(outcome).toBe("done");
    const operation = operations.get(path);
    if (operation && outcome !== "done") expect(refusalsOf(operation)).toContain(outcome);
    for (const secret of foreign.marks) expect(response).not.toContain(secret);
    expect(await foreign.snapshot()).toEqual(before);
  });
});
