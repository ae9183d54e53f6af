import { mostBackends } from "../load-balancer/plan-backends.ts";
import { mostInstances } from "./observed-outside.ts";
import { describeWorkload } from "./plan-exposure.ts";
import type { Workload } from "./workload.ts";

/** Omitted describes the instances that clients can't reach through the one balancer of an exposure. */
export type Omitted = {
  /** Number of instances over the limit of an exposure. */
  surplus: number;
  /** Number of instances over the balancer's limit of backends. */
  leftOut: number;
  /** Names that aren't valid host names, if clients select instances by name. */
  unnamed: readonly string[];
};

/** explainOmitted describes the omitted instances and what to do, a sentence each; empty if there are none. */
export function explainOmitted(workload: Workload, { surplus, leftOut, unnamed }: Omitted): string {
  const [first] = unnamed;
  const sentences: string[] = [];
  if (surplus > 0) sentences.push(explainSurplus(workload, surplus));
  if (leftOut > 0)
    sentences.push(
      `${instances(leftOut, workload)} ${leftOut === 1 ? "is" : "are"} left out: a balancer has at most ${mostBackends} backends, one for each port of an instance. Split them into several exposures.`,
    );
  if (first !== undefined)
    sentences.push(
      `${instances(unnamed.length, workload)} ${unnamed.length === 1 ? "has a name that isn't a valid host name" : "have names that aren't valid host names"}, such as ${first}: no client can request ${unnamed.length === 1 ? "it" : "them"}. Use letters, digits and hyphens, and at most 63 between dots.`,
    );
  return sentences.join(" ");
}

/** explainSurplus reports that a workload has too many instances for one exposure. */
export function explainSurplus(workload: Workload, surplus: number): string {
  return `${mostInstances + surplus} instances are ${surplus} more than one exposure may have: scale down ${describeWorkload(workload)}, or split it into several exposures.`;
}

function instances(count: number, workload: Workload): string {
  return `${count} instance${count === 1 ? "" : "s"} of ${describeWorkload(workload)}`;
}
