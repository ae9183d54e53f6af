export type Scale = (value: number) => number;

/** linearScale maps a span of values onto a span of pixels. */
export function linearScale(from: number, to: number, first: number, last: number): Scale {
  const factor = (last - first) / (to - from || 1);
  return (value) => first + (value - from) * factor;
}

type Point = { at: number; value: number | null };

/**
 * linePath draws a line through points and breaks it at missing values. A single point between gaps becomes a short
 * dash.
 */
export function linePath(points: Point[], x: Scale, y: Scale): string {
  const parts: string[] = [];
  for (const [i, { at, value }] of points.entries()) {
    if (value === null) continue;
    const begins = isGap(points[i - 1]);
    parts.push(`${begins ? "M" : "L"}${round(x(at))} ${round(y(value))}`);
    if (begins && isGap(points[i + 1])) parts.push("h1.5");
  }
  return parts.join("");
}

type Span = { at: number; band: [number, number] | null };

/** bandPath encloses the area between minimum and maximum, once for every stretch without a gap. */
export function bandPath(spans: Span[], x: Scale, y: Scale): string {
  const stretches: Span[][] = [];
  for (const [i, span] of spans.entries()) {
    if (!span.band) continue;
    if (!spans[i - 1]?.band) stretches.push([]);
    stretches.at(-1)?.push(span);
  }
  return stretches
    .filter((stretch) => stretch.length > 1)
    .map((stretch) => {
      const corner = (span: Span, edge: 0 | 1) => `${round(x(span.at))} ${round(y(span.band?.[edge] ?? 0))}`;
      const upper = stretch.map((span) => corner(span, 1));
      const lower = stretch.map((span) => corner(span, 0)).reverse();
      return `M${[...upper, ...lower].join("L")}Z`;
    })
    .join("");
}

function isGap(point: Point | undefined): boolean {
  return point === undefined || point.value === null;
}

/** A tenth of a pixel is fine enough. */
function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
