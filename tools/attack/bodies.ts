import { readFileSync, writeFileSync } from "node:fs";
import { type ClientRequest, request } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import type { Results } from "./results.ts";
import type { Target } from "./target.ts";
import { publicUrl } from "./target.ts";

const bodyBytes = 60 * 1024 * 1024;
const chunk = Buffer.alloc(256 * 1024, "x");
/** A body that is read whole takes several times its size. */
const mostGrowth = 128 * 1024 * 1024;

/** attackBodies sends 60 MB to each entry point: with and without a length, and several at once. */
export async function attackBodies(target: Target, results: Results): Promise<void> {
  const { stack, key, gatewayPort } = target;
  const paths = [
    "/api/auth/sign-in/email",
    "/api/auth/sign-out",
    "/api/auth/sso/callback/x",
    "/api/v1/clusters",
    "/api/trpc/cluster.create",
    "/sign-in",
    "/nowhere",
  ];
  const peak = watchMemory(stack.pids.web ?? 0);
  for (const path of paths)
    for (const isChunked of [false, true])
      await results.check(`60 MB to ${path} ${isChunked ? "in chunks" : "with a length"}`, async () => {
        const status = await upload(`${stack.url}${path}`, key, isChunked);
        return { refused: status === 413, seen: String(status) };
      });
  await results.check("30 bodies of 60 MB at once", async () => {
    const uploads = Array.from({ length: 30 }, (_, at) => upload(`${stack.url}${paths[at % 5]}`, key, at % 2 === 0));
    const statuses = [...new Set(await Promise.all(uploads))];
    return { refused: statuses.every((status) => status === 413), seen: statuses.join(", ") };
  });
  await results.check("memory of the dashboard after all of them", () => {
    const growth = peak();
    return { refused: growth < mostGrowth, seen: `peak ${Math.round(growth / 1024 / 1024)} MiB above` };
  });
  const controller = watchMemory(stack.pids.controller ?? 0);
  for (const method of ["Enroll", "Report"])
    await results.check(`60 MB to the gateway (${method})`, async () => {
      const outcome = await uploadToGateway(gatewayPort, method);
      return { refused: outcome !== "200", seen: outcome };
    });
  await results.check("memory of the controller after these", () => {
    const growth = controller();
    return { refused: growth < mostGrowth, seen: `peak ${Math.round(growth / 1024 / 1024)} MiB above` };
  });
}

/** watchMemory returns a function that reads by how much the resident memory of a process rose meanwhile, at its peak. */
function watchMemory(pid: number): () => number {
  const read = (name: string) => {
    const [, kib = 0] =
      new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kib) * 1024;
  };
  // 5 resets the peak: proc_pid_clear_refs(5).
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  const before = read("VmRSS");
  return () => read("VmHWM") - before;
}

/** upload sends a body until it is complete or answered, and returns the status. */
function upload(url: string, key: string, isChunked: boolean): Promise<number> {
  const length: Record<string, string> = isChunked
    ? { "transfer-encoding": "chunked" }
    : { "content-length": String(bodyBytes) };
  const headers = { authorization: `Bearer ${key}`, origin: publicUrl, "content-type": "application/json", ...length };
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: "POST", headers, agent: false }, (response) => {
      response.resume();
      response.once("close", () => sending.destroy());
      resolve(response.statusCode ?? 0);
    });
    sending.on("error", reject); // without effect after the answer
    void pour(sending);
  });
}

async function pour(sending: ClientRequest): Promise<void> {
  for (let sent = 0; sent < bodyBytes && !sending.destroyed; sent += chunk.length) {
    if (!sending.write(chunk))
      await Promise.race([new Promise((resolve) => sending.once("drain", resolve)), sleep(1_000)]);
  }
  sending.end();
}

async function uploadToGateway(port: number, method: string): Promise<string> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  session.on("error", () => {}); // the gateway may hang up
  const path = `/fairlead.agent.v1.AgentService/${method}`;
  const stream = session.request({ ":path": path, ":method": "POST", "content-type": "application/proto" });
  let isOver = false;
  const outcome = new Promise<string>((resolve) => {
    stream.once("response", (headers) => resolve(String(headers[":status"])));
    stream.once("error", () => resolve("disconnected"));
    stream.once("close", () => resolve("disconnected"));
  }).finally(() => {
    isOver = true;
  });
  for (let sent = 0; sent < bodyBytes && !isOver; sent += chunk.length)
    if (!stream.write(chunk)) await Promise.race([outcome, new Promise((resolve) => stream.once("drain", resolve))]);
  stream.end();
  const seen = await outcome;
  session.destroy();
  return seen;
}
