import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { TerminalError } from "../terminal-error.ts";
import type { World } from "./world.ts";

type Call = { operation: keyof World; args: unknown[] };
type Answer = { value: unknown } | { error: string; terminal: boolean };

/** serveWorld serves a fake world to other processes, so that it survives a controller that is killed. */
export async function serveWorld(world: World): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => void answer(world, request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("the world's server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => gone.abort(new Error("the caller disconnected")));
  response.end(JSON.stringify(await run(world, await read(request), gone.signal)));
}

async function run(world: World, call: Call, signal: AbortSignal): Promise<Answer> {
  // The only callers are worldAt below and the World interface it implements, so the arguments have the right types.
  const operation = world[call.operation] as (...args: unknown[]) => Promise<unknown>;
  try {
    return { value: (await operation.call(world, ...call.args, signal)) ?? null };
  } catch (error) {
    return {
      error: error instanceof Error ? error.message : String(error),
      terminal: error instanceof TerminalError,
    };
  }
}

async function read(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString("utf8")) as Call;
}

/** worldAt is a client of a served world. */
export function worldAt(url: string): World {
  async function call<T>(operation: keyof World, args: unknown[], signal?: AbortSignal): Promise<T> {
    const response = await fetch(url, {
      method: "POST",
      body: JSON.stringify({ operation, args }),
      ...(signal ? { signal } : {}),
    });
    const answer = (await response.json()) as Answer;
    if ("value" in answer) return answer.value as T;
    throw answer.terminal ? new TerminalError(answer.error) : new Error(answer.error);
  }
  return {
    enter: (exposureId, who, signal) => call("enter", [exposureId, who], signal),
    leave: (exposureId, who) => call("leave", [exposureId, who]),
    list: (exposureId, signal) => call("list", [exposureId], signal),
    instances: (exposureId, signal) => call("instances", [exposureId], signal),
    create: (exposureId, balancer, signal) => call("create", [exposureId, balancer], signal),
    update: (exposureId, balancer, signal) => call("update", [exposureId, balancer], signal),
    remove: (exposureId, balancerId, signal) => call("remove", [exposureId, balancerId], signal),
  };
}
