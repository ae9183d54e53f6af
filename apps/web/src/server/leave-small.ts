/** A smaller answer fits in one packet anyway. */
const smallestCompressed = 1_024;

/**
 * leaveSmall marks a small JSON answer with no-transform, so that Next.js doesn't compress it. Its length would have the
 * same effect, but Next.js removes that from the answers of route handlers. Streams pass unread.
 */
export async function leaveSmall(response: Response): Promise<Response> {
  const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
  if (!isJson || !response.body) return response;
  const { status, statusText, headers } = response;
  const body = await response.arrayBuffer();
  if (body.byteLength < smallestCompressed) headers.append("cache-control", "no-transform");
  return new Response(body, { status, statusText, headers });
}
