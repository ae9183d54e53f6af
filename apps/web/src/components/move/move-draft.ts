import type { Exposure } from "@fairlead/domain/exposure";
import type { StartMove } from "@fairlead/domain/move";

/** The fields of the form, as typed. An empty limit switches its gate off. */
export type MoveDraft = {
  clusterId: string;
  /** Empty: the exposure's. */
  workloadName: string;
  steps: string;
  watch: string;
  backends: string;
  errors: string;
  latency: string;
  cpu: string;
};

export const moveDraft: MoveDraft = {
  ...{ clusterId: "", workloadName: "", steps: "5, 25, 50, 100", watch: "60" },
  ...{ backends: "1", errors: "1", latency: "1000", cpu: "85" },
};

type Spec = { [Key in keyof StartMove]?: StartMove[Key] };

/** readMoveDraft parses the fields into a spec, or returns the errors by field. The schema validates the spec. */
export function readMoveDraft(
  { id: exposureId, workload }: Pick<Exposure, "id" | "workload">,
  draft: MoveDraft,
): { spec: Spec } | { problems: Record<string, string> } {
  const problems: Record<string, string> = {};
  const read = (path: string, text: string, pattern: RegExp, problem: string): number => {
    if (!pattern.test(text.trim())) problems[path] = problem;
    return Number(text);
  };
  const whole = /^\d{1,6}$/;
  const limit = (path: string, text: string) =>
    text.trim() === "" ? null : read(path, text, /^\d{1,6}(\.\d{1,3})?$/, "Enter a number, or leave it empty.");
  if (draft.clusterId === "") problems.clusterId = "Choose the cluster to move it to.";
  const parts = draft.steps.split(/[\s,]+/).filter((each) => each !== "");
  if (parts.some((each) => !whole.test(each))) problems.steps = "Enter shares in percent, such as 5, 25, 50, 100.";
  const watchSeconds = read("watchSeconds", draft.watch, whole, "Enter whole seconds, such as 60.");
  const gates = {
    minBackendsUp: read("gates.minBackendsUp", draft.backends, whole, "Enter a whole number, such as 1."),
    maxErrorPercent: limit("gates.maxErrorPercent", draft.errors),
    maxLatencyMsP99: limit("gates.maxLatencyMsP99", draft.latency),
    maxCpuPercent: limit("gates.maxCpuPercent", draft.cpu),
  };
  if (Object.keys(problems).length > 0) return { problems };
  const name = draft.workloadName.trim();
  const other = name === "" || workload.kind === "selector" ? {} : { workload: { ...workload, name } };
  return { spec: { exposureId, clusterId: draft.clusterId, ...other, steps: parts.map(Number), watchSeconds, gates } };
}
