import { describe, expect, it } from "vitest";
import { fillQuiet } from "./fill-quiet.ts";

const minute = (number: number) => new Date(number * 60_000);
const span = { from: minute(10), to: minute(15), quietBefore: minute(13) };
const valuesByMinute = new Map([
  [minute(11).getTime(), 5],
  [minute(14).getTime(), 7],
]);

describe("minutes without values from the cloud", () => {
  it.each([
    [
      "are zero if the response is complete, except recent ones",
      true,
      minute(0),
      [
        [10, 0],
        [11, 5],
        [12, 0],
        [14, 7],
      ],
    ],
    [
      "are unknown if the response is partial",
      false,
      minute(0),
      [
        [11, 5],
        [14, 7],
      ],
    ],
    [
      "are unknown before the creation of the balancer",
      true,
      new Date(minute(11).getTime() + 1),
      [
        [11, 5],
        [12, 0],
        [14, 7],
      ],
    ],
  ])("%s", (_, isWhole, since, want) => {
    const { atMs, values } = fillQuiet(valuesByMinute, span, { isWhole, since });
    expect(atMs.map((at, index) => [at / 60_000, values[index]])).toEqual(want);
  });
});
