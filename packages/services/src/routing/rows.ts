import { viewSource } from "@fairlead/db";
import { cloudAddress } from "@fairlead/domain/cloud";
import { announcement, bgpSession, bgpTransition, route, routeUpdate } from "@fairlead/domain/routing";
import type { z } from "zod";

const bgpSessionRow = bgpSession.omit({ trouble: true });

export type BgpSessionRow = z.infer<typeof bgpSessionRow>;

export const bgpSessionSource = viewSource("bgp_session_view", bgpSessionRow);
export const bgpTransitionSource = viewSource("bgp_transition_view", bgpTransition);
export const announcementSource = viewSource("announcement_view", announcement);
export const routeSource = viewSource("route_view", route);
export const routeUpdateSource = viewSource("route_update_view", routeUpdate);
export const cloudAddressSource = viewSource("cloud_address_view", cloudAddress);
