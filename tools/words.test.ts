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
  .filter((file) => !/generated|internal\/gen\/|words\.test\.ts$/.test(file) && existsSync(path.join(root, file)));

/** Words that readers stumble over, in any form and in names too. Lower a number when a word is gone from more lines, never raise one. */
const most: Record<string, number> = {
  wish: 0,
  notebook: 0,
  weather: 14,
  reckon: 32,
  liar: 8,
  gossip: 7,
  bygone: 19,
  newcomer: 21,
  guest: 20,
  stranger: 103,
  lesson: 20,
  whoever: 207,
  anybody: 65,
  somebody: 193,
  nobody: 506,
  anew: 153,
};

const lines = files.flatMap((file) => read(file).split("\n"));

it.each(Object.entries(most))("%s is on at most %i lines", (word, count) => {
  expect(lines.filter((line) => line.toLowerCase().includes(word)).length).toBeLessThanOrEqual(count);
});

it("the README has at most 600 words", () => {
  expect(read("README.md").split(/\s+/).length).toBeLessThanOrEqual(600);
});
