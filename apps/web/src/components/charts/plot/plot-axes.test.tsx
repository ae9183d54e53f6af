import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { PlotAxes } from "./plot-axes.tsx";
import { frame } from "./plot-frame.ts";

const minute = 60_000;
const from = new Date(2026, 2, 5, 9, 0, 0).getTime();

describe("the axes of a plot", () => {
  it("has a line and a label for each round value, the highest at the top", () => {
    const drawn = axes({ to: from + 15 * minute, width: 600 });
    expect(drawn.values).toEqual([
      ["0", 168 - frame.bottom],
      ["50\u00a0%", (168 - frame.bottom + frame.top) / 2],
      ["100\u00a0%", frame.top],
    ]);
    expect(drawn.acrossAll).toBe(3);
  });

  it("has no time label that overlaps another or is cut off, at any width", () => {
    for (let width = 200; width < 1_200; width += 53)
      for (const minutes of [1, 5, 15, 60, 360, 1_440]) {
        const { times } = axes({ to: from + minutes * minute + 1, width });
        const places = times.map(([, x]) => x);
        for (const [i, x] of places.entries()) {
          expect(x).toBeLessThanOrEqual(width - 24);
          if (i > 0) expect(x - (places[i - 1] ?? 0)).toBeGreaterThanOrEqual(50);
        }
      }
  });

  it("formats midnight as the new day", () => {
    const { times } = axes({ to: from + 1_440 * minute, width: 600 });
    expect(times.map(([text]) => text)).toContain("6 Mar");
  });
});

type Label = [text: string, place: number];

function axes({ to, width }: { to: number; width: number }): { values: Label[]; times: Label[]; acrossAll: number } {
  const span = { from, to, low: 0, high: 1, width, height: 168 };
  const markup = renderToStaticMarkup(<PlotAxes values={[0, 0.5, 1]} unit="ratio" span={span} />);
  const texts = [...markup.matchAll(/<text x="([\d.]+)" y="([\d.]+)"[^>]*text-anchor="(\w+)">([^<]*)</g)];
  const labels = (anchor: string, place: 1 | 2) =>
    texts.filter((text) => text[3] === anchor).map((text): Label => [text[4] ?? "", Number(text[place])]);
  const acrossAll = [...markup.matchAll(new RegExp(`H${width - frame.right}"`, "g"))].length;
  return { values: labels("end", 2), times: labels("middle", 1), acrossAll };
}
