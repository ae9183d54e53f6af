import { isAddress, isPrefix } from "@fairlead/domain/address";
import { announcementStates, type BgpTransition, bgpSessionStates } from "@fairlead/domain/routing";
import { storable } from "../storable.ts";

/** As received: of a session if it has a peer, otherwise of an announcement. */
export type WireTransition = {
  peerAddress: string;
  peerAsn: number;
  prefix: string;
  nextHop: string;
  loadBalancerId: string;
  from: string;
  to: string;
  at: Date | null;
  reason: string;
};

export type ReportedTransition = Pick<
  BgpTransition,
  "kind" | "peerAsn" | "nextHop" | "from" | "to" | "at" | "reason"
> & {
  /** The peer of a session, the prefix of an announcement. */
  about: string;
  loadBalancerId: string;
};

const longestId = 64;

/** checkTransitions leaves out what can't be stored. */
export function checkTransitions(received: readonly WireTransition[], now: Date): ReportedTransition[] {
  return received.flatMap((one): ReportedTransition[] => {
    const at = one.at && one.at < now ? one.at : now;
    const reason = storable(one.reason);
    const from = (states: readonly BgpTransition["to"][]) => states.find((each) => each === one.from) ?? null;
    if (one.peerAddress) {
      const to = bgpSessionStates.find((each) => each === one.to);
      if (!to || !isAddress(one.peerAddress)) return [];
      const { peerAddress, peerAsn } = one;
      const rest = { from: from(bgpSessionStates), to, at, reason, loadBalancerId: "" };
      return [{ kind: "session", about: peerAddress, peerAsn, nextHop: null, ...rest }];
    }
    const to = announcementStates.find((each) => each === one.to);
    if (!to || !isPrefix(one.prefix)) return [];
    const rest = { from: from(announcementStates), to, at, reason };
    const loadBalancerId = storable(one.loadBalancerId).slice(0, longestId);
    const nextHop = isAddress(one.nextHop) ? one.nextHop : null;
    return [{ kind: "announcement", about: one.prefix, peerAsn: null, nextHop, loadBalancerId, ...rest }];
  });
}
