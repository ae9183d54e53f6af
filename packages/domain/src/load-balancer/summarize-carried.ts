import type { ConditionReason } from "../event/reasons.ts";
import type { ObservedExposure } from "../exposure/exposure-state.ts";
import type { Backend, LoadBalancerPhase } from "./load-balancer.ts";

/** CarriedLoadBalancer is what our agents report about one load balancer that is placed on them. */
export type CarriedLoadBalancer = {
  id: string;
  address: string | null;
  replicas: CarriedReplica[];
  backends: CarriedBackend[];
};

export type CarriedReplica = {
  id: string;
  /** The node of its agent; null if it isn't placed. */
  nodeName: string | null;
  /** Whether its agent reports. */
  speaks: boolean;
  /** null until its agent has reported it. */
  ready: boolean | null;
  /** Why it isn't ready; of a ready one, why it carries an earlier configuration. */
  message: string;
};

export type CarriedBackend = Pick<Backend, "instance" | "state" | "health" | "message"> & {
  /** Whether replicas check its health. */
  isChecked: boolean;
};

export type CarriedSummary = Pick<ObservedExposure, "phase" | "message" | "conditions"> & {
  replicasReady: number;
  backendsUp: number;
  /** Backends that take new connections, or should. */
  backendsTotal: number;
};

type Before = { phase: LoadBalancerPhase };

/**
 * lack: what a replica without an agent needs. unseen: why the instances are unknown. omitted: which instances clients can't
 * reach. placing: how connections are placed, with the strategies session and adaptive.
 */
type Reasons = { lack: string; unseen?: string; omitted?: string; placing?: NewCondition | null };

/** summarizeCarried derives the phase, the message and the conditions of a load balancer of ours. */
export function summarizeCarried(
  balancer: CarriedLoadBalancer,
  before: Before,
  { lack, unseen = "", omitted = "", placing = null }: Reasons,
): CarriedSummary {
  const { replicas } = balancer;
  const backends = balancer.backends.filter((each) => each.state === "active" || each.state === "filling");
  const up = backends.filter(isUp);
  const down = backends.filter((each) => each.health === "down");
  const unchecked = backends.filter((each) => each.health === "unknown" && each.isChecked);
  const carrying = replicas.filter((each) => each.speaks && each.ready === true);
  const figures = { replicasReady: carrying.length, backendsUp: up.length, backendsTotal: backends.length };
  const conditions = [
    placed(replicas, lack),
    carried(replicas, carrying),
    backendsUp(replicas, backends, { up, down, unchecked, unseen }),
    ...(placing ? [placing] : []),
  ];
  const parts = `on ${carrying.length} of ${count(replicas.length, "replica")}; ${countUp(up, backends, unchecked)}`;
  // The first condition that isn't met is the reason for the others.
  const wrong = conditions.find((each) => each.status === "false") ?? conditions.find((each) => each.status !== "true");
  const why = wrong?.message ?? "";
  const ready = (phase: ObservedExposure["phase"], reason: ConditionReason, message: string): CarriedSummary => {
    const status = phase === "serving" ? ("true" as const) : ("false" as const);
    const whole = `${message} ${omitted}`.trim();
    const all = [{ type: "Ready", status, reason, message: whole }, ...conditions, ...complete(omitted)];
    return { ...figures, phase, message: whole, conditions: all };
  };
  const served = before.phase === "serving" || before.phase === "degraded" || before.phase === "failed";
  // Agents send connections to a backend before its first check, but whether it can serve them is known only then.
  if (carrying.length > 0 && !served && unchecked.length > 0 && unchecked.length === backends.length)
    return ready("pending", "Waiting", `Waiting for the first health checks. ${why}`);
  if (carrying.length > 0) {
    if (
      carrying.every(isCurrent) &&
      carrying.length === replicas.length &&
      down.length === 0 &&
      backends.length > 0 &&
      placing?.status !== "false" &&
      omitted === ""
    )
      return ready("serving", "Serving", `Serving ${parts}.`);
    return ready("degraded", "PartlyServing", `Serving ${parts}. ${why}`.trim());
  }
  // The data path of a silent agent continues without the control plane; only its status is outdated.
  if (replicas.some((each) => !each.speaks && each.ready === true))
    return ready("degraded", "ReplicasSilent", `Serves by its agents' last configuration. ${why}`);
  if (served) return ready("failed", "NotServing", `Not serving. ${why}`.trim());
  return ready("pending", "Waiting", why || "Waiting for its replicas.");
}

/** Why an instance's balancer may not serve. problem: a sentence, or empty. isAway: its instance is gone. */
type Hindrance = { problem: string; isAway: boolean };

