import { describeAge } from "@fairlead/domain";
import type { Experiment } from "@fairlead/domain/experiment";
import type { StatusLook } from "../ui/status/status.ts";
import { countOf } from "../words/numbers.ts";

export const experimentLooks: Record<Experiment["state"], StatusLook> = {
  running: { word: "Running", shape: "half", tone: "accent" },
  finished: { word: "Finished", shape: "disc", tone: "good" },
  stopped: { word: "Stopped", shape: "ring", tone: "silent" },
  failed: { word: "Failed", shape: "square", tone: "bad" },
};

/** describeExperiment summarises the state of an experiment. */
export function describeExperiment(experiment: Experiment, now: number): string {
  const { state, reason, startedBy, startedAt, endedAt, durationSeconds } = experiment;
  const lasts = describeSeconds(durationSeconds);
  const ran = describeAge((endedAt?.getTime() ?? now) - startedAt.getTime());
  const back = "All replicas are restored.";
  switch (state) {
    case "running": {
      const since = now === 0 ? "" : ` for ${ran}`;
      return `Running${since} of ${lasts}: ${describeCourse(experiment)}. Started by ${startedBy}.`;
    }
    case "finished":
      return `Ran for its ${lasts}: ${describeCourse(experiment)}. ${back}`;
    case "stopped":
      return `Stopped ${reason.replace(/\.$/, "")} after ${ran} of ${lasts}. ${back}`;
    case "failed":
      return `Failed after ${ran} of ${lasts}: ${reason} ${back}`;
    default:
      return state satisfies never;
  }
}

/** describeCourse describes the changes of the experiment. */
export function describeCourse({ fewestReplicas, replicaCount, changeEverySeconds }: Experiment): string {
  return `${fewestReplicas} to ${countOf(replicaCount, "replica")} at random, changing every ${describeSeconds(changeEverySeconds)}`;
}

/** describeSeconds is exact, unlike an age: 90 s are not a minute. */
export function describeSeconds(seconds: number): string {
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
