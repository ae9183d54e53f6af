import { unknownIds } from "@fairlead/api/testing";
import { type Permission, permissions, permissionsOf, type Role, roles } from "@fairlead/domain/access";
import type { Operation } from "../../packages/api/src/rest/operation.ts";
import { atOnce, call, operations } from "./operations.ts";
import type { Results } from "./results.ts";
import { publicUrl, type Target } from "./target.ts";

// What each role may do, stated a second time and by path, so that a wrong entry in the catalogue is noticed.
const queriesByPost = [
  "/choose",
  "/exposures/plan",
  "/exposures/plan/cost",
  "/exposures/{id}/what-if",
  "/cost/estimate",
  "/moves/preview",
  "/clusters/{clusterId}/instances/match",
];
const hiddenFromViewers = [
  "/audit-entries",
  "/exposures/{id}/mappings/readers",
  "/api-keys",
  "/cost/price-book",
  "/budgets",
  "/identity-providers",
];
const readByOwners = ["/identity-providers"];
const changedByOwners = [
  "/members",
  "/invitations",
  "/api-keys",
  "/identity-providers",
  "/cost/price-book",
  "/budgets",
  "/cost/refreshes",
  "/agents/{id}",
];
/** Prices and meters are of the whole installation: only its first organisation reads and changes them. */
const ofInstallation = ["/cost/refreshes", "/usage/recounts"];
const exceptions: Record<string, Role> = { "POST /agents/{id}/revoke": "operator" };
/** A role can't grant permissions that it lacks, so that these need the granted role's too. */
const granting = ["POST /invitations", "POST /identity-providers"];

type Sender = { name: string; headers: Record<string, string>; may: boolean };

/** attackRoles requests every operation as every role and with keys of every scope, about objects that don't exist. */
export async function attackRoles(target: Target, results: Results): Promise<void> {
  const { stack, members, createKey } = target;
  const keys = new Map<Permission, string>();
  for (const permission of permissions) keys.set(permission, await createKey("owner", [permission]));
  const readOnly = permissions.filter((each) => each.endsWith(":read"));
  const [readKey, viewerKey] = [await createKey("owner", readOnly), await createKey("viewer", permissionsOf("viewer"))];
  for (const operation of operations) {
    const verb = `${operation.method} ${operation.path}`;
    const least = leastRole(operation);
    const needed = granting.includes(verb)
      ? [...operation.permissions, ...permissionsOf("viewer")]
      : operation.permissions;
    const all = needed.length > 0 ? await createKey("owner", needed) : target.key;
    const isRead = operation.method === "GET" || queriesByPost.includes(operation.path);
    const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
    const isForAll = !isWithin(operation.path, ofInstallation);
    const ofOthers: Sender[] = [
      ...roles.map((role) => ({
        name: role,
        headers: { cookie: members[role].cookie, origin: publicUrl },
        may: roles.indexOf(role) <= roles.indexOf(least),
      })),
      ...[...keys].map(([permission, key]) => ({
        name: `a key for ${permission}`,
        headers: bearer(key),
        may: needed.every((each) => each === permission),
      })),
      { name: "a key for what it needs", headers: bearer(all), may: true },
      { name: "a key that may only read", headers: bearer(readKey), may: isRead },
      { name: "a key of a viewer", headers: bearer(viewerKey), may: least === "viewer" },
    ];
    const senders = [
      ...ofOthers.map((each) => ({ ...each, may: each.may && isForAll })),
      { name: "the first organisation", headers: bearer(stack.key), may: true },
    ];
    await results.check(`${verb} as each role, with each scope`, async () => {
      const statuses = await atOnce(
        senders,
        async ({ headers }) => (await call(stack.url, operation, unknownIds, headers)).status,
      );
      const wrong = senders.flatMap(({ name, may }, at) => {
        const status = statuses[at] ?? 0;
        const isRight = status < 500 && status !== 401 && (status === 403) === !may;
        return isRight ? [] : [`${name} ${status}`];
      });
      const open = (await call(stack.url, operation, unknownIds, {})).status;
      if ((open === 401) === operation.isOpen) wrong.push(`without a key ${open}`);
      const passed = senders.filter(({ may }) => may).length;
      return {
        refused: wrong.length === 0,
        seen: wrong.join(", ") || `${least} and higher; ${passed} of ${senders.length} pass`,
      };
    });
  }
  await results.check("methods that a path doesn't have", async () => {
    const paths = [...new Set(operations.map(({ path }) => path))];
    const other = paths.flatMap((path) =>
      ["GET", "POST", "PUT", "PATCH", "DELETE"]
        .filter((method) => !operations.some((each) => each.path === path && each.method === method))
        .map((method) => ({ path, method })),
    );
    const statuses = await atOnce(other, async ({ path, method }) => {
      const at = path.replaceAll(/\{\w+\}/g, unknownIds.cluster);
      return (await target.api(at, { method })).status;
    });
    const isRefused = (status: number) => status === 404 || status === 405;
    return { refused: statuses.every(isRefused), seen: `${other.length}: ${[...new Set(statuses)].join(", ")}` };
  });
}

/** leastRole is the lowest role that may call an operation. */
function leastRole({ method, path }: Operation): Role {
  const verb = `${method} ${path}`;
  const exception = exceptions[verb];
  if (exception) return exception;
  if (method === "GET" && isWithin(path, readByOwners)) return "owner";
  if (method === "GET") return isWithin(path, hiddenFromViewers) ? "operator" : "viewer";
  if (queriesByPost.includes(path)) return "viewer";
  return isWithin(path, changedByOwners) ? "owner" : "operator";
}

function isWithin(path: string, paths: readonly string[]): boolean {
  return paths.some((each) => path === each || path.startsWith(`${each}/`));
}
