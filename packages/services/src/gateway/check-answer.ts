import { invalid, ipAddress, parsePrefix, type RoutesAnswer } from "@fairlead/domain";
import { storable } from "./storable.ts";

const most = { asPath: 256, communities: 256, word: 64, place: 200 } as const;

/** checkAnswer leaves out what can't be shown; only what is too much is refused. */
export function checkAnswer(answer: RoutesAnswer, limits: { routes: number }): RoutesAnswer {
  if (answer.routes.length > limits.routes)
    throw invalid(
      ["routes"],
      `An answer may tell of ${limits.routes} routes, this one tells of ${answer.routes.length}.`,
    );
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
  };
}

const isAddress = (text: string): boolean => ipAddress.safeParse(text).success;
const isPrefix = (text: string): boolean => !("problem" in parsePrefix(text));
const word = (text: string, longest: number = most.word): string => storable(text).slice(0, longest);
