/** What a benchmark uses besides Node. */
export type Part = "go" | "linux" | "root" | "chromium" | "kubernetes" | "kubelets";

/** catalogue lists every benchmark (each in a folder of that name) and what it needs. */
export const catalogue: Readonly<Record<string, readonly Part[]>> = {
  adaptive: ["go", "root"],
  "adaptive-kubernetes": ["go", "root", "kubelets"],
  "balancer-scale": ["go", "root"],
  "bgp-scale": ["go", "root"],
  choose: [],
  churn: ["go", "root"],
  controlplane: ["go", "chromium"],
  cost: [],
  datapath: ["go", "root"],
  ecmp: ["go", "root"],
  "ecmp-stability": ["go", "root"],
  "ecmp-throughput": ["go", "root"],
  generator: ["go", "linux"],
  ingest: ["go"],
  move: ["go", "root"],
  "per-replica": ["go", "kubernetes"],
  returns: ["go", "root"],
  session: ["go", "root"],
  soak: ["go", "root"],
};

/** skipReason returns why a benchmark can't run as this user, or null. Anything else that is missing is a failure. */
export function skipReason(name: string, user = { platform: process.platform, id: process.getuid?.() }): string | null {
  const needs = catalogue[name] ?? [];
  if (needs.includes("linux") && user.platform !== "linux") return "it needs Linux";
  if (!needs.includes("root") || (user.platform === "linux" && user.id === 0)) return null;
  return "its network namespaces need root on Linux: run it with sudo";
}
