import { readFileSync } from "node:fs";
import path from "node:path";
import type { Results } from "./results.ts";
import { type Answer, send } from "./send.ts";
import { password, publicUrl, type Target } from "./target.ts";

/** What a browser sends with a request that a page of another site started. */
const foreign: [string, Record<string, string>][] = [
  ["from another site", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
  ["from a subdomain of ours", { origin: "https://evil.fairlead.test", "sec-fetch-site": "same-site" }],
  ["from our host without HTTPS", { origin: "http://fairlead.test", "sec-fetch-site": "cross-site" }],
  ["from a sandboxed frame", { origin: "null", "sec-fetch-site": "cross-site" }],
  ["that hides its origin", { "sec-fetch-site": "cross-site" }],
];
const host = new URL(publicUrl).host;

/** attackSameOrigin sends changes with the cookie of a signed-in owner, as pages of other sites make a browser do. */
export async function attackSameOrigin(target: Target, results: Results): Promise<void> {
  const { stack, db } = target;
  const { cookie, email, userId } = await target.join("owner");
  const post = (at: string, body: object, headers: Record<string, string>) =>
    send(`${stack.url}${at}`, { method: "POST", body, headers: { host, cookie, ...headers } });
  const cluster = { name: "by-another-site", kind: "lab" };
  for (const [what, headers] of foreign) {
    const requests: [string, () => Promise<Answer>][] = [
      ["the REST API", () => post("/api/v1/clusters", cluster, headers)],
      ["tRPC", () => post("/api/trpc/cluster.create", { json: cluster }, headers)],
      ["a batch of tRPC", () => post("/api/trpc/cluster.create?batch=1", { 0: { json: cluster } }, headers)],
      [
        "tRPC as text",
        () => post("/api/trpc/cluster.create", { json: cluster }, { ...headers, "content-type": "text/plain" }),
      ],
      ["sign-out", () => post("/api/auth/sign-out", {}, headers)],
      ["sign-in", () => post("/api/auth/sign-in/email", { email, password }, headers)],
    ];
    for (const [where, request] of requests)
      await results.check(`request to ${where} ${what}`, async () => {
        const { status, headers: answered } = await request();
        const isClosed = answered["access-control-allow-origin"] === undefined;
        return {
          refused: [403, 415].includes(status) && isClosed && answered["set-cookie"] === undefined,
          seen: String(status),
        };
      });
  }
  await results.check("any of these changed something", async () => {
    const clusters = await db.cluster.count({ where: { name: cluster.name } });
    const sessions = await db.session.count({ where: { userId } });
    return { refused: clusters === 0 && sessions === 1, seen: `${clusters} clusters, ${sessions} session` };
  });
  await results.check("(the same request from our own page works)", async () => {
    const { status } = await post("/api/v1/clusters", cluster, { origin: publicUrl, "sec-fetch-site": "same-origin" });
    return { refused: status === 201, seen: String(status) };
  });
  await attackActions(target, results);
}

/** attackActions submits the form that changes a password, which is a server action. */
async function attackActions(target: Target, results: Results): Promise<void> {
  const { stack, db } = target;
  const { cookie, userId } = await target.join("viewer");
  const page = await send(`${stack.url}/password`, { headers: { host, cookie } });
  const hidden = [...page.text.matchAll(/<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?/g)];
  const fields = hidden.map(([, name = "", value = ""]) => [name, value.replaceAll("&quot;", '"')] as const);
  if (fields.length === 0) throw new Error("the password page has no form");
  const stored = async () =>
    (await db.account.findFirstOrThrow({ where: { userId }, select: { password: true } })).password;
  const submit = async (headers: Record<string, string>, current = password) => {
    const form = new FormData();
    for (const [name, value] of fields) form.set(name, value);
    form.set("currentPassword", current);
    form.set("newPassword", "another correct horse");
    const encoded = new Response(form);
    const type = encoded.headers.get("content-type") ?? "";
    const body = await encoded.text();
    return send(`${stack.url}/password`, { method: "POST", body, headers: { host, "content-type": type, ...headers } });
  };
  const before = await stored();
  for (const [what, headers] of foreign)
    await results.check(`server action ${what}`, async () => {
      const { status } = await submit({ cookie, ...headers });
      return { refused: (await stored()) === before, seen: String(status) };
    });
  await results.check("server action without a session", async () => {
    const log = path.join(stack.dataFolder, "logs/web.log");
    const linesBefore = readFileSync(log, "utf8").split("\n").length;
    const { status } = await submit({ origin: publicUrl });
    const lines = readFileSync(log, "utf8").split("\n").length - linesBefore;
    const refused = (await stored()) === before && status < 500 && lines === 0;
    return { refused, seen: `${status}, ${lines} lines in the log` };
  });
  await results.check("server action with a wrong password", async () => {
    const { status } = await submit({ cookie, origin: publicUrl }, "a wrong guess");
    return { refused: (await stored()) === before && status < 500, seen: String(status) };
  });
  await results.check("server action with an unknown id", async () => {
    const { status } = await send(`${stack.url}/password`, {
      method: "POST",
      body: "[]",
      headers: { host, origin: publicUrl, "next-action": "40".padEnd(42, "a"), "content-type": "text/plain" },
    });
    return { refused: status >= 400 && status < 500, seen: String(status) };
  });
  await results.check("(the same action from our own page works)", async () => {
    const { status } = await submit({ cookie, origin: publicUrl });
    return { refused: (await stored()) !== before, seen: String(status) };
  });
}
