import { limitBodies } from "./limit-bodies.ts";
import { refuseUnroutable } from "./refuse-unroutable.ts";
import { stampClientAddress } from "./stamp-client-address.ts";

/** guardRequests adds what holds for all requests. The last step runs first. */
export function guardRequests(): void {
  limitBodies();
  refuseUnroutable();
  stampClientAddress();
}
