/** In the order of a session's start. */
export const bgpSessionStates = ["idle", "connect", "active", "open-sent", "open-confirm", "established"] as const;
export const announcementStates = ["offered", "draining", "withdrawn"] as const;
export const bgpTransitionKinds = ["session", "announcement"] as const;
