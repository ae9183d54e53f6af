/** crossesClusters returns whether replicas of one cluster can deliver packets to backends of another one. */
export function crossesClusters(delivery: string | undefined): boolean {
  return delivery === "tunnel" || delivery === "gue";
}
