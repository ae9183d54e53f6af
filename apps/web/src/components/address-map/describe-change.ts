import { formatEndpoint } from "@fairlead/domain/address";
import type { AddressMappingChange } from "@fairlead/domain/address-map";
import type { StatusLook } from "../ui/status/status.ts";

export const changeLooks: Record<AddressMappingChange["what"], StatusLook> = {
  added: { word: "Added", shape: "disc", tone: "good" },
  moved: { word: "Moved", shape: "half", tone: "accent" },
  ready: { word: "Ready", shape: "disc", tone: "good" },
  unready: { word: "Not ready", shape: "ring", tone: "warn" },
  removed: { word: "Removed", shape: "cross", tone: "silent" },
};

type Mapped = NonNullable<AddressMappingChange["after"]>;

/** describeChange lists what changed in an instance's part of a map. */
export function describeChange({
  what,
  before,
  after,
}: Pick<AddressMappingChange, "what" | "before" | "after">): string {
  if (!before || !after) {
    const there = after ?? before;
    if (!there) return "";
    return `${ends(there)}${there.node ? `, on ${there.node}` : ""}`;
  }
  if (what === "ready" || what === "unready") return waiting(after);
  const parts = [
    differs(externals(before), externals(after), ""),
    differs(internals(before), internals(after), "inside "),
    differs(serverNames(before), serverNames(after), "TLS name "),
    differs(before.node ?? "an unknown node", after.node ?? "an unknown node", "node "),
    differs(before.pod ?? "an unknown pod", after.pod ?? "an unknown pod", "pod "),
    before.ready === after.ready ? "" : after.ready ? "now ready" : "no longer ready",
  ].filter(Boolean);
  return parts.join("; ");
}

function differs(before: string, after: string, name: string): string {
  return before === after ? "" : `${name}${before} → ${after}`;
}

function ends(mapped: Mapped): string {
  return `${internals(mapped)} → ${externals(mapped)}`;
}

function internals({ ends }: Mapped): string {
  return list(ends.map((each) => formatEndpoint(each.internalAddress, each.internalPort)));
}

function externals({ ends }: Mapped): string {
  return list(
    ends.map((each) => (each.externalAddress ? formatEndpoint(each.externalAddress, each.externalPort) : "no address")),
  );
}

function serverNames({ ends }: Mapped): string {
  return list(ends.map((each) => each.serverName ?? "")) || "any name";
}

/** Its ports that are not ready, if any. */
function waiting({ ends }: Mapped): string {
  const not = ends.filter((each) => !each.ready).map((each) => each.internalPort);
  return not.length === 0 || not.length === ends.length ? "" : `port ${not.join(", ")}`;
}

function list(texts: string[]): string {
  return [...new Set(texts)].join(", ");
}
