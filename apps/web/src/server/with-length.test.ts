import { expect, it } from "vitest";
import { withLength } from "./with-length.ts";

it.each(["application/json", "application/problem+json", "application/json; charset=utf-8"])(
  "adds its length to %s, and keeps the rest",
  async (type) => {
    const headers = { "content-type": type, etag: '"7.abc"' };
    const answer = await withLength(new Response('{"name":"é"}', { status: 404, headers }));
    expect([answer.status, Object.fromEntries(answer.headers), await answer.text()]).toEqual([
      404,
      { ...headers, "content-length": "13" },
      '{"name":"é"}',
    ]);
  },
);

it.each(["text/event-stream", "application/x-ndjson", "text/csv; charset=utf-8"])("does not read %s", async (type) => {
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1)) });
  const stream = new Response(endless, { headers: { "content-type": type } });
  expect(await withLength(stream)).toBe(stream);
  expect(stream.headers.has("content-length")).toBe(false);
  await endless.cancel();
});

it("leaves an answer without a body as it is", async () => {
  const unchanged = new Response(null, { status: 304, headers: { "content-type": "application/json" } });
  expect(await withLength(unchanged)).toBe(unchanged);
});
