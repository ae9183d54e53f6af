import { create } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { type AnswerRequest, QuestionSchema, type WatchResponse, WatchResponseSchema } from "@fairlead/agent-protocol";
import type { RoutesAnswer } from "@fairlead/domain";
import type { Question } from "@fairlead/services/gateway";

export function questionMessage({ id, asked }: Question): WatchResponse {
  const value = create(QuestionSchema, { id, routes: { ...asked, longer: asked.prefix !== "" } });
  return create(WatchResponseSchema, { message: { case: "question", value } });
}

export function toAnswer({ problem, routes }: AnswerRequest): RoutesAnswer {
  return {
    problem,
    next: routes?.next ?? "",
    known: Number(routes?.known ?? 0),
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
