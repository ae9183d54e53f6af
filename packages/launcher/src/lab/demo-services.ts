/** The demo's services that a machine may be unable to carry, by their names in demo-topology.yaml. */
export const optionalServices = ["web-tls", "web-adaptive"] as const;
export type OptionalService = (typeof optionalServices)[number];

/** The first Linux whose sockets take connections by TLS session. */
const least = [6, 9] as const;

/** whyNoSessions returns why this machine can't place connections by TLS session, or null. */
export function whyNoSessions(release: string, isRoot: boolean): string | null {
  const [major = 0, minor = 0] = release.split(".").map((part) => Number.parseInt(part, 10));
  if (major < least[0] || (major === least[0] && minor < least[1]))
    return `it needs Linux ${least.join(".")}, and this is ${release}.`;
  return isRoot ? null : "it needs eBPF, which only root may use.";
}

/** findAdaptiveLack returns why this machine can't distribute connections by cost, as a check of the lab prints it; or null. */
export function findAdaptiveLack(output: string): string | null {
  const lack = /^no agents of the role adaptive: (.+)$/m.exec(output)?.[1];
  return lack ? `${lack}.` : null;
}

/** The address of each service that is exposed; null before it has one. */
export type ServiceAddresses = ReadonlyMap<OptionalService, string | null>;

/** topologyOf completes the shipped topology. The lines of services that aren't exposed are left out. */
export function topologyOf(
  shipped: string,
  { name, routing, addresses }: { name: string; routing: "lab" | "bgp"; addresses: ServiceAddresses },
): string {
  const lines = shipped.split("\n").flatMap((line) => {
    const service = optionalServices.find((each) => line.includes(each));
    if (!service) return [line];
    const address = addresses.get(service);
    if (address === undefined) return [];
    return [address === null ? line : line.replace(`name: ${service},`, `$& address4: ${address},`)];
  });
  return `name: ${name}\nrouting: ${routing}\n${lines.join("\n")}`;
}
