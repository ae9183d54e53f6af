type Header = { header: { revision: string } };

/** compact makes etcd forget all that is not the present, and answers up to which revision. */
export async function compact(url: string): Promise<number> {
  const { header } = await ask<Header>(url, "/v3/kv/range", { key: Buffer.from("/").toString("base64") });
  await ask(url, "/v3/kv/compaction", { revision: header.revision, physical: true });
  return Number(header.revision);
}

async function ask<T>(url: string, path: string, body: object): Promise<T> {
  const signal = AbortSignal.timeout(10_000);
  const response = await fetch(`${url}${path}`, { method: "POST", body: JSON.stringify(body), signal });
  if (!response.ok) throw new Error(`etcd answered ${path} with ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
