import type { Results } from "./results.ts";
import { open, type Sent } from "./send.ts";
import type { Target } from "./target.ts";

/** The product promises two seconds; a busy machine may take longer. Before, it was half a minute. */
const endsWithinMs = 5_000;

/** attackStreams keeps a live stream open after its key or its member has lost access. */
export async function attackStreams(target: Target, results: Results): Promise<void> {
  const { stack, api, db, createKey, join } = target;
  const url = `${stack.url}/api/v1/changes`;
  await results.check("stream of a key that is revoked", async () => {
    const key = await createKey("viewer", ["event:read"]);
    const { id } = await db.apiKey.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
    return endOf(url, { headers: { authorization: `Bearer ${key}` } }, () =>
      api(`/api-keys/${id}/revoke`, { method: "POST" }),
    );
  });
  await results.check("stream of a member who is removed", async () => {
    const { cookie, memberId } = await join("viewer");
    return endOf(url, { headers: { cookie } }, () => api(`/members/${memberId}`, { method: "DELETE" }));
  });
  await results.check("stream of a session that is signed out", async () => {
    const { cookie, userId } = await join("viewer");
    return endOf(url, { headers: { cookie } }, () => db.session.deleteMany({ where: { userId } }));
  });
  await results.check("requests with the cookie of a removed member", async () => {
    const { cookie, memberId } = await join("viewer");
    await api(`/members/${memberId}`, { method: "DELETE" });
    const { status } = await api("/clusters", { headers: { authorization: "", cookie } });
    return { refused: status === 401 || status === 403, seen: String(status) };
  });
}

/** endOf follows a stream, takes its access away, and returns whether it ends in time. */
async function endOf(url: string, sent: Sent, revoke: () => Promise<unknown>) {
  const stream = await open(url, sent);
  if (stream.statusCode !== 200) throw new Error(`the stream returned ${stream.statusCode}`);
  const ended = new Promise<boolean>((resolve) => {
    for (const event of ["close", "end", "error"]) stream.once(event, () => resolve(true));
  });
  stream.resume();
  await revoke();
  const revokedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), endsWithinMs);
  });
  const refused = await Promise.race([ended, late]);
  clearTimeout(timer);
  stream.destroy();
  const seconds = ((performance.now() - revokedAt) / 1_000).toFixed(1);
  return { refused, seen: refused ? `ended after ${seconds} s` : `still open after ${seconds} s` };
}
