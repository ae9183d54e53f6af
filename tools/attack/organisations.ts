import { unknownIds } from "@fairlead/api/testing";
import { call, operations } from "./operations.ts";
import type { Results } from "./results.ts";
import type { Answer } from "./send.ts";
import type { Target } from "./target.ts";

/** Prices belong to no organisation. */
const common = new Set(["priceRefresh.get", "priceRefresh.accept", "priceRefresh.reject"]);

/** attackOrganisations reads, changes and deletes each object of another organisation by its id, as an owner. */
export async function attackOrganisations(target: Target, results: Results): Promise<void> {
  const { stack, key, victim } = target;
  const headers = { authorization: `Bearer ${key}` };
  for (const operation of operations) {
    const isById = operation.segments.some(({ isField }) => isField) && !common.has(operation.id);
    const what = `${operation.method} ${operation.path} ${isById ? "of" : "with ids of"} another organisation`;
    await results.check(what, async () => {
      const theirs = await call(stack.url, operation, victim.ids, headers);
      const unknown = await call(stack.url, operation, unknownIds, headers);
      const leaked = victim.marks.filter((mark) => theirs.text.includes(mark));
      if (leaked.length > 0) return { refused: false, seen: `${theirs.status}, with data of the organisation` };
      if (!isById) return { refused: theirs.status < 500, seen: `${theirs.status}, nothing of it` };
      const isAlike = plain(theirs) === plain(unknown);
      const seen = isAlike
        ? `${theirs.status}, as for an unknown id`
        : `${theirs.status}, but ${unknown.status} for an unknown id`;
      return { refused: theirs.status === 404 && isAlike, seen };
    });
  }
  await results.check("(the victim's own key reads its objects)", async () => {
    const { status, text } = await target.api(`/clusters/${victim.ids.cluster}`, { key: target.victimKey });
    return { refused: status === 200 && victim.marks.some((mark) => text.includes(mark)), seen: String(status) };
  });
  await results.check("objects of the victim afterwards", async () => {
    const lost = await findLost(target);
    return { refused: lost.length === 0, seen: lost.join(", ") || "all there, unchanged" };
  });
}

/** plain is an answer without what differs between two requests: their ids. */
function plain({ status, text }: Answer): string {
  return `${status} ${text.replaceAll(/[a-z]+_[0-9a-z]{26}|[0-9a-f-]{36}/g, "…")}`;
}

/** findLost lists the kinds of which an object was deleted, revoked or changed. */
async function findLost({ db, victim }: Target): Promise<string[]> {
  const { ids, marks } = victim;
  const [name = ""] = marks;
  const found: [string, unknown][] = [
    ["cluster", await db.cluster.findFirst({ where: { id: ids.cluster, region: name } })],
    ["pool", await db.addressPool.findFirst({ where: { id: ids.addressPool, note: name } })],
    ["exposure", await db.exposure.findFirst({ where: { id: ids.exposure, name, generation: 1, deletedAt: null } })],
    ["node", await db.node.findFirst({ where: { id: ids.node, name } })],
    ["agent", await db.agent.findFirst({ where: { id: ids.agent, revokedAt: null } })],
    ["member", await db.member.findFirst({ where: { id: ids.member } })],
    ["token", await db.enrollmentToken.findFirst({ where: { id: ids.enrollmentToken } })],
    ["invitation", await db.invitation.findFirst({ where: { id: ids.invitation } })],
    ["API key", await db.apiKey.findFirst({ where: { id: ids.apiKey, revokedAt: null } })],
    ["identity provider", await db.ssoProvider.findFirst({ where: { id: ids.identityProvider } })],
    ["experiment", await db.experiment.findFirst({ where: { id: ids.experiment } })],
    ["negotiated price", await db.negotiatedPrice.findFirst({ where: { id: ids.negotiatedPrice, note: name } })],
    ["machine", await db.ownMachine.findFirst({ where: { id: ids.ownMachine, cores: 4 } })],
    ["currency rate", await db.currencyRate.findFirst({ where: { id: ids.currencyRate, rate: 1.08 } })],
  ];
  return found.flatMap(([kind, row]) => (row ? [] : [kind]));
}
