import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { findChromium } from "../test/needs/chromium.ts";

// `npm run screens`: pictures of every page in light and dark, on a wide and a narrow screen; empty, filled, and failing.
// Words after -- select tests by their title.
const root = path.resolve(import.meta.dirname, "../..");
const folder = path.join(root, ".test/screens");
const words = process.argv.slice(2);
const only = words.length > 0 ? ["--grep", words.join("|")] : [];

if (only.length === 0) rmSync(folder, { recursive: true, force: true });
const ran = spawnSync(
  "playwright",
  ["test", "--config", "apps/web/e2e/screens.config.ts", "--reporter=line", ...only],
  {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      CHROMIUM: await findChromium(),
      PATH: `${path.join(root, "node_modules/.bin")}:${process.env.PATH ?? ""}`,
    },
  },
);
mkdirSync(folder, { recursive: true });
const pictures = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((each) => each.endsWith(".png"));
writeFileSync(path.join(folder, "index.html"), contactSheet(pictures.sort()));
console.log(`${pictures.length} pictures: ${path.join(folder, "index.html")}`);
process.exitCode = ran.status ?? 1;

function contactSheet(names: readonly string[]): string {
  const figures = names.map(
    (name) =>
      `<figure><a href="${name}"><img src="${name}" loading="lazy" alt=""></a><figcaption>${name}</figcaption></figure>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>Screens</title>
<style>body{font:12px sans-serif;display:flex;flex-wrap:wrap;gap:16px}figure{margin:0}img{height:320px;border:1px solid #999}</style>
${figures.join("\n")}
`;
}
