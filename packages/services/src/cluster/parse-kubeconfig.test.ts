import { describe, expect, it } from "vitest";
import { parseKubeconfig } from "./parse-kubeconfig.ts";

const problem = (text: string) => {
  const read = parseKubeconfig(text);
  return "problem" in read ? read.problem : "";
};

describe("the text of a kubeconfig", () => {
  it("is YAML, or JSON, which is YAML too", () => {
    const document = { kind: "Config", clusters: [{ name: "a", cluster: { server: "https://x" } }], preferences: {} };
    const yaml = "# mine\nkind: Config\nclusters:\n- name: a\n  cluster:\n    server: https://x\npreferences: {}\n";
    expect(parseKubeconfig(yaml)).toEqual({ document });
    expect(parseKubeconfig(JSON.stringify(document))).toEqual({ document });
    expect(parseKubeconfig(`---\n${yaml}`)).toEqual({ document });
  });

  it("may have a field with a meaning in JavaScript, which has no effect", () => {
    const read = parseKubeconfig("__proto__:\n  kind: Config\nconstructor: x\n");
    expect("document" in read && Object.getPrototypeOf(read.document)).toBe(Object.prototype);
    expect(Object.hasOwn("document" in read ? (read.document as object) : {}, "kind")).toBe(false);
  });

  it.each([
    ["nothing", "", /^It is empty/],
    ["only a comment", "# hello\n", /^(It is empty|)/],
    ["no YAML", "kind: Config\n  clusters: [\n", /^This is no YAML from line \d on/],
    ["a tab for indentation", "a:\n\t- b\n", /^This is no YAML from line 2 on/],
    ["several documents", "kind: Config\n---\nkind: Config\n", /^There are 2 YAML documents in it/],
    ["aliases", "a: &x [1]\nb: *x\n", /anchors|aliases/],
    ["an alias of nothing", "b: *x\n", /aliases/],
    ["merge keys", "a:\n  <<: {b: 1}\n", /^It has merge keys/],
    ["tags", "a: !!js/function 'x'\n", /tags|no YAML/],
    ["a binary tag", "a: !!binary aGVsbG8=\n", /^It has tags/],
    ["a tag on a map", "!!map\na: 1\n", /^It has tags/],
    ["the same field twice", "kind: Config\nkind: Secret\n", /^It has the field kind twice in one place/],
    ["the same field twice in JSON", '{"users": [], "users": []}', /^It has the field users twice/],
    ["a field that is no text", "? [1, 2]\n: x\n", /whose name is no text/],
  ])("is refused with an explanation: %s", (_, text, words) => {
    expect(problem(text)).toMatch(words);
  });

  it("never repeats a value in an error", () => {
    for (const text of [
      "token: s3cr3t\n  x: [",
      "token: s3cr3t\ntoken: s3cr3t\n",
      "token: &a s3cr3t\n",
      "token: !!x s3cr3t\n",
    ])
      expect(problem(text)).toMatch(/^(?!.*s3cr3t).+/);
  });

  // The longest accepted input.
  const most = 400_000;
  const withinMs = 4_000;
  // A stall of the machine makes one try slow and never fast, so the fastest counts.
  const mostTries = 3;
  it.each<[string, string]>([
    [
      "an alias bomb",
      `a: &a [x]\n${Array.from({ length: 26 }, (_, i) => `b${i}: &b${i} [${`*${i ? `b${i - 1}` : "a"},`.repeat(20)}]`).join("\n")}`,
    ],
    ["lists within lists", "[".repeat(most)],
    ["lists within lists, a line each", "[\n".repeat(most / 2)],
    ["maps within maps", "{a: ".repeat(most / 4)],
    ["dashes within dashes", "- ".repeat(most / 2)],
    ["questions within questions", "? ".repeat(most / 2)],
    ["ever deeper lines", Array.from({ length: 800 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")],
    ["a hundred thousand fields", Array.from({ length: most / 8 }, (_, i) => `k${i}: 1`).join("\n")],
    ["a hundred thousand entries", "- 1\n".repeat(most / 4)],
    ["a hundred thousand documents", "---\n".repeat(most / 4)],
    ["a hundred thousand errors", "a: b: c\n".repeat(most / 8)],
    ["a hundred thousand anchors", Array.from({ length: most / 10 }, (_, i) => `- &a${i} x`).join("\n")],
    ["a hundred thousand tags", "- !t x\n".repeat(most / 8)],
    ["one long line", "a".repeat(most)],
    ["one long quoted line", `"${"\\n".repeat(most / 2)}`],
    ["a block that never ends", `a: |\n${" x\n".repeat(most / 3)}`],
    ["colons", ":".repeat(most)],
    ["quotes", "'".repeat(most)],
  ])("is fast on %s, at the longest accepted length or cut where it is still parsed", (_, text) => {
    for (const each of [text.slice(0, most), upToMarks(text, 9_990)]) {
      const tookMs: number[] = [];
      while (tookMs.length < mostTries && !tookMs.some((each) => each < withinMs)) {
        const began = performance.now();
        parseKubeconfig(each);
        tookMs.push(performance.now() - began);
      }
      expect(Math.min(...tookMs), `${tookMs.map(Math.round).join(", ")} ms`).toBeLessThan(withinMs);
    }
  });
});

function upToMarks(text: string, count: number): string {
  const found = [...text.matchAll(/[\n\r,:[\]{}?&*!|>]|- /g)];
  return text.slice(0, found[count]?.index ?? text.length);
}
