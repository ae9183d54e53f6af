import { setTimeout } from "node:timers/promises";
import tls from "node:tls";
import { obey } from "@fairlead/drivers/kubernetes-testing";
import type { VisitRequest, Visits } from "./tls-client.ts";

// Users of a TLS service, in the clients' network. Each connects once, and returns with the session that it got.

type Visit = { pod: string; resumed: boolean; session: Buffer | undefined; error: string | null };

/** Failure is a connection that failed, with the time since the first one began. */
type Failure = { message: string; atMs: number };

type Seen = Omit<Visits, "errors"> & { failures: Failure[] };

obey<VisitRequest>(async ({ users, ...request }) => {
  const began = performance.now();
  const seen: Seen = { connections: 0, returns: 0, resumed: 0, home: 0, failures: [], pods: [] };
  await Promise.all(Array.from({ length: users }, () => visitOften(request, seen, began)));
  const { failures, pods, ...counts } = seen;
  return { ...counts, errors: summarize(failures), pods: [...new Set(pods)].sort() };
});

/** summarize returns a line for each message: how many connections failed so, and when. */
function summarize(failures: Failure[]): string[] {
  return [...Map.groupBy(failures, ({ message }) => message)].map(([message, each]) => {
    const times = each.map(({ atMs }) => Math.round(atMs));
    return `${each.length} connections failed from ${Math.min(...times)} to ${Math.max(...times)} ms: ${message}`;
  });
}

async function visitOften(
  { address, port, returns, pauseMs = 0 }: Omit<VisitRequest, "users">,
  all: Seen,
  began: number,
): Promise<void> {
  let last: Visit | null = null;
  for (let n = 0; n <= returns; n++) {
    if (n > 0 && pauseMs > 0) await setTimeout(pauseMs);
    const next: Visit = await visit(address, port, last?.session);
    all.connections += 1;
    if (next.error) all.failures.push({ message: next.error, atMs: performance.now() - began });
    else all.pods.push(next.pod);
    if (last) {
      all.returns += 1;
      if (next.resumed) all.resumed += 1;
      if (next.pod && next.pod === last.pod) all.home += 1;
    }
    last = next;
  }
}

function visit(host: string, port: number, session: Buffer | undefined): Promise<Visit> {
  return new Promise((resolve) => {
    const found: Visit = { pod: "", resumed: false, session, error: null };
    let text = "";
    const options = { host, port, rejectUnauthorized: false, ...(session ? { session } : {}) };
    const socket = tls.connect(options, () => socket.write("GET / HTTP/1.0\r\n\r\n"));
    socket.setEncoding("utf8").setTimeout(20_000, () => socket.destroy(new Error("no answer within 20 s")));
    socket.on("session", (newest) => {
      found.session = newest;
    });
    socket.on("data", (part: string) => {
      text += part;
    });
    socket.once("error", ({ message }) => resolve({ ...found, error: message }));
    socket.once("end", () => {
      resolve({ ...found, pod: text.split("\r\n\r\n")[1] ?? "", resumed: socket.isSessionReused() });
      socket.destroy();
    });
  });
}
