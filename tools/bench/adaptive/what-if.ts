import { fromJson } from "@bufbuild/protobuf";
import { AdaptiveStatusSchema } from "@fairlead/agent-protocol";
import { predictFrom, whatIfChange } from "@fairlead/domain/exposure";
import { type ReportedEntry, type Simulator, toMeasured } from "@fairlead/services";
import { checkAdaptive, toStored } from "@fairlead/services/gateway";
import { toAdaptiveStatus } from "../../../apps/controller/src/gateway/adaptive/translate-adaptive.ts";
import { type Result, result, wasMeasured } from "../result.ts";
import { mostPredictionError, ours, whatIfs } from "./bars.ts";
import type { Least } from "./judge.ts";
import type { Measured, Turn, WhatIfTurns } from "./measured.ts";

/** A prediction next to what was measured: p99 in ms, before the change and after it. null is an overload. */
export type Prediction = {
  round: number;
  scenario: string;
  void: string[];
  before: { predicted: number | null; measured: number };
  after: { predicted: number | null; measured: number };
};

/** The service of the lab over TCP and IPv4; see the Go function serviceOver. */
const service = { loadBalancerId: "lb_bench", port: 80, protocol: "tcp" } as const;

/** predictAll predicts each change from what agents reported before it, as the dashboard does. */
export async function predictAll({ whatIfs }: Measured, simulator: Simulator): Promise<Prediction[]> {
  const predictions = [];
  for (const one of whatIfs) predictions.push(await predict(one, simulator));
  return predictions;
}

async function predict(
  { round, scenario, change, reports, before, after }: WhatIfTurns,
  simulator: Simulator,
): Promise<Prediction> {
  const now = new Date();
  const measured = toMeasured(
    reports.map((each) => toEntry(each, now)),
    service,
  );
  if (!measured) throw new Error(`${scenario}: no agent reported the service.`);
  const found = await predictFrom({
    ...{ measured, leftOut: 0, now },
    change: whatIfChange.parse(change),
    simulate: (plans) => simulator({ id: "benchmark", organizationId: "benchmark" }, plans),
  });
  return {
    ...{ round, scenario, void: [...before.void, ...after.void] },
    before: { predicted: found.now.latencyMsP99, measured: before.p99Ms },
    after: { predicted: found.changed.latencyMsP99, measured: after.p99Ms },
  };
}

/** toEntry takes the way of a report through the gateway to what predictions read of the database. */
function toEntry({ nodeId, status }: WhatIfTurns["reports"][number], now: Date): ReportedEntry {
  const report = checkAdaptive(toAdaptiveStatus(fromJson(AdaptiveStatusSchema, status)), now);
  if (!report) throw new Error(`Node ${nodeId} has an empty report.`);
  const services = report.services.filter((each) => each.loadBalancerId === service.loadBalancerId).map(toStored);
  return { nodeId, nodeName: nodeId, cores: report.cores, peers: report.peers, services, observedAt: now };
}

/** judgePredictions compares p99 after a change with its prediction. An overload that wasn't one has no ratio, and counts as none. */
export function judgePredictions(predictions: readonly Prediction[], least: Least): Result[] {
  return whatIfs
    .filter((scenario) => !least.scenarios || least.scenarios.includes(scenario))
    .filter(() => !least.subjects || least.subjects.includes(ours))
    .flatMap((scenario) => {
      const own = predictions.filter(
        (each) => each.scenario === scenario && (least.countsVoid || each.void.length === 0),
      );
      const ratios = (of: "before" | "after") => own.flatMap((each) => ratioOf(each[of]) ?? []);
      const after = ratios("after");
      const count = { ...wasMeasured(ours, after.length, least.rounds), metric: `${scenario}: rounds that count` };
      if (after.length === 0) return [count];
      const name = `${scenario}: predicted ÷ measured p99`;
      return [
        count,
        result(ours, name, "ratio", after, { at: "median", op: ">=", value: 1 - mostPredictionError }),
        result(ours, `${name}, at most`, "ratio", after, { at: "median", op: "<=", value: 1 + mostPredictionError }),
        result(ours, `${name} before the change`, "ratio", ratios("before")),
        result(
          ...([ours, `${scenario}: measured p99`, "ms"] as const),
          own.map((each) => each.after.measured),
        ),
      ];
    });
}

function ratioOf({ predicted, measured }: Prediction["after"]): number | null {
  return predicted !== null && measured > 0 ? predicted / measured : null;
}

/** describeTurns is the progress of a measurement. */
export function describeTurns({ round, scenario, before, after }: WhatIfTurns): string {
  const p99 = ({ p99Ms, void: reasons }: Turn) => `${p99Ms.toFixed(1)} ms${reasons.length > 0 ? " (void)" : ""}`;
  return `round ${round + 1}, ${scenario}: p99 ${p99(before)}, then ${p99(after)}`;
}
