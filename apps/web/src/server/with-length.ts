/**
 * withLength adds its length to a JSON answer. Next.js compresses an answer without a length whatever its size, and one
 * with a length only from 1 kB on. Streams stay without.
 */
export async function withLength(response: Response): Promise<Response> {
  const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
  if (!isJson || !response.body || response.headers.has("content-length")) return response;
  const { status, statusText, headers } = response;
  const body = await response.arrayBuffer();
  headers.set("content-length", String(body.byteLength));
  return new Response(body, { status, statusText, headers });
}
