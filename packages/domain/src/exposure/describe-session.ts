import type { SessionDetail } from "./session-detail.ts";

/** describeSession says in one sentence whether connections are placed by TLS session, and why not all are. */
export function describeSession({
  key,
  replicas,
  backends,
}: Pick<SessionDetail, "key" | "replicas" | "backends">): string {
  if (key === null) return "Waits for the first key of its cluster.";
  const taking = backends.filter((each) => each.takesConnections);
  if (backends.length === 0) return "No instance of the workload is ready.";
  const [lacking] = backends.filter((each) => !each.takesConnections);
  const proxied = replicas.filter((each) => each.fallback === "proxy");
  if (proxied.length > 0 && proxied.length === replicas.length)
    return withWhy("Carried by a proxy, which places connections by TLS session", proxied[0]?.problem);
  if (taking.length === 0)
    return withWhy("Places each connection on its own: no backend takes connections by TLS session", lacking?.message);
  const [hindered] = replicas.filter((each) => !each.bySession);
  const placing = replicas.length - replicas.filter((each) => !each.bySession).length;
  if (placing === 0) return withWhy("Places each connection on its own", hindered?.problem);
  if (hindered)
    return withWhy(`Placed by TLS session on ${placing} of ${count(replicas.length, "replica")}`, hindered.problem);
  const where = `${taking.length} of ${count(backends.length, "backend")}`;
  if (lacking) return withWhy(`Placed by TLS session, on ${where}`, lacking.message);
  return `Placed by TLS session, on ${where}.`;
}

function withWhy(head: string, why: string | undefined): string {
  return why ? `${head}. ${why}` : `${head}.`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
