import { createHash } from "node:crypto";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answerChecksum, answerDownload } from "./answer-download.ts";
import type { Download } from "./find-download.ts";
import { maxStreams } from "./stream-file.ts";

const content = "program ".repeat(50_000);
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-download-"));
  file = path.join(folder, "linux-amd64");
  writeFileSync(file, content);
});
afterEach(() => rmSync(folder, { recursive: true }));

const digest = (text: string) => createHash("sha256").update(text).digest("hex");
const find = async (name: string): Promise<Download | null> => {
  if (name === "linux-arm64") return { state: "building" };
  if (name === "linux-riscv64") return { state: "missing", why: "no compiler." };
  if (name !== "linux-amd64") return null;
  return { state: "ready", source: { file }, contentType: "application/octet-stream" };
};
const get = (query = "", init?: RequestInit, name = "linux-amd64") =>
  answerDownload(new Request(`http://fairlead.example/download/agent/${name}${query}`, init), name, find);

describe("answerDownload", () => {
  it("sends the file with an ETag that caches can revalidate", async () => {
    const whole = await get();
    expect(Object.fromEntries(whole.headers)).toEqual({
      "content-type": "application/octet-stream",
      "cache-control": "no-cache",
      etag: `"${digest(content)}"`,
    });
    expect(await whole.text()).toBe(content);

    const head = await get("", { method: "HEAD" });
    expect(head.headers.get("etag")).toBe(`"${digest(content)}"`);
    expect(await head.text()).toBe("");

    const same = await get("", { headers: { "if-none-match": `"other", W/"${digest(content)}"` } });
    expect([same.status, await same.text()]).toEqual([304, ""]);
    expect((await get("", { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  it("is immutable by checksum, and refuses that of a replaced file", async () => {
    const before = `?sha256=${digest(content)}`;
    const named = await get(before);
    expect(named.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    await named.body?.cancel();

    writeFileSync(path.join(folder, "next"), "another program");
    renameSync(path.join(folder, "next"), file);
    const gone = await get(before);
    expect([gone.status, await gone.text()]).toEqual([404, expect.stringContaining(digest("another program"))]);
    expect(await (await answerChecksum("linux-amd64", find)).text()).toBe(
      `${digest("another program")}  linux-amd64\n`,
    );
  });

  it("answers with Retry-After during a build, and with the reason if there is no file", async () => {
    const building = await get("", {}, "linux-arm64");
    expect([building.status, building.headers.get("retry-after")]).toEqual([503, "10"]);
    expect(building.headers.get("cache-control")).toBe("no-store");
    expect((await answerChecksum("linux-arm64", find)).status).toBe(503);
    const missing = await get("", {}, "linux-riscv64");
    expect([missing.status, await missing.text()]).toEqual([404, expect.stringContaining("no compiler.")]);
    expect((await get("", {}, "..%2f..%2fpasswd")).status).toBe(404);
  });

  it("limits downloads at once, and gives the place of an ended one to the next", async () => {
    const open = await Promise.all(Array.from({ length: maxStreams }, () => get()));
    expect(open.map(({ status }) => status)).toEqual(Array(maxStreams).fill(200));
    const refused = await get();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    expect((await get("", { method: "HEAD" })).status).toBe(200);

    await Promise.all(open.map(({ body }) => body?.cancel()));
    await expect.poll(async () => (await get("", {})).status).toBe(200);
  });
});
