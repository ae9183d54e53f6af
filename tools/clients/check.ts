import { differences } from "./compare.ts";
import { nounOf, type Step } from "./plan.ts";
import type { Recorded } from "./recorder.ts";
import { refused } from "./refused.ts";

type Outcome = { operation: string; status?: number; result?: unknown; error?: string };

/** check returns what is wrong with the outcomes of a client: it must read every response, and lose nothing of it. */
export function check(steps: Step[], lines: string[], responses: Recorded[]): string[] {
  const ids = new Map<string, string>();
  const waiting = [...responses];
  return steps.flatMap((step, i) => {
    const { error, ...outcome } = JSON.parse(lines[i] ?? '{"error":"no result"}') as Outcome;
    // A client that can't write the request sends none.
    const response = waiting[0] && isOf(step, waiting[0]) ? waiting.shift() : undefined;
    const at = `${step.operation}${response ? ` (${response.request} returned ${response.status})` : ""}`;
    if (error || !response) return [`${at}: ${error ?? "no request"}`];
    return checkOutcome(step, outcome, response, ids).map((problem) => `${at}: ${problem}`);
  });
}

function isOf({ request }: Step, response: Recorded): boolean {
  const [method, path = ""] = request.split(" ");
  const pattern = path.replaceAll(".", "\\.").replace(/\{\w+\}/, "[^/?]+");
  return new RegExp(`^${method} /api/v1${pattern}([?]|$)`).test(response.request);
}

function checkOutcome(step: Step, outcome: Outcome, response: Recorded, ids: Map<string, string>): string[] {
  const expected = refused[step.operation];
  const isExpected = expected ? response.status === expected : response.status < 300;
  if (!isExpected) return [`unexpected ${response.text.slice(0, 500)}`];
  if (outcome.status !== response.status) return [`it read the status ${outcome.status}`];
  if (!response.isJson) return [];
  const sent = JSON.parse(response.text) as { id?: string; items?: { id?: string }[] };
  if (step.save && sent.id) ids.set(step.save, sent.id);
  const id = ids.get(nounOf(step.operation));
  if (id && step.operation.endsWith(".list") && !sent.items?.some((item) => item.id === id))
    return [`${id} is not listed`];
  return differences(sent, outcome.result).slice(0, 3);
}
