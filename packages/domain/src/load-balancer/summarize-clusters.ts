import type { CarriedSummary } from "./summarize-carried.ts";

type InCluster = {
  name: string;
  standsBy?: boolean;
  summary: Pick<CarriedSummary, "phase" | "message" | "conditions">;
};

/** summarizeClusters derives the phase, the message and the conditions of an exposure that spans clusters. */
export function summarizeClusters(clusters: readonly InCluster[]): InCluster["summary"] {
  const serving = clusters.filter(({ summary }) => summary.phase === "serving" || summary.phase === "degraded");
  const worst = clusters.find(({ summary }) => !isServing(summary)) ?? clusters[0];
  if (!worst) return { phase: "pending", message: "Waiting for its clusters.", conditions: [] };
  const conditions = worst.summary.conditions.filter((each) => each.type !== "Ready");
  if (clusters.every(({ summary }) => isServing(summary))) {
    const message = `Serving in ${names(clusters.filter((each) => !each.standsBy))}.${standingBy(clusters)}`;
    return { phase: "serving", message, conditions: [ready("true", "Serving", message), ...conditions] };
  }
  const why = `${worst.name}: ${worst.summary.message}`;
  if (serving.length === 0) {
    const { phase } = worst.summary;
    const reason = phase === "failed" ? "NotServing" : "Waiting";
    return { phase, message: why, conditions: [ready("false", reason, why), ...conditions] };
  }
  const left = clusters.filter((each) => !serving.includes(each));
  const sharing = left.filter((each) => !each.standsBy);
  const takes =
    sharing.length > 0 ? ` ${sharing.length === 1 ? "Its share goes" : "Their shares go"} to the others.` : "";
  const message = `Serving in ${names(serving)}. ${why}${takes}`;
  return { phase: "degraded", message, conditions: [ready("false", "PartlyServing", message), ...conditions] };
}

const names = (all: readonly InCluster[]) => all.map((each) => each.name).join(", ");

function standingBy(clusters: readonly InCluster[]): string {
  const waiting = clusters.filter((each) => each.standsBy);
  if (waiting.length === 0) return "";
  return ` ${names(waiting)} ${waiting.length === 1 ? "stands" : "stand"} by.`;
}

const isServing = ({ phase }: InCluster["summary"]): boolean => phase === "serving";

function ready(
  status: "true" | "false",
  reason: "Serving" | "PartlyServing" | "NotServing" | "Waiting",
  message: string,
): CarriedSummary["conditions"][number] {
  return { type: "Ready", status, reason, message };
}
