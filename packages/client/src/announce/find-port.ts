import { MapError } from "../errors.ts";
import type { OwnEnds } from "./own-ends.ts";

/** externalPort returns the external port of an internal TCP port, or undefined if it is not exposed. */
export function externalPort({ ports }: OwnEnds, internal: number): number | undefined {
  return ports.find((each) => each.protocol === "tcp" && each.internal === internal)?.external;
}

export function needExternalPort(own: OwnEnds, internal: number, why: string): number {
  const port = externalPort(own, internal);
  if (port !== undefined) return port;
  const known = own.ports.map((each) => `${each.internal}/${each.protocol}`).join(", ") || "none";
  throw new MapError("unknown-address", `${own.instance} exposes no port ${internal}, ${why}; it exposes: ${known}.`);
}
