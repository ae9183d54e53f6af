import { setTimeout as sleep } from "node:timers/promises";
import type { Results } from "./results.ts";
import { send } from "./send.ts";
import { password, publicUrl, signIn, type Target } from "./target.ts";

type Entry = { action: string; subjectId: string; subjectName: string; after: Record<string, unknown> | null };

/** attackAudit signs in and out, and guesses passwords and keys, in the hope that the audit log shows nothing of it. */
export async function attackAudit(target: Target, results: Results): Promise<void> {
  const { stack, api, db, createKey } = target;
  const { email, memberId, cookie } = await target.join("viewer");
  const entriesOf = async (action: string, subjectId = memberId): Promise<Entry[]> => {
    const { text } = await api(`/audit-entries?action=${action}&subjectId=${subjectId}`);
    return (JSON.parse(text) as { items: Entry[] }).items;
  };
  // Refusals are written after the response, by a queue.
  const refusalsOf = async (action: string, subjectId?: string): Promise<Entry[]> => {
    let found: Entry[] = [];
    for (let at = 0; at < 50 && found.length === 0; at++) {
      await sleep(100);
      found = await entriesOf(action, subjectId);
    }
    return found;
  };
  await results.check("sign-in that is in no audit entry", async () => {
    const found = await entriesOf("session.start");
    return { refused: found.length === 1, seen: `${found.length} entry` };
  });
  await results.check("guessed passwords that are in no audit entry, or fill the log", async () => {
    for (let at = 0; at < 5; at++) await signIn(stack.url, { email, password: "a wrong guess" });
    const found = await refusalsOf("session.refuse");
    // One a minute: the guesses may be in two of them.
    return { refused: found.length === 1 || found.length === 2, seen: `${found.length} entry for 5 guesses` };
  });
  await results.check("a guessed password is in the audit log", async () => {
    const rows = await db.auditEntry.findMany({ where: { subjectId: memberId } });
    const isHidden = !/a wrong guess|correct horse/.test(JSON.stringify(rows));
    return { refused: rows.length > 0 && isHidden, seen: `not in ${rows.length} entries` };
  });
  await results.check("sign-out that is in no audit entry", async () => {
    const { status } = await send(`${stack.url}/api/auth/sign-out`, {
      method: "POST",
      body: {},
      headers: { origin: publicUrl, cookie },
    });
    const found = await entriesOf("session.end");
    return { refused: status === 200 && found.length === 1, seen: `${found.length} entry` };
  });
  await results.check("the cookie works after sign-out", async () => {
    const { status } = await api("/clusters", { headers: { authorization: "", cookie } });
    return { refused: status === 401, seen: String(status) };
  });
  await results.check("requests with a revoked key that are in no audit entry, or fill the log", async () => {
    const key = await createKey("viewer", ["cluster:read"]);
    const { id } = await db.apiKey.findFirstOrThrow({ where: { name: "viewer cluster:read" } });
    await api(`/api-keys/${id}/revoke`, { method: "POST" });
    for (let at = 0; at < 5; at++) await api("/clusters", { key });
    const found = await refusalsOf("api-key.refuse", id);
    return { refused: found.length === 1 || found.length === 2, seen: `${found.length} entry for 5 requests` };
  });
  for (const format of ["csv", "ndjson"])
    await results.check(`export of the audit log as ${format} by a viewer`, async () => {
      const at = `/audit-entries/export?format=${format}`;
      const viewer = await api(at, { headers: { authorization: "", cookie: target.members.viewer.cookie } });
      const owner = await api(at);
      return {
        refused: viewer.status === 403 && owner.status === 200,
        seen: `${viewer.status}; an owner ${owner.status}`,
      };
    });
  await results.check("(the password still works)", async () => {
    const { status } = await signIn(stack.url, { email, password });
    return { refused: status === 200, seen: String(status) };
  });
}
