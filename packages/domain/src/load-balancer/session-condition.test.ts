import { expect, it } from "vitest";
import type { SessionFallback } from "../exposure/session.ts";
import { type PlacesBySession, sessionCondition } from "./session-condition.ts";

const replica = (problem: string | null = "", nodeName = "n1", fallback: SessionFallback | null = null) =>
  ({
    ...{ nodeName, problem, fallback: problem && !fallback ? "plain" : fallback },
  }) satisfies PlacesBySession["replicas"][number];
const backend = (instance: string, message = "") => ({ instance, takes: message === "", message });

it.each<[string, PlacesBySession, string, string]>([
  [
    "all take them",
    { replicas: [replica()], backends: [backend("a")] },
    "BySession",
    "Connections are placed by TLS session.",
  ],
  [
    "no replica has reported",
    { replicas: [replica(null)], backends: [backend("a")] },
    "NotReported",
    "has reported yet",
  ],
  [
    "there is no backend",
    { replicas: [replica()], backends: [] },
    "NotReported",
    "No instance of the workload is ready.",
  ],
  [
    "no replica has reported, as none places them by session without backends that take them",
    { replicas: [replica(null)], backends: [backend("a", "No agent.")] },
    "NotBySession",
    "a: No agent.",
  ],
  [
    "no backend takes them",
    { replicas: [replica("No backend.")], backends: [backend("a", "No agent.")] },
    "NotBySession",
    "no backend takes connections by TLS session. a: No agent.",
  ],
  [
    "a replica can't",
    { replicas: [replica(), replica("Old kernel.", "n2")], backends: [backend("a")] },
    "NotBySession",
    "The replica on n2 places each connection on its own: Old kernel.",
  ],
  [
    "all replicas fall back to a proxy",
    {
      replicas: [replica("No agents.", "n1", "proxy"), replica("None.", "n2", "proxy")],
      backends: [backend("a", "No.")],
    },
    "ByProxy",
    "Replicas carry the connections by a proxy. No agents.",
  ],
  [
    "one falls back to a proxy",
    { replicas: [replica(), replica("Old kernel.", "n2", "proxy")], backends: [backend("a")] },
    "ByProxy",
    "The replica on n2 carries connections by a proxy: Old kernel.",
  ],
  [
    "one can't even fall back to a proxy",
    { replicas: [replica("No agents.", "n1", "proxy"), replica("Port.", "n2")], backends: [backend("a")] },
    "NotBySession",
    "The replica on n2 places each connection on its own: Port.",
  ],
  [
    "some backends don't",
    { replicas: [replica()], backends: [backend("a"), backend("b", "No agent.")] },
    "BackendsNotBySession",
    "1 of 2 backends can't take connections by TLS session, such as b: No agent.",
  ],
])("is a condition when %s", (_, places, reason, message) => {
  const condition = sessionCondition(places);
  expect(condition).toMatchObject({ type: "BySession", reason });
  expect(condition.message).toContain(message);
  const status = { BySession: "true", NotReported: "unknown" }[reason] ?? "false";
  expect(condition.status).toBe(status);
});
