import { create } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { type AnswerRequest, QuestionSchema, type WatchResponse, WatchResponseSchema } from "@fairlead/agent-protocol";
import type { RoutesAnswer } from "@fairlead/domain/routing";
import type { Question } from "@fairlead/services/gateway";

export function questionMessage({ id, request }: Question): WatchResponse {
  const { kernel, ...rest } = request;
  const query = { ...rest, longer: rest.prefix !== "" };
  const value = create(QuestionSchema, { id, ...(kernel ? { kernel: query } : { routes: query }) });
  return create(WatchResponseSchema, { message: { case: "question", value } });
}

export function toAnswer({ problem, routes, kernel }: AnswerRequest): RoutesAnswer {
  return {
    problem,
    next: (kernel ?? routes)?.next ?? "",
    known: Number((kernel ?? routes)?.known ?? 0),
    kernelRoutes: (kernel?.routes ?? []).map(({ prefix, nextHops }) => ({
      prefix,
      nextHops: nextHops.map(({ address, weight }) => ({ address, weight })),
    })),
    routes: (routes?.routes ?? []).map(
      ({ prefix, nextHop, from, preference, med, asPath, communities, best, refused, since }) => ({
        prefix,
        nextHop,
        from,
        preference,
        med,
        asPath,
        communities,
        isBest: best,
        refused,
        since: since ? timestampDate(since).toISOString() : null,
      }),
    ),
  };
}
