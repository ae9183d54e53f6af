export const clusterKinds = ["kubernetes", "lab", "machines"] as const;
