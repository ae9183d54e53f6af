import { type RouteStep, routeSteps } from "./route-steps.ts";

/** StepTaken is what one agent has told of the way of an update. */
export type StepTaken = { step: RouteStep; agentId: string; nodeName: string; atUs: number };

/** From which step to which a phase goes, in order; the last is that of all routing daemons together. */
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

/** Two steps so far apart are not of the same update, whatever else fits. */
export const updateWindowMs = 60_000;
/** Causes come before all other steps, but for the difference between the clocks of two hosts. */
const clocksDifferMs = 1_000;
const causes: readonly RouteStep[] = ["ready", "caused"];

/**
 * splitSteps tells apart the updates of one next hop of one prefix that go the same way, whatever order their steps
 * were told in: time orders them, and who takes a step again takes it for the next update.
 */
export function splitSteps(steps: readonly StepTaken[]): StepTaken[][] {
  const seen = new Set<string>();
  const updates: { taken: Set<string>; steps: StepTaken[] }[] = [];
  for (const step of [...steps].sort(inOrder)) {
    const name = nameOf(step);
    const once = `${name} ${step.atUs}`;
    if (seen.has(once)) continue; // told twice
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

/** Of several who take a step, the first counts or the last: a route is reflected by one reflector, and withdrawn by all. */
const lastCounts: Record<RouteStep, readonly [announced: boolean, withdrawn: boolean]> = {
  ready: [false, true],
  caused: [false, false],
  announced: [false, false],
  reflected: [false, true],
  learned: [true, true],
  routed: [true, true],
  carried: [false, true],
};

/** measurePhases says how long each phase took of which both ends are known. */
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
    // Clocks of two hosts differ; and a last packet may have come before the kernel was told.
    if (from !== undefined && to !== undefined) took[phase] = Math.max(0, to - from) / 1_000;
  }
  return took;
}
