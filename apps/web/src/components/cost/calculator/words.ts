import {
  type CapacityFigure,
  type Confidence,
  type Constraint,
  type CostOption,
  providers,
} from "@fairlead/domain/cost";

export const constraintNames: Record<Constraint, string> = {
  "session-persistence": "Session persistence",
  "client-source-address": "Client source address visible",
  "per-replica-addresses": "Address per replica",
  "static-ip": "Static address",
  "no-lock-in": "No vendor lock-in",
  "on-premises": "On premises",
};

export const confidenceWords: Record<Confidence, string> = {
  fed: "read from its provider",
  published: "published by its provider",
  reported: "reported by third parties",
  uncertain: "uncertain",
  own: "your own price",
};

export const figureNames: Record<CapacityFigure["of"], { name: string; unit: string }> = {
  mbps: { name: "Traffic", unit: "Mbit/s" },
  "new-connections": { name: "New connections", unit: "/s" },
  "active-connections": { name: "Live connections", unit: "" },
  requests: { name: "Requests", unit: "/s" },
  latency: { name: "Added latency, p99", unit: "ms" },
};

/** regionText names a region; "any" means that the price is the same everywhere. */
export function regionText(region: string): string {
  return region === "any" ? "every region" : region;
}

type Place = Pick<CostOption, "offerId" | "region">;

/** placeKey identifies an option in the URL and in React. */
export function placeKey({ offerId, region }: Place): string {
  return `${offerId}@${region}`;
}

/** The provider and region of an option. */
export function placeText({ provider, region }: Pick<CostOption, "provider" | "region">): string {
  return provider === "own" ? "on premises" : `${providers[provider].title}, ${regionText(region)}`;
}
