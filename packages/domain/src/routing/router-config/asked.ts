import type { RouterPeer, UpstreamRouter } from "./network.ts";
import type { SpeakerSelf } from "./speakers.ts";

/** RouterConfigRequest is for whom a text is: a router, a reflector, or a host that offers services itself. */
export type RouterConfigRequest =
  | { format: "frr" | "bird" | "junos" | "eos" | "ios-xr"; role: "router"; self: UpstreamRouter }
  | { format: "frr"; role: "reflector"; self: RouterPeer }
  | { format: "gobgp" | "exabgp"; role: "speaker"; self: SpeakerSelf };
