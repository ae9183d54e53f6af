import { get, type IncomingHttpHeaders } from "node:http";
import { gunzipSync } from "node:zlib";
import { createExposure, remove, unique } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";

// Playwright decodes answers, so these requests are sent without it.
type Raw = { status: number; headers: IncomingHttpHeaders; body: Buffer };
type Send = (path: string, headers?: Record<string, string>, method?: string) => Promise<Raw>;
const sent = test.extend<{ send: Send }>({
  send: async ({ context, baseURL }, use) => {
    const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
    await use((path, headers = {}, method = "GET") => fetchRaw(`${baseURL}${path}`, { cookie, ...headers }, method));
  },
});
const gzip = { "accept-encoding": "gzip, br" };
const list = "/api/v1/audit-entries?limit=50";
const trpc = `/api/trpc/audit.list?input=${encodeURIComponent(JSON.stringify({ limit: 50 }))}`;

for (const [name, path] of [
  ["REST", list],
  ["tRPC", trpc],
] as const)
  sent(`${name} compresses a large answer for clients that accept it`, async ({ send }) => {
    const plain = await send(path);
    expect(plain.body.length).toBeGreaterThan(1_024);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    const packed = await send(path, gzip);
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(packed.headers.vary?.toLowerCase()).toContain("accept-encoding");
    expect(packed.body.length).toBeLessThan(plain.body.length / 2);
    expect(JSON.parse(gunzipSync(packed.body).toString())).toEqual(JSON.parse(plain.body.toString()));
  });

sent("a small answer is not compressed", async ({ send }) => {
  for (const path of ["/api/v1/exposures?limit=1&search=no-such-name", "/api/v1/no-such-path"]) {
    const answer = await send(path, gzip);
    expect(answer.body.length, path).toBeLessThan(1_024);
    expect(answer.headers["content-encoding"], path).toBeUndefined();
    expect(() => JSON.parse(answer.body.toString())).not.toThrow();
  }
});

sent("tags, HEAD and conditional requests work with compression", async ({ send, request }) => {
  const { id } = await createExposure(request, unique("packed"));
  const path = `/api/v1/exposures/${id}`;
  const { headers, body } = await send(path, gzip);
  const tag = headers.etag ?? "";
  expect(headers["content-encoding"]).toBe("gzip");
  expect(JSON.parse(gunzipSync(body).toString())).toMatchObject({ id });
  expect((await send(path, gzip, "HEAD")).headers.etag?.split(".")[0]).toBe(tag.split(".")[0]);
  expect((await send(path, gzip, "HEAD")).body).toHaveLength(0);
  const stable = await send("/api/v1/openapi.json", gzip);
  const unchanged = await send("/api/v1/openapi.json", { ...gzip, "if-none-match": stable.headers.etag ?? "" });
  expect([unchanged.status, unchanged.body.length]).toEqual([304, 0]);
  const change = (ifMatch: string, value: string) =>
    request.patch(path, { data: { labels: { value } }, headers: { "if-match": ifMatch } });
  expect((await change(tag, "one")).status()).toBe(200);
  expect((await change(tag, "two")).status(), "with the tag from before the change").toBe(412);
  await remove(request, "exposures", id);
});

sent("streams are sent as they are written", async ({ send, context, baseURL }) => {
  for (const format of ["ndjson", "csv"]) {
    const { status, headers } = await send(`/api/v1/audit-entries/export?format=${format}`, gzip);
    expect([status, headers["content-length"], headers["transfer-encoding"]]).toEqual([200, undefined, "chunked"]);
  }
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const event = await firstChunk(`${baseURL}/api/v1/changes`, { ...gzip, cookie, accept: "text/event-stream" });
  expect(event.headers["content-encoding"]).toBeUndefined();
  expect(event.text).toContain("event: ready");
});

function fetchRaw(url: string, headers: Record<string, string>, method: string): Promise<Raw> {
  return new Promise((resolve, reject) => {
    get(url, { headers, method }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    }).once("error", reject);
  });
}

function firstChunk(url: string, headers: Record<string, string>) {
  return new Promise<{ headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const request = get(url, { headers }, (response) => {
      response.once("error", () => {}); // it is ended below
      response.once("data", (chunk: Buffer) => {
        resolve({ headers: response.headers, text: chunk.toString() });
        request.destroy();
      });
    }).once("error", reject);
  });
}
