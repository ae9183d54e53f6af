import { hideAddresses } from "../address/hide-addresses.ts";
import type { AdaptiveDetail } from "./adaptive-detail.ts";
import type { Exposure } from "./exposure.ts";
import type { SessionDetail } from "./session-detail.ts";

/** hideExposureAddresses omits what a reader without map:read may not see of an exposure. */
export function hideExposureAddresses<Of extends Exposure>(exposure: Of): Of {
  return {
    ...exposure,
    addresses: [],
    message: hideAddresses(exposure.message),
    conditions: exposure.conditions.map((each) => ({ ...each, message: hideAddresses(each.message) })),
  };
}

/** hideSessionAddresses does the same for how its connections are placed. */
export function hideSessionAddresses(session: SessionDetail): SessionDetail {
  return {
    ...session,
    message: hideAddresses(session.message),
    replicas: session.replicas.map((each) => ({ ...each, problem: hideAddresses(each.problem) })),
    backends: session.backends.map((each) => ({
      ...each,
      message: hideAddresses(each.message),
      ticketsMessage: hideAddresses(each.ticketsMessage),
      ticketKey: each.ticketKey && { ...each.ticketKey, problem: hideAddresses(each.ticketKey.problem) },
    })),
  };
}

/** hideAdaptiveAddresses does the same for how its connections are distributed. */
export function hideAdaptiveAddresses(adaptive: AdaptiveDetail): AdaptiveDetail {
  return {
    ...adaptive,
    message: hideAddresses(adaptive.message),
    nodes: adaptive.nodes.map((each) => ({ ...each, problem: hideAddresses(each.problem) })),
    rap: adaptive.rap && {
      ...adaptive.rap,
      problem: hideAddresses(adaptive.rap.problem),
      nodes: adaptive.rap.nodes.map((each) => ({ ...each, undecided: hideAddresses(each.undecided) })),
    },
  };
}
