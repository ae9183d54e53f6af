import {
  type CapacityFigure,
  type Confidence,
  type Constraint,
  type CostOption,
  providers,
} from "@fairlead/domain/cost";
import type { StatusLook } from "@/components/ui/status/status.ts";
import type { ShownGrade } from "./search-params.ts";

export const constraintNames: Record<Constraint, string> = {
  "session-persistence": "Session persistence",
  "client-source-address": "Client source address visible",
  "per-replica-addresses": "Address per replica",
  "static-ip": "Static address",
  "no-lock-in": "No vendor lock-in",
  "on-premises": "On premises",
};

/** Grades differ by word, shape and colour. */
export const gradeLooks: Record<ShownGrade, StatusLook> = {
  proven: { word: "Proven", shape: "disc", tone: "good" },
  likely: { word: "Likely", shape: "half", tone: "accent" },
  unknown: { word: "Unknown", shape: "ring", tone: "warn" },
  misfit: { word: "Does not fit", shape: "cross", tone: "silent" },
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

/** priceText is a sum, or a minimum if the bill is incomplete. */
export function priceText(text: string, { missing }: Pick<CostOption, "missing">): string {
  return missing.length > 0 ? `from ${text}` : text;
}

type Place = Pick<CostOption, "offerId" | "region">;

/** placeKey identifies an option in the URL and in React. */
export function placeKey({ offerId, region }: Place): string {
  return `${offerId}@${region}`;
}

/** placesText is the provider of an option, and how many regions have its cost, or the only one. */
export function placesText(option: Pick<CostOption, "provider" | "region">, regions: readonly string[]): string {
  if (regions.length < 2 || option.provider === "own") return placeText(option);
  return `${providers[option.provider].title}, in ${regions.length} regions`;
}

/** The provider and region of an option. */
export function placeText({ provider, region }: Pick<CostOption, "provider" | "region">): string {
  return provider === "own" ? "on premises" : `${providers[provider].title}, ${regionText(region)}`;
}
