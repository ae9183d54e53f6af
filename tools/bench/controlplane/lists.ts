import { setTimeout as sleep } from "node:timers/promises";
import type { Stack } from "./stack.ts";

type Query = { noun: string; path: string; input: Record<string, string | number | string[]> };

const queries: Query[] = [
  { noun: "loadBalancer", path: "load-balancers", input: { sort: "name", limit: 100 } },
  { noun: "loadBalancer", path: "load-balancers", input: { sort: "clusterName", direction: "desc", limit: 100 } },
  { noun: "loadBalancer", path: "load-balancers", input: { search: "redis", limit: 100 } },
  { noun: "loadBalancer", path: "load-balancers", input: { phase: ["failed"], sort: "updatedAt", limit: 100 } },
  { noun: "exposure", path: "exposures", input: { sort: "phase", limit: 100 } },
  { noun: "node", path: "nodes", input: { sort: "cpuUtilizationRatio", direction: "desc", limit: 100 } },
  { noun: "cluster", path: "clusters", input: { limit: 100 } },
  { noun: "event", path: "events", input: { limit: 100 } },
];

/** measureLists requests lists one after another, alternately by REST and tRPC, and returns the durations. */
export async function measureLists(
  stack: Stack,
  rounds: number,
  pauseMs: number,
): Promise<{ rest: number[]; trpc: number[] }> {
  const rest: number[] = [];
  const trpc: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const query = queries[i % queries.length];
    if (!query) continue;
    rest.push(
      await time(`${stack.url}/api/v1/${query.path}?${search(query.input)}`, { authorization: `Bearer ${stack.key}` }),
    );
    const input = encodeURIComponent(JSON.stringify({ 0: query.input }));
    trpc.push(await time(`${stack.url}/api/trpc/${query.noun}.list?batch=1&input=${input}`, { cookie: stack.cookie }));
    await sleep(pauseMs);
  }
  return { rest, trpc };
}

function search(input: Record<string, string | number | string[]>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    for (const each of Array.isArray(value) ? value : [value]) parameters.append(name, String(each));
  }
  return parameters.toString();
}

async function time(url: string, headers: Record<string, string>): Promise<number> {
  const began = performance.now();
  const response = await fetch(url, { headers });
  const body = await response.text();
  if (!response.ok) throw new Error(`${url} returned ${response.status}: ${body.slice(0, 300)}`);
  return performance.now() - began;
}
