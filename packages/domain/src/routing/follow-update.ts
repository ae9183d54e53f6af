import { type RouteStep, routeSteps } from "./route-steps.ts";

/** StepTaken is a step of a route update, as one agent reported it. */
export type StepTaken = { step: RouteStep; agentId: string; nodeName: string; atUs: number };

/** The first and last step of each phase, in order. The last phase spans all routing daemons. */
const phases = {
  find: ["ready", "caused"],
  notice: ["caused", "announced"],
  reflect: ["announced", "reflected"],
  deliver: ["reflected", "learned"],
  write: ["learned", "routed"],
  carry: ["routed", "carried"],
  converge: ["announced", "routed"],
} as const satisfies Record<string, readonly [RouteStep, RouteStep]>;
export type UpdatePhase = keyof typeof phases;
export const updatePhases = Object.keys(phases) as [UpdatePhase, ...UpdatePhase[]];

/** Steps further apart than this are never of the same update. */
export const updateWindowMs = 60_000;
/** Causes precede all other steps, except for the difference between the clocks of two hosts. */
const clocksDifferMs = 1_000;
const causes: readonly RouteStep[] = ["ready", "caused"];

/**
 * splitSteps splits the steps of one next hop of one prefix, all announced or all withdrawn, into updates. Steps may be
 * reported in any order: they are sorted by time, and a step that an agent takes again belongs to the next update.
 */
export function splitSteps(steps: readonly StepTaken[]): StepTaken[][] {
  const seen = new Set<string>();
  const updates: { taken: Set<string>; steps: StepTaken[] }[] = [];
  for (const step of [...steps].sort(inOrder)) {
    const name = nameOf(step);
    const once = `${name} ${step.atUs}`;
    if (seen.has(once)) continue; // reported twice
    seen.add(once);
    const newest = updates.at(-1);
    const ageMs = (step.atUs - (newest?.steps[0]?.atUs ?? 0)) / 1_000;
    const goesOn =
      newest &&
      !newest.taken.has(name) &&
      ageMs <= updateWindowMs &&
      !(causes.includes(step.step) && ageMs > clocksDifferMs && newest.steps.some((each) => each.step !== "ready"));
    if (goesOn) {
      newest.taken.add(name);
      newest.steps.push(step);
    } else updates.push({ taken: new Set([name]), steps: [step] });
  }
  return updates.map((each) => each.steps);
}

function inOrder(a: StepTaken, b: StepTaken): number {
  if (a.atUs !== b.atUs) return a.atUs - b.atUs;
  return routeSteps.indexOf(a.step) - routeSteps.indexOf(b.step) || (a.agentId < b.agentId ? -1 : 1);
}

const nameOf = ({ step, agentId }: StepTaken): string => `${step} ${agentId}`;

/** Whether the last of several agents counts for a step, rather than the first: one reflector is enough to reflect a route, but all must withdraw it. */
const lastCounts: Record<RouteStep, readonly [announced: boolean, withdrawn: boolean]> = {
  ready: [false, true],
  caused: [false, false],
  announced: [false, false],
  reflected: [false, true],
  learned: [true, true],
  routed: [true, true],
  carried: [false, true],
};

/** measurePhases returns the duration of each phase for which both steps are known. */
export function measurePhases(
  steps: readonly StepTaken[],
  isWithdrawal: boolean,
): Partial<Record<UpdatePhase, number>> {
  const at = new Map<RouteStep, number>();
  for (const { step, atUs } of steps) {
    const known = at.get(step) ?? atUs;
    at.set(step, lastCounts[step][isWithdrawal ? 1 : 0] ? Math.max(known, atUs) : Math.min(known, atUs));
  }
  const took: Partial<Record<UpdatePhase, number>> = {};
  for (const phase of updatePhases) {
    const [from, to] = phases[phase].map((step) => at.get(step));
    // Clocks of two hosts differ, and a last packet may arrive before the kernel is updated.
    if (from !== undefined && to !== undefined) took[phase] = Math.max(0, to - from) / 1_000;
  }
  return took;
}
