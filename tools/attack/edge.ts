import { readdirSync, statSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import type { Results } from "./results.ts";
import { send } from "./send.ts";
import type { Target } from "./target.ts";

/** attackEdge sends what no browser sends to our pages, and looks at what the product leaves on its machine. */
export async function attackEdge(target: Target, results: Results): Promise<void> {
  const { stack, key, early } = target;
  const statusFor = async (at: string, host: string) =>
    (await send(`${stack.url}${at}`, { headers: { host, authorization: `Bearer ${key}` } })).status;
  await results.check("requests while the dashboard starts pass its guards", () => {
    const statuses = [...early.statuses];
    return {
      refused: statuses.length > 0 && statuses.every((each) => [421, 503].includes(each)),
      seen: statuses.join(", "),
    };
  });
  for (const at of ["/", "/sign-in", "/api/v1/clusters", "/api/v1/openapi.json", "/api/trpc/session.get", "/metrics"])
    await results.check(`foreign host name, ${at}`, async () => {
      const statuses = [await statusFor(at, "evil.example"), await statusFor(at, "fairlead.test.evil.example")];
      return { refused: statuses.every((status) => status === 421), seen: statuses.join(", ") };
    });
  for (const at of ["/healthz", "/readyz"])
    await results.check(`(health checks may use any host name: ${at})`, async () => {
      const status = await statusFor(at, "evil.example");
      return { refused: status === 200, seen: String(status) };
    });
  await results.check("a websocket for a foreign host name", () => upgrade(stack.url));
  await results.check("browsers may use HTTP again behind HTTPS", async () => {
    const answers = await Promise.all(
      ["/sign-in", "/api/v1/openapi.json", "/healthz", "/nowhere"].map((at) => send(`${stack.url}${at}`)),
    );
    const without = answers.filter(({ headers }) => !headers["strict-transport-security"]);
    return { refused: without.length === 0, seen: `${answers.length - without.length} of ${answers.length} with HSTS` };
  });
  await results.check("a page runs scripts of others, or is framed", async () => {
    const { headers } = await send(`${stack.url}/sign-in`);
    const policy = String(headers["content-security-policy"]);
    const needed = ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"];
    const [scripts = ""] = /script-src [^;]+/.exec(policy) ?? [];
    const isSafe = needed.every((each) => policy.includes(each)) && /'nonce-/.test(scripts) && !/unsafe/.test(scripts);
    return {
      refused: isSafe && headers["x-content-type-options"] === "nosniff",
      seen: scripts.replace(/nonce-[^']+/, "nonce-…"),
    };
  });
  for (const [what, headers] of [
    ["without a key", {}],
    ["with a made-up key", { authorization: "Bearer fl_made_up" }],
    ["with a session", { cookie: target.members.owner.cookie }],
  ] as const)
    await results.check(`/metrics ${what}`, async () => {
      const { status } = await send(`${stack.url}/metrics`, { headers });
      return { refused: status === 401, seen: String(status) };
    });
  await results.check("an unknown method, and a path that can't be decoded", async () => {
    const statuses = [
      (await send(`${stack.url}/`, { method: "TRACE" })).status,
      (await send(`${stack.url}/%zz`)).status,
    ];
    return { refused: statuses.every((status) => status >= 400 && status < 500), seen: statuses.join(", ") };
  });
  await results.check("other users of the machine read the data folder", () => {
    const mode = statSync(stack.dataFolder).mode & 0o777;
    return { refused: (mode & ~0o750) === 0, seen: mode.toString(8) };
  });
  await results.check("other users of the machine read the logs and the secret", () => {
    const logs = path.join(stack.dataFolder, "logs");
    const files = [path.join(stack.dataFolder, "secret"), ...readdirSync(logs).map((name) => path.join(logs, name))];
    const modes = new Set(files.map((file) => statSync(file).mode & 0o777));
    return {
      refused: [...modes].every((mode) => (mode & ~0o640) === 0),
      seen: [...modes].map((mode) => mode.toString(8)).join(", "),
    };
  });
}

/** An upgrade is no request, so that it needs a guard of its own: it must get no answer with content. */
function upgrade(url: string): Promise<{ refused: boolean; seen: string }> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(Number(port), hostname);
    const head =
      "GET /api/v1/openapi.json HTTP/1.1\r\nhost: evil.example\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n";
    socket.setTimeout(2_000, () => socket.destroy());
    socket.on("data", (part) => {
      text += String(part);
    });
    socket.on("error", () => {});
    socket.once("close", () => {
      const [line = ""] = text.split("\r\n");
      resolve({ refused: !/^HTTP\/1\.1 [123]/.test(line), seen: line || "disconnected" });
    });
    socket.write(head);
  });
}
