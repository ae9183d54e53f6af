import { type APIRequestContext, expect } from "@playwright/test";

type Named = { id: string; name: string };

/** first returns the first object of a list that matches the query. */
export async function first(request: APIRequestContext, list: string, query = ""): Promise<Named> {
  const answer = await request.get(`/api/v1/${list}?limit=1${query ? `&${query}` : ""}`);
  expect(answer.status(), `GET /api/v1/${list}`).toBe(200);
  const { items } = (await answer.json()) as { items: Named[] };
  const [item] = items;
  if (!item) throw new Error(`no ${list} yet`);
  return item;
}

/** create creates an object through REST, with the session of the browser. */
export async function create<Answer = Named>(request: APIRequestContext, list: string, data: object): Promise<Answer> {
  const answer = await request.post(`/api/v1/${list}`, { data });
  expect(answer.status(), `POST /api/v1/${list}: ${await answer.text()}`).toBe(201);
  return (await answer.json()) as Answer;
}

export async function remove(request: APIRequestContext, list: string, id: string): Promise<void> {
  const answer = await request.delete(`/api/v1/${list}/${id}`);
  expect([200, 202, 204], `DELETE /api/v1/${list}/${id}`).toContain(answer.status());
}

export async function totalOf(request: APIRequestContext, list: string): Promise<number> {
  const answer = await request.get(`/api/v1/${list}?limit=1`);
  return ((await answer.json()) as { total: number }).total;
}

/** localCluster is that of this machine. No exposure can be created in it, so those of the API stay pending. */
const localCluster = (request: APIRequestContext) => first(request, "clusters", "search=local");

/** ensureLab returns a lab cluster without agents. Exposures can be created in it, but don't serve. */
export async function ensureLab(request: APIRequestContext): Promise<Named> {
  const name = "e2e-lab";
  const answer = await request.get(`/api/v1/clusters?search=${name}&limit=1`);
  const { items } = (await answer.json()) as { items: Named[] };
  return items[0] ?? create(request, "clusters", { name, kind: "lab" });
}

/** ensurePool returns the address pool of a cluster for tests, by default the local one. */
export async function ensurePool(request: APIRequestContext, given?: Named): Promise<Named> {
  const cluster = given ?? (await localCluster(request));
  const answer = await request.get(`/api/v1/address-pools?clusterId=${cluster.id}&limit=1`);
  const { items } = (await answer.json()) as { items: Named[] };
  return (
    items[0] ??
    create(request, "address-pools", {
      clusterId: cluster.id,
      name: "e2e",
      prefix: "198.51.100.0/24",
      allowOverlap: true,
    })
  );
}

/** createExposure creates an exposure with default settings, by default in the local cluster. */
export async function createExposure(request: APIRequestContext, name: string, given?: Named): Promise<Named> {
  const cluster = given ?? (await localCluster(request));
  const pool = await ensurePool(request, cluster);
  return create(request, "exposures", {
    clusterId: cluster.id,
    name,
    workload: { namespace: "default", kind: "deployment", name: "web" },
    ports: [{ port: 443, targetPort: 8443, protocol: "tcp" }],
    strategy: { type: "ecmp", replicas: 2, poolId: pool.id },
  });
}

/** unique returns a name that no earlier run and no parallel test has used. */
export function unique(prefix: string): string {
  return `${prefix}-${Date.now().toString(36)}${Math.floor(Math.random() * 1_296).toString(36)}`;
}
