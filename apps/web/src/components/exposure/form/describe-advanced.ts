import { anyEngine, deliveries, engines, healthCheck } from "@fairlead/domain/exposure";
import { describeHealthCheck } from "../../words/health-checks.ts";
import { type ExposureDraft, hasClientAddress, hasScheduler } from "./draft.ts";
import { toHealthCheck } from "./health-check-draft.ts";

/** describeAdvanced summarises the closed section. */
export function describeAdvanced(draft: ExposureDraft): string {
  const engine = draft.engine === anyEngine ? "the best of each host" : engines[draft.engine].title;
  const delivery = draft.delivery === "best" ? "" : `, delivery ${deliveries[draft.delivery].title}`;
  const scheduler = hasScheduler(draft) && draft.scheduler !== "own" ? `, scheduler ${draft.scheduler}` : "";
  const client = hasClientAddress(draft) && draft.clientAddress === "proxy-protocol" ? " with the PROXY protocol" : "";
  const sampling = draft.clientSampling === "on" ? " Client networks are sampled." : "";
  return `${describeCheck(draft)} Engine: ${engine}${scheduler}${delivery}${client}.${sampling}`;
}

/** describeAdvancedSession does the same for the strategy session. */
export function describeAdvancedSession(draft: ExposureDraft): string {
  const { delivery } = draft.session;
  const fallback = draft.session.fallbacks === "plain" ? "plain layer 4" : "proxy";
  return `${describeCheck(draft)} Delivery: ${delivery === "best" ? "automatic" : deliveries[delivery].title}. Fallback: ${fallback}.`;
}

/** describeAdvancedAdaptive does the same for the strategy adaptive. */
export function describeAdvancedAdaptive(draft: ExposureDraft): string {
  const { standby, removed, clients, delivery } = draft.adaptive;
  const spare = standby.length > 0 ? " Some instances are standby." : "";
  const by =
    clients === "inside" ? "" : ` Delivery: ${delivery === "best" ? "automatic" : deliveries[delivery].title}.`;
  return `${describeCheck(draft)}${by}${spare} Connections to removed instances ${removed}.`;
}

function describeCheck(draft: ExposureDraft): string {
  const check = healthCheck.nullable().safeParse(toHealthCheck(draft.healthCheck));
  return `Health check: ${check.success ? describeHealthCheck(check.data) : "incomplete"}.`;
}
