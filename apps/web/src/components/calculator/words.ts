import {
  type CapacityFigure,
  type Confidence,
  type Constraint,
  type CostOption,
  providerNames,
} from "@fairlead/domain";

export const constraintNames: Record<Constraint, string> = {
  "session-persistence": "Keeps a client on its backend",
  "client-source-address": "Backends see the client's address",
  "per-replica-addresses": "An address for each replica",
  "static-ip": "An address that stays",
  "no-lock-in": "Not tied to one provider",
  "on-premises": "Runs on premises",
};

export const confidenceWords: Record<Confidence, string> = {
  fed: "read from its provider",
  published: "published by its provider",
  reported: "told by others",
  uncertain: "uncertain",
  own: "your own price",
};

export const figureNames: Record<CapacityFigure["of"], { name: string; unit: string }> = {
  mbps: { name: "Traffic", unit: "Mbit/s" },
  "new-connections": { name: "New connections", unit: "/s" },
  "active-connections": { name: "Live connections", unit: "" },
  requests: { name: "Requests", unit: "/s" },
  latency: { name: "Time added", unit: "ms" },
};

/** regionText names a region; "any" is where the price is the same everywhere. */
export function regionText(region: string): string {
  return region === "any" ? "every region" : region;
}

type Place = Pick<CostOption, "offerId" | "region">;

/** placeKey names an option in the URL, and to React. */
export function placeKey({ offerId, region }: Place): string {
  return `${offerId}@${region}`;
}

/** Where an option is bought, in a few words. */
export function placeText({ provider, region }: Pick<CostOption, "provider" | "region">): string {
  return provider === "own" ? "on premises" : `${providerNames[provider]}, ${regionText(region)}`;
}
