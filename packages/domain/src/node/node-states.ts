export const nodeStates = ["in-sync", "out-of-sync", "silent", "never-seen", "revoked"] as const;