/** summarizeInstance summarizes the balancer of one instance, which may have nothing to serve for a while. */
export function summarizeInstance(
  balancer: CarriedLoadBalancer,
  before: Before,
  reasons: Reasons,
  { problem, isAway }: Hindrance,
): CarriedSummary {
  const summary = summarizeCarried(balancer, before, reasons);
  // With its former address it continues to serve.
  const serves = summary.phase === "serving" || summary.phase === "degraded";
  if (problem !== "") return { ...summary, phase: serves ? "degraded" : "failed", message: problem };
  if (isAway)
    return {
      ...summary,
      phase: "degraded",
      message: "Its instance is not running; its address is kept for it.",
    };
  return summary;
}

type NewCondition = ObservedExposure["conditions"][number];

function placed(replicas: CarriedReplica[], lack: string): NewCondition {
  if (replicas.length === 0)
    return { type: "Placed", status: "false", reason: "NoAgents", message: `It has no replica: ${lack}` };
  const without = replicas.filter((each) => each.nodeName === null);
  if (without.length > 0) {
    const message = `${without.length} of ${count(replicas.length, "replica")} ${have(without.length)} no agent to run on: ${lack}`;
    return { type: "Placed", status: "false", reason: "NoAgents", message };
  }
  const where = replicas.map((each) => each.nodeName).join(", ");
  return { type: "Placed", status: "true", reason: "Placed", message: `Placed on ${where}.` };
}

function carried(replicas: CarriedReplica[], carrying: CarriedReplica[]): NewCondition {
  const type = "Carried";
  const message = `${carrying.length} of ${count(replicas.length, "replica")} ${carrying.length === 1 || replicas.length === 1 ? "carries" : "carry"} it`;
  const outdated = carrying.find((each) => !isCurrent(each));
  if (carrying.length === replicas.length && outdated)
    return {
      type,
      status: "false",
      reason: "NotCarried",
      message: `${message}. ${outdated.nodeName}: ${outdated.message}`,
    };
  if (carrying.length === replicas.length) return { type, status: "true", reason: "Carried", message: `${message}.` };
  const silent = replicas.flatMap((each) => (each.speaks || each.nodeName === null ? [] : each.nodeName));
  const failing = replicas.find((each) => each.speaks && each.ready === false);
  if (silent.length > 0)
    return {
      type,
      status: "false",
      reason: "ReplicaSilent",
      message: `${message}; the ${silent.length === 1 ? "one" : "ones"} on ${silent.join(", ")} ${be(silent.length)} silent.`,
    };
  if (failing)
    return {
      type,
      status: "false",
      reason: "NotCarried",
      message: `${message}. ${failing.nodeName}: ${failing.message}`,
    };
  return { type, status: "unknown", reason: "NotReported", message: `${message}; the others have not reported yet.` };
}

function backendsUp(
  replicas: CarriedReplica[],
  backends: CarriedBackend[],
  { up, down, unchecked, unseen }: Record<"up" | "down" | "unchecked", CarriedBackend[]> & { unseen: string },
): NewCondition {
  const type = "BackendsUp";
  if (backends.length === 0 && unseen !== "")
    return { type, status: "false", reason: "InstancesUnknown", message: unseen };
  if (backends.length === 0)
    return { type, status: "unknown", reason: "NoBackends", message: "No instance of the workload is ready." };
  if (replicas.some((each) => each.ready !== null) && !replicas.some((each) => each.speaks)) {
    const message = `No replica reports their health; ${up.length} of ${count(backends.length, "backend")} ${up.length === 1 ? "was" : "were"} up at the last report.`;
    return { type, status: "unknown", reason: "ReplicasSilent", message };
  }
  const [first] = down;
  if (first) {
    const why = first.message ? `: ${first.message}` : "";
    const message = `${down.length} of ${count(backends.length, "backend")} ${be(down.length)} down, such as ${first.instance}${why}`;
    return { type, status: "false", reason: "BackendsDown", message: withStop(message) };
  }
  const message = `${countUp(up, backends, unchecked)}.`;
  if (up.length < backends.length) return { type, status: "unknown", reason: "NotChecked", message };
  return { type, status: "true", reason: "BackendsUp", message };
}

function complete(omitted: string): NewCondition[] {
  if (omitted === "") return [];
  return [{ type: "Complete", status: "false", reason: "InstancesOmitted", message: omitted }];
}

const isCurrent = ({ message }: CarriedReplica): boolean => message === "";

/** Without a health check, a backend counts as up. */
function isUp({ health, isChecked }: CarriedBackend): boolean {
  return health === "up" || (health === "unknown" && !isChecked);
}

function countUp(up: CarriedBackend[], of: CarriedBackend[], unchecked: CarriedBackend[]): string {
  const rest = unchecked.length > 0 ? `, ${unchecked.length} ${be(unchecked.length)} not checked yet` : "";
  return `${up.length} of ${count(of.length, "backend")} ${be(up.length, of.length)} up${rest}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function be(number: number, of = number): string {
  return number === 1 || of === 1 ? "is" : "are";
}

function have(number: number): string {
  return number === 1 ? "has" : "have";
}

function withStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
