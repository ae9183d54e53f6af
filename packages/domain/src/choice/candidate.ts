import type { AddressFamily } from "./requirements.ts";

/** Known is a fact with its source, and when it was measured; null if it is a setting. Otherwise, why it is unknown. */
export type Known<Value> = { value: Value; source: string; at: Date | null } | { value: null; why: string };

/** What is known of a candidate. Nothing in it is guessed. */
export type CandidateFacts = {
  addressFamilies: Known<readonly AddressFamily[]>;
  perInstanceMap: Known<boolean>;
  tlsPersistence: Known<boolean>;
  latencyMsP99: Known<number>;
  headroomMbps: Known<number>;
  headroomConnections: Known<number>;
  region: Known<string>;
  /** In millionths of the currency of the request. */
  hourlyMicros: Known<number>;
  availabilityPercent: Known<number>;
  labels: Known<Readonly<Record<string, string>>>;
};

/** A cluster or an exposure to choose from. */
export type Candidate = { id: string; name: string; clusterId: string; clusterName: string; facts: CandidateFacts };

export function unknown(why: string): { value: null; why: string } {
  return { value: null, why };
}
