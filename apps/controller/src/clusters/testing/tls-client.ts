import path from "node:path";
import type { Nodes } from "@fairlead/drivers/kubernetes-testing";

export type VisitRequest = {
  address: string;
  port: number;
  users: number;
  returns: number;
  /** How long a user waits before the next visit; at once by default. */
  pauseMs?: number;
};

export type Visits = {
  connections: number;
  returns: number;
  /** Returns whose session the server resumed. */
  resumed: number;
  /** Returns to the pod of the visit before. */
  home: number;
  /** A line for each kind of error, such as `3 connections failed from 10 to 40 ms: read ECONNRESET`. */
  errors: string[];
  pods: string[];
};

/** openTlsClient starts a process outside the cluster that visits a TLS service as many users do. */
export function openTlsClient(nodes: Nodes): {
  visit: (request: VisitRequest) => Promise<Visits>;
  stop: () => Promise<void>;
} {
  const talk = nodes.client.talk<VisitRequest>(path.join(import.meta.dirname, "tls-client-process.ts"));
  return { visit: (request) => talk.ask<Visits>(request), stop: () => talk.stop() };
}
