type Header = { header: { revision: string } };

/** compact deletes etcd's history, and returns the revision up to which it did. */
export async function compact(url: string): Promise<number> {
  const { header } = await post<Header>(url, "/v3/kv/range", { key: Buffer.from("/").toString("base64") });
  await post(url, "/v3/kv/compaction", { revision: header.revision, physical: true });
  return Number(header.revision);
}

async function post<T>(url: string, path: string, body: object): Promise<T> {
  const signal = AbortSignal.timeout(10_000);
  const response = await fetch(`${url}${path}`, { method: "POST", body: JSON.stringify(body), signal });
  if (!response.ok) throw new Error(`etcd returned ${response.status} for ${path}: ${await response.text()}`);
  return (await response.json()) as T;
}
