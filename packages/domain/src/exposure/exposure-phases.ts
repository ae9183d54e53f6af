export const exposurePhases = ["pending", "serving", "degraded", "failed", "deleting"] as const;
