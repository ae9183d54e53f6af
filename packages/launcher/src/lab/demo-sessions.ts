/** The name of the demo's TLS service, in demo-topology.yaml too. */
export const tlsName = "web-tls";

/** The first Linux whose sockets take connections by TLS session. */
const least = [6, 9] as const;

/** whyNoSessions returns why this machine can't place connections by TLS session, or null. */
export function whyNoSessions(release: string, isRoot: boolean): string | null {
  const [major = 0, minor = 0] = release.split(".").map((part) => Number.parseInt(part, 10));
  if (major < least[0] || (major === least[0] && minor < least[1]))
    return `it needs Linux ${least.join(".")}, and this is ${release}.`;
  return isRoot ? null : "it needs eBPF, which only root may use.";
}

/** topologyOf completes the shipped topology. Without sessions, the lines of the TLS service are left out. */
export function topologyOf(
  shipped: string,
  { name, routing, hasSessions }: { name: string; routing: "lab" | "bgp"; hasSessions: boolean },
): string {
  const lines = shipped.split("\n").filter((line) => hasSessions || !line.includes(tlsName));
  return `name: ${name}\nrouting: ${routing}\n${lines.join("\n")}`;
}
