import { anyEngine, deliveries, engines, healthCheck } from "@fairlead/domain/exposure";
import { describeHealthCheck } from "../../words/health-checks.ts";
import { type ExposureDraft, hasClientAddress, hasScheduler } from "./draft.ts";
import { toHealthCheck } from "./health-check-draft.ts";

/** describeAdvanced summarises the closed section. */
export function describeAdvanced(draft: ExposureDraft): string {
  const check = healthCheck.nullable().safeParse(toHealthCheck(draft.healthCheck));
  const checkText = check.success ? describeHealthCheck(check.data) : "incomplete";
  const engine = draft.engine === anyEngine ? "the best of each host" : engines[draft.engine].title;
  const delivery = draft.delivery === "best" ? "" : `, delivery ${deliveries[draft.delivery].title}`;
  const scheduler = hasScheduler(draft) && draft.scheduler !== "own" ? `, scheduler ${draft.scheduler}` : "";
  const client = hasClientAddress(draft) && draft.clientAddress === "proxy-protocol" ? " with the PROXY protocol" : "";
  const sampling = draft.clientSampling === "on" ? " Client networks are sampled." : "";
  return `Health check: ${checkText}. Engine: ${engine}${scheduler}${delivery}${client}.${sampling}`;
}
