import { expect, it } from "vitest";
import { describeRouting } from "./describe-routing.ts";

const sessions = (up: number, down = 0, stale = 0) => ({ total: up + down + stale, up, down, stale });
const announcements = (offered: number, withdrawn = 0, stale = 0) => ({
  total: offered + withdrawn + stale,
  stale,
  byState: { offered, draining: 0, withdrawn },
});

it.each([
  [sessions(0), announcements(0), null, "BGP sessions and announcements, and the routes in routers' kernels."],
  [sessions(2), announcements(1), null, "All 2 BGP sessions are up, and all addresses are announced."],
  [sessions(1), announcements(1), "demo", "The BGP session is up in demo, and all addresses are announced."],
  [sessions(1, 1), announcements(1), null, "1 of 2 BGP sessions is down."],
  [
    sessions(0, 2),
    announcements(1, 2),
    "demo",
    "2 of 2 BGP sessions are down, and 2 of 3 announcements are withdrawn in demo.",
  ],
  [
    sessions(4, 0, 2),
    announcements(1, 0, 1),
    null,
    "2 of 6 BGP sessions are stale, and 1 of 2 announcements is stale.",
  ],
])("summarises routing in a sentence", (ofSessions, ofAnnouncements, cluster, sentence) => {
  expect(describeRouting({ sessions: ofSessions, announcements: ofAnnouncements }, cluster)).toBe(sentence);
});
