import { healthCheck } from "@fairlead/domain";
import { deliveryWords, engineWords } from "../words/delivery.ts";
import { describeHealthCheck } from "../words/health-checks.ts";
import { type ExposureDraft, hasClientAddress, hasScheduler } from "./draft.ts";
import { toHealthCheck } from "./health-check-draft.ts";

/** describeAdvanced says in a line what stands behind the disclosure. */
export function describeAdvanced(draft: ExposureDraft): string {
  const check = healthCheck.nullable().safeParse(toHealthCheck(draft.healthCheck));
  const asked = check.success ? describeHealthCheck(check.data) : "not complete yet";
  const engine = draft.engine === "auto" ? "the best of each host" : engineWords[draft.engine].title;
  const delivery = draft.delivery === "best" ? "" : `, delivery ${deliveryWords[draft.delivery].title}`;
  const scheduler = hasScheduler(draft) && draft.scheduler !== "own" ? `, scheduler ${draft.scheduler}` : "";
  const client = hasClientAddress(draft) && draft.clientAddress === "proxy-protocol" ? " with the PROXY protocol" : "";
  return `Health check: ${asked}. Engine: ${engine}${scheduler}${delivery}${client}.`;
}
