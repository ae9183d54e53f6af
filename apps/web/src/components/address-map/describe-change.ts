import type { AddressMappingChange } from "@fairlead/domain";
import type { StatusLook } from "../ui/status.ts";
import { endText } from "./end-text.ts";

export const changeLooks: Record<AddressMappingChange["what"], StatusLook> = {
  added: { word: "Came", shape: "disc", tone: "good" },
  moved: { word: "Moved", shape: "half", tone: "accent" },
  ready: { word: "Ready", shape: "disc", tone: "good" },
  unready: { word: "Not ready", shape: "ring", tone: "warn" },
  removed: { word: "Went", shape: "cross", tone: "silent" },
};

type Mapped = NonNullable<AddressMappingChange["after"]>;

/** describeChange says what of an instance's part of a map is other than before, part by part. */
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
    differs(serverNames(before), serverNames(after), "asked for as "),
    differs(before.node ?? "an unknown node", after.node ?? "an unknown node", "node "),
    differs(before.pod ?? "an unknown pod", after.pod ?? "an unknown pod", "pod "),
    before.ready === after.ready ? "" : after.ready ? "now ready" : "not ready any more",
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
  return list(ends.map((each) => endText(each.internalAddress, each.internalPort)));
}

function externals({ ends }: Mapped): string {
  return list(
    ends.map((each) => (each.externalAddress ? endText(each.externalAddress, each.externalPort) : "no address")),
  );
}

function serverNames({ ends }: Mapped): string {
  return list(ends.map((each) => each.serverName ?? "")) || "any name";
}

/** Which of its ports are not ready, where some are. */
function waiting({ ends }: Mapped): string {
  const not = ends.filter((each) => !each.ready).map((each) => each.internalPort);
  return not.length === 0 || not.length === ends.length ? "" : `port ${not.join(", ")}`;
}

function list(texts: string[]): string {
  return [...new Set(texts)].join(", ");
}
