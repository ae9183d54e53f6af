import type { FlowColumn, FlowKind, FlowPlace, FlowState } from "@fairlead/domain/traffic-flow";
import { formatQuantity } from "../charts/data/quantity.ts";
import { type StatusLook, statusLooks } from "../ui/status/status.ts";
import { count, percent } from "../words/numbers.ts";

const columnTitles: Record<FlowColumn, string> = {
  client: "Clients",
  router: "Routers",
  replica: "Replicas",
  exposure: "Exposures",
  backend: "Backends",
};

/** The title of a column: what most of its places are. */
export function columnTitle(column: FlowColumn, places: readonly FlowPlace[]): string {
  const kinds = new Set(places.map((each) => each.kind));
  if (kinds.has("network")) return "Client networks";
  if (kinds.has("load-balancer") && !kinds.has("replica")) return "Load balancers";
  return columnTitles[column];
}

const nouns: Record<FlowKind, [one: string, many: string]> = {
  clients: ["client", "clients"],
  network: ["network", "networks"],
  "other-networks": ["network", "networks"],
  "not-sampled": ["client", "clients"],
  router: ["router", "routers"],
  replica: ["replica", "replicas"],
  "load-balancer": ["load balancer", "load balancers"],
  backend: ["backend", "backends"],
  exposure: ["exposure", "exposures"],
  // They have the name of their exposure.
  backends: ["exposure", "exposures"],
};

/** The name of a place, or what it stands for. */
export function placeName({ name, kind, size }: FlowPlace): string {
  if (size > 1) return `${count(size)} more ${nouns[kind][1]}`;
  if (name !== "") return name;
  if (kind === "clients") return "All clients";
  if (kind === "other-networks") return "Other networks";
  if (kind === "not-sampled") return "Not sampled";
  if (kind === "router") return "External routers";
  return kind === "replica" ? "Not placed" : `Unnamed ${nouns[kind][0]}`;
}

/** The page of a place, if it has one. */
export function placeHref({ kind, id }: FlowPlace): string | null {
  if (id === null) return null;
  if (kind === "exposure") return `/exposures/${id}`;
  if (kind === "backends") return `/exposures/${id}?tab=backends`;
  return kind === "load-balancer" ? `/load-balancers/${id}` : `/nodes/${id}`;
}

/** Throughput, and its share if there are others; of an exposure's backends, how many are up. */
export function placeFigure({ throughputBps, share, backends }: FlowPlace): string {
  if (backends) return backends.total === 0 ? "no backends" : `${count(backends.up)} of ${count(backends.total)} up`;
  if (throughputBps === null) return "not measured";
  const part = share === null || share > 0.999 ? "" : ` · ${percent(share)}`;
  return `${formatQuantity(throughputBps, "bps")}${part}`;
}

/** Lost packets, if there are any. */
export function placeDrops({ dropsPerSecond }: FlowPlace): string | null {
  return dropsPerSecond ? `${formatQuantity(dropsPerSecond, "pps")} dropped` : null;
}

/** The look of a state; null for what has none. */
export function stateLook(state: FlowState, kind: FlowKind): StatusLook | null {
  if (state === "none") return null;
  if (state === "down" && kind === "router") return { ...statusLooks.down, word: "No route" };
  if (kind === "exposure" && state === "up") return statusLooks.serving;
  if (kind === "exposure" && state === "down") return statusLooks.failed;
  return statusLooks[state];
}
