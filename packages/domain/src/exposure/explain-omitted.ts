import { mostBackends } from "../load-balancer/plan-backends.ts";
import type { Workload } from "./exposure.ts";
import { mostInstances } from "./observed-outside.ts";
import { describeWorkload } from "./plan-exposure.ts";

/** Omitted are the instances that no client comes to through the balancer of an exposure, though it is for all. */
export type Omitted = {
  /** How many more there are than one exposure may have. */
  surplus: number;
  /** How many find no room behind the balancer. */
  leftOut: number;
  /** Whose names can be no host's, where clients ask for instances by name. */
  unnamed: readonly string[];
};

/** explainOmitted says which instances nobody comes to, and what to do, in a sentence each; empty when there are none. */
export function explainOmitted(workload: Workload, { surplus, leftOut, unnamed }: Omitted): string {
  const [first] = unnamed;
  const sentences: string[] = [];
  if (surplus > 0) sentences.push(explainSurplus(workload, surplus));
  if (leftOut > 0)
    sentences.push(
      `${instances(leftOut, workload)} ${leftOut === 1 ? "finds" : "find"} no room: a balancer has at most ${mostBackends} backends, one for each port of an instance. Expose them in parts.`,
    );
  if (first !== undefined)
    sentences.push(
      `${instances(unnamed.length, workload)} ${unnamed.length === 1 ? "has a name" : "have names"} that can be no host's, such as ${first}: no client can ask for ${unnamed.length === 1 ? "it" : "them"}. Use letters, digits and hyphens, and at most 63 between dots.`,
    );
  return sentences.join(" ");
}

/** explainSurplus says that a workload has too many instances for one exposure. */
export function explainSurplus(workload: Workload, surplus: number): string {
  return `${mostInstances + surplus} instances are ${surplus} more than one exposure may have: ${describeWorkload(workload)} must be fewer, or exposed in parts.`;
}

function instances(count: number, workload: Workload): string {
  return `${count} instance${count === 1 ? "" : "s"} of ${describeWorkload(workload)}`;
}
