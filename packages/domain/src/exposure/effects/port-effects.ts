import type { ExposedPort } from "../exposed-port.ts";
import { type EffectsOf, listEffects, type SpecForEffects } from "./effect.ts";

/** portEffects lists the effects of closed and changed ports. New ones affect no connection. */
export function portEffects(before: SpecForEffects, after: SpecForEffects): string[] {
  const left = new Map(after.ports.map((port) => [nameOf(port), port]));
  return before.ports.flatMap((port) => {
    const now = left.get(nameOf(port));
    return now
      ? listEffects(keptPortEffects, { before: port, after: now, whole: { before, after } })
      : [closes(port, before)];
  });
}

const keptPortEffects: EffectsOf<ExposedPort> = {
  // Another port or protocol closes this one.
  port: null,
  protocol: null,
  name: null,
  targetPort({ before, after }) {
    const target = after.targetPort ?? after.port;
    if ((before.targetPort ?? before.port) === target) return [];
    return [
      `Target of port ${nameOf(after)}: new connections go to ${target} of each instance. Existing ones may break.`,
    ];
  },
};

function closes(port: ExposedPort, { strategy }: SpecForEffects): string {
  const addressing = strategy.type === "per-replica" ? strategy.addressing : null;
  if (addressing === "shared-port")
    return `Port ${nameOf(port)} closes, and so do the ports of instances counted from it. Connections to them end.`;
  if (addressing === "node-port")
    return `Port ${nameOf(port)} closes, and so do its node ports. Connections to them end.`;
  return `Port ${nameOf(port)} closes. Connections to it end.`;
}

function nameOf({ port, protocol }: ExposedPort): string {
  return `${port} ${protocol}`;
}
