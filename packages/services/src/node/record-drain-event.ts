import type { Tx } from "@fairlead/db";
import type { Node, NodeAnnounced } from "@fairlead/domain/node";
import type { ServiceContext } from "../context.ts";
import { recordEvent } from "../control/record-event.ts";
import { selectAnnounced } from "./announced.sql.ts";
import { selectPausedOn } from "./paused-on.sql.ts";

/**
 * recordDrainEvent records that a node drains or serves again, as a warning where the drain makes an address
 * unreachable.
 */
export async function recordDrainEvent(tx: Tx, ctx: ServiceContext, node: Node): Promise<void> {
  const { id, name, clusterId, drainingSince } = node;
  const { alone } = await selectAnnounced(tx, id);
  const paused = await selectPausedOn(tx, id);
  const event = drainingSince
    ? {
        severity: alone.length + paused.length > 0 ? ("warning" as const) : ("info" as const),
        reason: "NodeDraining" as const,
        message: `${ctx.actor.name} drains ${name}: routers prefer any other replica from now on.${warnOf(alone)}${warnOfPaused(paused)}`,
      }
    : { reason: "NodeReturned" as const, message: `${ctx.actor.name} put ${name} back into service.` };
  const subject = { subjectKind: "node" as const, subjectId: id, subjectName: name, clusterId };
  await recordEvent(tx, ctx.organizationId, { at: ctx.now, ...event, ...subject });
}

const mostNamed = 3;

function warnOf(alone: NodeAnnounced["alone"]): string {
  if (alone.length === 0) return "";
  return ` No other node announces ${namesOf(alone)}: no traffic reaches it once its connections have ended.`;
}

/** The drain completes for routers. A cloud keeps the addresses of paused exposures, and their replicas stay. */
function warnOfPaused(paused: readonly string[]): string {
  if (paused.length === 0) return "";
  return ` Replicas and cloud addresses of ${namesOf(paused)} stay on this node, because the exposure is paused.`;
}

function namesOf(all: readonly string[]): string {
  const more = all.length > mostNamed ? ` and ${all.length - mostNamed} more` : "";
  return `${all.slice(0, mostNamed).join(", ")}${more}`;
}
