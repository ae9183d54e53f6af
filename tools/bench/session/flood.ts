import { type Result, required, result, wasMeasured } from "../result.ts";
import type { Flooded, MapUse } from "./measured.ts";
import { ours, plain } from "./subjects.ts";

/** The services that are flooded, the first one by session. */
const services = [ours, plain];

/** A map that is fuller than this is full: programs look for a free entry in a part of it. */
const mostFull = 0.9;

const named = (service: string) => `SYN flood on ${service}`;

/** judgeFloods compares each service with its bars. A flood that didn't reach the least rate is void: it has no other bars. */
export function judgeFloods(floods: Flooded[], least: number): Result[] {
  if (least === 0) return [];
  return services.flatMap((service) => {
    const own = floods.filter((each) => each.service === service);
    return [wasMeasured(named(service), own.length), ...own.flatMap((each) => judgeFlood(each, least))];
  });
}

function judgeFlood(flood: Flooded, least: number): Result[] {
  const { service, arrived, sent, quiet, under, maps } = flood;
  const subject = named(service);
  const isVoid = arrived < least;
  const none = { at: "max", op: "==", value: 0 } as const;
  return [
    result(subject, "SYNs that arrived at the replica", "per second", [arrived], { at: "low", op: ">=", value: least }),
    result(subject, "SYNs sent", "per second", [sent]),
    ...[
      { when: "before the flood", of: quiet },
      { when: "under the flood", of: under },
    ].flatMap(({ when, of }) => [
      required(result(subject, `requests broken ${when}`, "failures", [of.broken], isVoid ? undefined : none)),
      result(subject, `returns ${when}`, "returns", [of.returns]),
      result(subject, `returns that resumed at their backend ${when}`, "%", [(100 * of.sameBackend) / of.returns]),
      ...(service === ours
        ? [
            required(
              result(
                subject,
                `returns that didn't resume at their backend ${when}`,
                "failures",
                [of.returns - of.sameBackend],
                isVoid ? undefined : none,
              ),
            ),
          ]
        : []),
    ]),
    ...[...Map.groupBy(maps, kindOf)].flatMap(([metric, own]) => {
      const values = own.flatMap(({ before, during, after }) => [before, during, after]);
      const most = own[0]?.most ?? 0;
      return [
        result(
          subject,
          metric,
          "entries",
          values,
          isVoid ? undefined : { at: "max", op: "<=", value: Math.floor(mostFull * most) },
        ),
      ];
    }),
  ];
}

/** kindOf names a map. All companions have the same maps. */
function kindOf({ process, map, most }: MapUse): string {
  return `entries before, during and after, ${process.split(" ")[0]}'s map ${map} of ${most}`;
}

/** explainFloods describes floods that are void, and what went wrong in others. */
export function explainFloods(floods: Flooded[], least: number): string[] {
  return floods.flatMap(({ service, arrived, quiet, under, maps }) => [
    `${named(service)}: entries of maps before → during → after it: ${entriesOf(maps)}; the other maps are empty`,
    ...(arrived < least
      ? [`${named(service)} is void: ${arrived.toFixed(0)} SYNs arrived each second, of ${least} that are needed`]
      : []),
    ...[quiet, under].flatMap(({ broken, failures, firstFailure }) =>
      broken > 0
        ? [
            `${named(service)}: ${broken} requests broke: ${Object.keys(failures ?? {}).join("; ") || "closed while idle, or not sent"}${firstFailure ? `; the first: ${firstFailure}` : ""}`,
          ]
        : [],
    ),
  ]);
}

function entriesOf(maps: MapUse[]): string {
  return maps
    .filter(({ before, during, after }) => before + during + after > 0)
    .map(
      ({ process, map, most, before, during, after }) =>
        `${process} ${map} ${before} → ${during} → ${after} of ${most}`,
    )
    .join(", ");
}
