import { appRouter } from "@fairlead/api";
import { type FleetIds, inputsFor } from "@fairlead/api/testing";
import { compileOperations, type Operation } from "../../packages/api/src/rest/operation.ts";
import { type Answer, type Sent, send } from "./send.ts";

export const operations = compileOperations(appRouter);

/** call requests an operation about these objects. */
export function call(url: string, operation: Operation, ids: FleetIds, headers: Sent["headers"]): Promise<Answer> {
  const input = (inputsFor(ids)[operation.id] ?? {}) as Record<string, unknown>;
  const path = operation.segments.map(({ text, isField }) => (isField ? String(input[text]) : text)).join("/");
  const query = new URLSearchParams();
  for (const name of Object.keys(operation.queryFields))
    for (const each of [input[name]].flat()) if (each !== undefined) query.append(name, toText(each));
  const fields = Object.keys(operation.bodyFields).filter((name) => input[name] !== undefined);
  return send(`${url}/api/v1/${path}${query.size > 0 ? `?${query}` : ""}`, {
    method: operation.method,
    ...(headers ? { headers } : {}),
    ...(operation.hasBody ? { body: Object.fromEntries(fields.map((name) => [name, input[name]])) } : {}),
  });
}

function toText(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

/** atOnce runs tasks with a limit, and returns their results in order. */
export async function atOnce<Task, Result>(
  tasks: readonly Task[],
  run: (task: Task) => Promise<Result>,
): Promise<Result[]> {
  const found: Result[] = [];
  let next = 0;
  const work = async () => {
    for (let at = next++; at < tasks.length; at = next++) found[at] = await run(tasks[at] as Task);
  };
  await Promise.all(Array.from({ length: 16 }, work));
  return found;
}
