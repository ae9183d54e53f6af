import { env } from "../env.ts";
import { releaseRequests } from "./hold-requests.ts";
import { limitBodies } from "./limit-bodies.ts";
import { refuseForeignActions } from "./refuse-foreign-actions.ts";
import { refuseOtherHosts } from "./refuse-other-hosts.ts";
import { refuseUnroutable } from "./refuse-unroutable.ts";
import { requireHttps } from "./require-https.ts";
import { stampClientAddress } from "./stamp-client-address.ts";

/**
 * guardRequests adds what holds for all requests, and then lets them in. The last step runs first, so that refusals have its
 * header too.
 */
export function guardRequests(): void {
  limitBodies();
  refuseForeignActions(env().url);
  refuseUnroutable();
  refuseOtherHosts(env());
  stampClientAddress();
  requireHttps(env().url);
  releaseRequests();
}
