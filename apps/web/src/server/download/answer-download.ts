import { checksumOf, type Source } from "./checksum.ts";
import { type Download, findDownload } from "./find-download.ts";
import { streamFile } from "./stream-file.ts";

const retryBuildSeconds = 10;
const retryBusySeconds = 5;
const isText = { "content-type": "text/plain; charset=utf-8" };

/**
 * answerDownload serves a file to a machine that is to become a node. It needs no sign-in, because no file has a secret.
 * A URL with ?sha256= names one content forever, so caches may keep it; others are checked by their ETag.
 */
export async function answerDownload(request: Request, name: string, find = findDownload): Promise<Response> {
  const found = await find(name);
  if (found?.state !== "ready") return refuse(found, name);
  const { sha256 } = await checksumOf(found.source);
  const wanted = new URL(request.url).searchParams.get("sha256");
  if (wanted !== null && wanted !== sha256)
    return explain(404, `This control plane has another ${name} now: ${sha256}. Download it again.`);
  const headers = {
    "content-type": found.contentType,
    "cache-control": wanted === null ? "no-cache" : "public, max-age=31536000, immutable",
    etag: `"${sha256}"`,
  };
  if (matches(request.headers.get("if-none-match"), headers.etag)) return new Response(null, { status: 304, headers });
  // Without a Content-Length: Next removes it.
  if (request.method === "HEAD") return new Response(null, { headers });
  const content = open(found.source, request.signal);
  if (content === null) return explain(503, "Many machines download the agent right now. Try again.", retryBusySeconds);
  return new Response(content, { headers });
}

/** answerChecksum serves the line that `sha256sum --check` reads. */
export async function answerChecksum(name: string, find = findDownload): Promise<Response> {
  const found = await find(name);
  if (found?.state !== "ready") return refuse(found, name);
  const { sha256 } = await checksumOf(found.source);
  return new Response(`${sha256}  ${name}\n`, { headers: { ...isText, "cache-control": "no-cache" } });
}

function open(source: Source, signal: AbortSignal): BodyInit | null {
  return "text" in source ? source.text : streamFile(source.file, signal);
}

function refuse(found: Exclude<Download, { state: "ready" }> | null, name: string): Response {
  if (found === null) return explain(404, `There is no ${name} to download. There are linux-amd64 and linux-arm64.`);
  if (found.state === "building")
    return explain(
      503,
      `The agent for ${name} is being built. Try again in ${retryBuildSeconds} s.`,
      retryBuildSeconds,
    );
  return explain(404, `This control plane has no agent for ${name}: ${found.why}`);
}

function explain(status: number, message: string, retrySeconds?: number): Response {
  const retry = retrySeconds === undefined ? {} : { "retry-after": String(retrySeconds) };
  return new Response(`${message}\n`, { status, headers: { ...isText, "cache-control": "no-store", ...retry } });
}

function matches(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(",").some((each) => ["*", etag].includes(each.trim().replace(/^W\//, "")));
}
