export const severities = ["info", "warning", "problem"] as const;
