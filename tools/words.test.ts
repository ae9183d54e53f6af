import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 16_000_000,
})
  .split("\n")
  .filter((file) => /\.(ts|tsx|go|c|h|md|prisma|proto|sql)$/.test(file))
  .filter((file) => !/\/generated\/|internal\/gen\/|words\.test\.ts$/.test(file) && existsSync(path.join(root, file)));

/**
 * Words that readers stumble over, in any form and in names too, with the lines that may have them for another reason. Use the
 * industry's word instead: docs/reference/glossary.md.
 */
const allowed: Record<string, number> = {
  wish: 0,
  notebook: 0,
  weather: 0,
  reckon: 0,
  gossip: 0,
  bygone: 0,
  newcomer: 0,
  whoever: 0,
  anybody: 0,
  somebody: 0,
  "by chance": 0,
  told: 0,
  anew: 0,
  // One spelling of each: data centre, enrols, and the straight apostrophe.
  datacentre: 0,
  // FRR's own.
  datacenter: 2,
  enrolls: 0,
  "\u2019": 0,
  greet: 0,
  said: 0,
  laborator: 0,
  // The changelog names a metric that was renamed.
  stranger: 1,
  // "endless one"
  lesson: 1,
  // A CPU's guest time.
  guest: 2,
  // The Unix user.
  nobody: 27,
};

/** The same, for TypeScript only. */
const allowedInTypeScript: Record<string, number> = {
  tell: 0,
  tells: 0,
  hear: 0,
  hears: 0,
  believe: 0,
  everybody: 0,
};

/** Words that are parts of others, such as threshold. */
const alone = ["told", "anew", "said", "tell", "tells", "hear", "hears"];
const linesOf = (these: string[]) => these.flatMap((file) => read(file).toLowerCase().split("\n"));
const lines = linesOf(files);
const typeScript = linesOf(files.filter((file) => /\.tsx?$/.test(file)));

it.each([
  ...Object.entries(allowed).map(([word, count]) => [word, count, "all files", lines] as const),
  ...Object.entries(allowedInTypeScript).map(([word, count]) => [word, count, "TypeScript", typeScript] as const),
])("%s is on at most %i lines of %s", (word, count, _, where) => {
  const pattern = new RegExp(alone.includes(word) ? `\\b${word}\\b` : word);
  expect(where.filter((line) => pattern.test(line)).length).toBeLessThanOrEqual(count);
});

it("internet is in lower case", () => {
  expect(files.filter((file) => /\bthe Internet\b/.test(read(file)))).toEqual([]);
});

it("the README has at most 600 words", () => {
  expect(read("README.md").split(/\s+/).length).toBeLessThanOrEqual(600);
});
