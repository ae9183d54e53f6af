import { may, type Permission } from "@fairlead/domain/access";
import {
  type Attention,
  type AttentionKind,
  type AttentionList,
  attentionAfterMs,
  attentionKindNames,
  attentionKinds,
  byUrgency,
  type ListAttention,
  toAttention,
} from "@fairlead/domain/attention";
import { hideMessage, unlessMap } from "../address-map/may-read.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { findFirstOrganization } from "../control/authorize-installation.ts";
import { finders } from "./finders.ts";
import type { Scope } from "./rank-found.sql.ts";

/** What every caller needs. Rows of other nouns are left out without their permission. */
export const attentionPermission = "cluster:read" satisfies Permission;

/** listAttention returns what has been wrong for over a minute, with the action that fixes it, and how many there are of each kind. */
export async function listAttention(ctx: ServiceContext, input: ListAttention): Promise<AttentionList> {
  authorize(ctx, attentionPermission);
  const { organizationId, now } = ctx;
  const kinds = await readableKinds(ctx, input);
  const scope: Scope = {
    ...{ organizationId, clusterId: input.clusterId, now, kinds, limit: input.limit },
    before: new Date(now.getTime() - attentionAfterMs),
  };
  const wanted = finders.filter((finder) => finder.kinds.some((kind) => kinds.includes(kind)));
  const found = (await Promise.all(wanted.map((finder) => finder.find(ctx, scope)))).flat();
  const totals = new Map(found.map(({ kind, total }) => [kind, total]));
  return {
    at: now,
    total: [...totals.values()].reduce((sum, each) => sum + each, 0),
    counts: attentionKindNames.flatMap((kind) => {
      const count = totals.get(kind);
      return count === undefined ? [] : [{ kind, severity: attentionKinds[kind].severity, count }];
    }),
    items: found
      .map((each) => toAttention(each, (permission) => may(ctx.actor, permission)))
      .map(unlessMap<Attention>(ctx, hideExposed))
      .sort(byUrgency),
  };
}

/** Prices are the same for all organisations, and only the first one decides about them. */
async function readableKinds(ctx: ServiceContext, { kind: chosen }: ListAttention): Promise<AttentionKind[]> {
  const readable = attentionKindNames.filter(
    (kind) => may(ctx.actor, attentionKinds[kind].permission) && (chosen === undefined || chosen.includes(kind)),
  );
  if (!readable.some(isOfPrices)) return readable;
  const isFirst = (await findFirstOrganization(ctx.db)) === ctx.organizationId;
  return isFirst ? readable : readable.filter((kind) => !isOfPrices(kind));
}

function isOfPrices(kind: AttentionKind): boolean {
  return attentionKinds[kind].subject === "price-refresh";
}

/** A full pool and a silent node are no part of an address map. */
function hideExposed(attention: Attention): Attention {
  return attention.subjectKind === "exposure" ? hideMessage(attention) : attention;
}
