import type { StartExperiment } from "@fairlead/domain/experiment";

/** The fields of the form, as typed. */
export type StartDraft = { clusterId: string; changeEvery: string; lasts: string; fewest: string; seed: string };

export const draftAtFirst = (clusterId: string | null): StartDraft => ({
  clusterId: clusterId ?? "",
  changeEvery: "20",
  lasts: "10",
  fewest: "1",
  seed: "",
});

type Spec = { [Key in keyof StartExperiment]?: StartExperiment[Key] };

/** readDraft parses the fields into a spec, or returns the errors by field. The schema validates the spec. */
export function readDraft(draft: StartDraft): { spec: Spec } | { problems: Record<string, string> } {
  const problems: Record<string, string> = {};
  const read = (field: string, text: string, pattern: RegExp, problem: string): number => {
    if (!pattern.test(text.trim())) problems[field] = problem;
    return Number(text);
  };
  const whole = /^\d{1,10}$/;
  if (draft.clusterId === "") problems.clusterId = "Choose the cluster whose replicas change.";
  const changeEverySeconds = read("changeEverySeconds", draft.changeEvery, whole, "Enter whole seconds, such as 20.");
  const minutes = read("durationSeconds", draft.lasts, /^\d{1,5}(\.\d{1,3})?$/, "Enter minutes, such as 10 or 0.5.");
  const fewestReplicas = read("fewestReplicas", draft.fewest, whole, "Enter a whole number, such as 1.");
  const seed =
    draft.seed.trim() === "" ? undefined : read("seed", draft.seed, whole, "Enter a whole number, or leave it empty.");
  if (Object.keys(problems).length > 0) return { problems };
  const durationSeconds = Math.round(minutes * 60);
  const spec = { clusterId: draft.clusterId, changeEverySeconds, durationSeconds, fewestReplicas };
  return { spec: seed === undefined ? spec : { ...spec, seed } };
}
