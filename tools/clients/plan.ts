import { refused } from "./refused.ts";

/** What this reads of an OpenAPI document. */
export type Document = { paths: Record<string, Record<string, DescribedOperation>> };
type DescribedOperation = {
  operationId: string;
  parameters?: { name: string; in: string }[];
  requestBody?: object;
  responses: Record<string, { content?: Record<string, unknown> }>;
};

/** Step is a call of one operation. The text `$cluster` is the id of the cluster that an earlier step created. */
export type Step = {
  operation: string;
  /** Such as `GET /clusters/{id}`. */
  request: string;
  parameters: Record<string, unknown>;
  body?: Record<string, unknown>;
  /** Under which name later steps find the id of the created object. */
  save?: string;
};

type Operation = DescribedOperation & { method: string; path: string };
type Inputs = Record<string, unknown>;

/**
 * listSteps calls every operation but endless streams: first those that read or need no object; then each noun that can be
 * created is created, listed, read, changed and deleted. An operation without an input is called only on what was created.
 */
export function listSteps(document: Document, inputs: Inputs): Step[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => ({ ...operation, method, path })),
  );
  const finite = operations.filter((each) => !("text/event-stream" in (each.responses[200]?.content ?? {})));
  const creates = finite.filter((each) => 201 in each.responses && !each.path.includes("{"));
  const created = new Set(
    creates.filter((each) => !(each.operationId in refused)).map((each) => nounOf(each.operationId)),
  );
  const isOfCreated = (each: Operation) => created.has(nounOf(each.operationId));
  const step = (each: Operation) => stepOf(each, inputs);
  const onCreated = (each: Operation): Step => {
    const { parameters, ...rest } = step(each);
    return {
      ...rest,
      parameters: each.path.includes("{id}") ? withId(parameters, nounOf(each.operationId)) : parameters,
    };
  };
  const reads = finite.filter((each) => each.method === "get");
  const changes = finite.filter((each) => each.method !== "get" && !creates.includes(each));
  const ends = changes.filter((each) => /\.(delete|remove|revoke)$/.test(each.operationId));
  const onNothing = changes.filter((each) => !each.path.includes("{"));
  const others = changes.filter((each) => !ends.includes(each) && !onNothing.includes(each));
  return [
    ...[...reads, ...onNothing].filter((each) => each.operationId in inputs || !each.path.includes("{")).map(step),
    ...creates.map((each) => ({ ...step(each), save: nounOf(each.operationId) })),
    ...reads.filter((each) => isOfCreated(each) && !each.path.includes("{id}/")).map(onCreated),
    ...others.map((each) => (isOfCreated(each) ? onCreated(each) : step(each))),
    // In the reverse order of their creation: an address pool is in use until its exposure is deleted.
    ...ends.map((each) => (isOfCreated(each) ? onCreated(each) : step(each))).reverse(),
  ];
}

export function nounOf(operation: string): string {
  return operation.split(".")[0] ?? operation;
}

function withId(parameters: Record<string, unknown>, noun: string): Record<string, unknown> {
  return { ...parameters, id: `$${noun}` };
}

function stepOf({ operationId, method, path, parameters = [], requestBody }: Operation, inputs: Inputs): Step {
  // As JSON: dates are text.
  const input = JSON.parse(JSON.stringify(inputs[operationId] ?? {})) as Record<string, unknown>;
  const names = new Set(parameters.filter((each) => each.in !== "header").map((each) => each.name));
  const fields = Object.entries(input);
  return {
    operation: operationId,
    request: `${method.toUpperCase()} ${path}`,
    parameters: Object.fromEntries(fields.filter(([name]) => names.has(name))),
    ...(requestBody ? { body: Object.fromEntries(fields.filter(([name]) => !names.has(name))) } : {}),
  };
}
