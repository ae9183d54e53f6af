import { describe, expect, it } from "vitest";
import { fillQuiet } from "./fill-quiet.ts";

const minute = (number: number) => new Date(number * 60_000);
const span = { from: minute(10), to: minute(15), quietBefore: minute(13) };
const said = new Map([
  [minute(11).getTime(), 5],
  [minute(14).getTime(), 7],
]);

describe("minutes that a cloud is silent of", () => {
  it.each([
    [
      "are nothing where it has told all, but for young ones",
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
      "are unknown where it has told a part",
      false,
      minute(0),
      [
        [11, 5],
        [14, 7],
      ],
    ],
    [
      "are unknown before the balancer was made",
      true,
      new Date(minute(11).getTime() + 1),
      [
        [11, 5],
        [12, 0],
        [14, 7],
      ],
    ],
  ])("%s", (_, isWhole, since, want) => {
    const { atMs, values } = fillQuiet(said, span, { isWhole, since });
    expect(atMs.map((at, index) => [at / 60_000, values[index]])).toEqual(want);
  });
});
