import { invalid } from "@fairlead/domain";
import { isAddress, isPrefix } from "@fairlead/domain/address";
import type { RoutesAnswer } from "@fairlead/domain/routing";
import { storable } from "../report/storable.ts";

const most = { nextHops: 1_024, asPath: 256, communities: 256, word: 64, place: 200 } as const;

/** checkAnswer leaves out invalid entries; only an answer that is too large is refused. */
export function checkAnswer(answer: RoutesAnswer, limits: { routes: number }): RoutesAnswer {
  const count = answer.routes.length + answer.kernelRoutes.length;
  if (count > limits.routes)
    throw invalid(["routes"], `An answer may contain ${limits.routes} routes, this one contains ${count}.`);
  return {
    problem: storable(answer.problem),
    next: word(answer.next, most.place),
    known: Math.min(Math.max(0, Math.floor(answer.known)), Number.MAX_SAFE_INTEGER),
    routes: answer.routes
      .filter(({ prefix, nextHop }) => isPrefix(prefix) && isAddress(nextHop))
      .map((route) => ({
        ...route,
        from: isAddress(route.from) ? route.from : "",
        asPath: route.asPath.slice(0, most.asPath),
        communities: route.communities.slice(0, most.communities).map((each) => word(each)),
        refused: storable(route.refused),
      })),
    kernelRoutes: answer.kernelRoutes
      .filter(({ prefix }) => isPrefix(prefix))
      .map(({ prefix, nextHops }) => ({
        prefix,
        nextHops: nextHops.slice(0, most.nextHops).filter(({ address }) => isAddress(address)),
      })),
  };
}

const word = (text: string, longest: number = most.word): string => storable(text).slice(0, longest);
