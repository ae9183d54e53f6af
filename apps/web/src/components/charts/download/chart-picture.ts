import type { ChartLine } from "../data/chart-data.ts";
import { lineStyle } from "../plot/line-style.ts";

const svgSpace = "http://www.w3.org/2000/svg";
const padding = 16;
const titleHeight = 48;
const legendRow = 20;
/** For screens with two pixels for each of the page, and for print. */
const scale = 2;

type Attributes = Record<string, string | number>;
export type Picture = { svg: string; width: number; height: number };

/** drawPicture draws a chart as it is on screen, with its title, its time and the names of its lines. */
export function drawPicture(plot: SVGSVGElement, title: string, time: string, lines: readonly ChartLine[]): Picture {
  const { width: plotWidth, height: plotHeight } = plot.getBoundingClientRect();
  const width = plotWidth + 2 * padding;
  const height = titleHeight + plotHeight + lines.length * legendRow + 2 * padding;
  const legendTop = padding + titleHeight + plotHeight + 14;
  const inner = plot.cloneNode(true) as SVGSVGElement;
  setAll(inner, { x: padding, y: padding + titleHeight, width: plotWidth, height: plotHeight });
  const root = element("svg", { width, height, "font-family": getComputedStyle(plot).fontFamily, "font-size": 12 });
  root.append(
    element("rect", { width, height, fill: "var(--canvas)" }),
    text(title, { x: padding, y: padding + 12, fill: "var(--ink)", "font-size": 14, "font-weight": 600 }),
    text(time, { x: padding, y: padding + 32, fill: "var(--muted)" }),
    inner,
    ...lines.flatMap((line, i) => {
      const { colour, dash } = lineStyle(i);
      const y = legendTop + i * legendRow;
      return [
        element("path", {
          ...{ d: `M${padding},${y - 4}h20`, stroke: colour, "stroke-width": 2, "stroke-dasharray": dash },
        }),
        text(line.title, { x: padding + 28, y, fill: "var(--ink)" }),
      ];
    }),
  );
  return { svg: withColours(new XMLSerializer().serializeToString(root), plot), width, height };
}

/** toPng draws a picture as pixels. */
export async function toPng({ svg, width, height }: Picture): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser could not create the picture"))));
  });
}

/** withColours replaces the variables of the page's colours, which a file doesn't have. */
function withColours(svg: string, plot: SVGSVGElement): string {
  const style = getComputedStyle(plot);
  return svg.replaceAll(/var\((--[\w-]+)\)/g, (_, name: string) => style.getPropertyValue(name));
}

function element(name: string, attributes: Attributes): SVGElement {
  const created = document.createElementNS(svgSpace, name);
  setAll(created, attributes);
  return created;
}

function text(content: string, attributes: Attributes): SVGElement {
  const created = element("text", attributes);
  created.textContent = content;
  return created;
}

function setAll(target: SVGElement, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) target.setAttribute(name, String(value));
}
