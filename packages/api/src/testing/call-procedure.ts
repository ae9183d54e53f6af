import type { Identity } from "../context.ts";
import type { TestApi } from "./test-api.ts";

/** callProcedure runs any procedure by its path; of a stream it returns the first message. */
export async function callProcedure(
  api: TestApi,
  identity: Identity | null,
  path: string,
  input: unknown,
): Promise<unknown> {
  const caller = api.caller(identity) as unknown as Record<
    string,
    Record<string, (input: unknown) => Promise<unknown>>
  >;
  const [noun = "", verb = ""] = path.split(".");
  const answer = await caller[noun]?.[verb]?.(input);
  if (!answer || typeof answer !== "object" || !(Symbol.asyncIterator in answer)) return answer;
  for await (const message of answer as AsyncIterable<unknown>) return message;
}
