import type { Agent } from "@fairlead/domain";

export type SettingsProgress = { done: boolean; tone: "wait" | "good" | "bad"; sentence: string };

/** Compiling takes well under a second; after this, something is in its way. */
const patienceMs = 15_000;

/**
 * settingsProgress says how far new settings have come on their way to the agent. fromRevision is what was desired
 * when they were saved: the control plane raises it as soon as it has compiled them.
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
        "Saved, but not compiled yet. The node goes on as before; if this stays, look whether the controller runs.",
    };
  if (desired <= fromRevision)
    return { done: false, tone: "wait", sentence: "Saved. The control plane is compiling the configuration…" };
  if (configError)
    return { done: true, tone: "bad", sentence: `The agent refuses revision ${desired}: ${configError}` };
  if (observed === desired && agent.state !== "out-of-sync")
    return { done: true, tone: "good", sentence: `In sync: the agent runs revision ${observed}.` };
  if (isSilent)
    return {
      done: false,
      tone: "wait",
      sentence: `Revision ${desired} waits: the node is silent and takes it when it comes back.`,
    };
  return {
    done: false,
    tone: "wait",
    sentence: `Applying revision ${desired}; ${observed === desired ? "the agent runs another one of that number" : `the agent still runs ${observed}`}…`,
  };
}
