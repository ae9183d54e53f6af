import type { Agent } from "@fairlead/domain/node";

export type SettingsProgress = { done: boolean; tone: "wait" | "good" | "bad"; sentence: string };

/** Compiling takes well under a second. After this time, something is wrong. */
const patienceMs = 15_000;

/**
 * settingsProgress describes how far new settings have been applied. fromRevision is the desired revision when they
 * were saved: the control plane raises it once it has compiled them.
 */
export function settingsProgress(
  fromRevision: number,
  agent: Pick<Agent, "state" | "desiredRevision" | "observedRevision" | "configError"> | undefined,
  isSilent: boolean,
  waitedMs = 0,
): SettingsProgress {
  if (!agent) return { done: true, tone: "good", sentence: "Saved. They apply once an agent is enrolled." };
  const { desiredRevision: desired, observedRevision: observed, configError } = agent;
  if (desired <= fromRevision && waitedMs > patienceMs)
    return {
      done: false,
      tone: "bad",
      sentence:
        "Saved, but not compiled yet. The node keeps its previous settings. If this persists, check that the controller is running.",
    };
  if (desired <= fromRevision)
    return { done: false, tone: "wait", sentence: "Saved. The control plane is compiling the configuration…" };
  if (configError)
    return { done: true, tone: "bad", sentence: `The agent rejects revision ${desired}: ${configError}` };
  if (observed === desired && agent.state !== "out-of-sync")
    return { done: true, tone: "good", sentence: `In sync: the agent runs revision ${observed}.` };
  if (isSilent)
    return {
      done: false,
      tone: "wait",
      sentence: `Revision ${desired} is pending: the node is silent and fetches it when it reconnects.`,
    };
  return {
    done: false,
    tone: "wait",
    sentence: `Applying revision ${desired}; ${observed === desired ? "the agent runs a different configuration with that number" : `the agent still runs ${observed}`}…`,
  };
}
