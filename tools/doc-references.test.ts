import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const documents = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
  ...markdownIn("docs"),
  ...markdownIn("deploy"),
].filter((file) => existsSync(path.join(root, file)));
const recipes = path.join("docs", "how-to-add.md");
const declarations = [
  /\bfunction\*? (\w+)/g,
  /\bconst (\w+)(?:: [^=\n]+)? = (?:async )?(?:\(|\w+ =>)/g,
  /^ +(?:async |static )*(\w+)\([^\n]*\)(?:: [^\n]+)? \{$/gm, // a method
  /^func (?:\([^)]*\) )?(\w+)/gm,
];
const declared = readDeclared();

describe("every path and symbol in the documents exists", () => {
  it.each(documents)("%s", (document) => {
    const text = readFileSync(path.join(root, document), "utf8").replace(/```[\s\S]*?```/g, "");
    const missing = [...codeSpans(text).filter((span) => !isFine(span)), ...brokenLinks(document, text)];
    if (document === recipes) missing.push(...misplacedNames(text));
    expect(missing).toEqual([]);
  });
});

it("a file name in a recipe is in the folder of the last path before it", () => {
  const text = "`agents/internal/node/counters.go`, `procfs.go`; `packages/domain/src/node`: `node.ts`, `procfs.go`";
  expect(misplacedNames(text)).toEqual(["procfs.go"]);
});

it("a name that the sources only use, or that only tests declare, is not a symbol", () => {
  const spans = ["createExposure()", "datapath.Fresh()", "flatMap()", "createTestCluster()", "codeSpans()"];
  expect(spans.filter(isFine)).toEqual(["createExposure()", "datapath.Fresh()"]);
});

function codeSpans(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].flatMap((match) => (match[1] ? [match[1]] : []));
}

/** A span with a slash and an ending or a known first folder is a path; `name()` is a symbol; the rest is prose. */
function isFine(span: string): boolean {
  const symbol = /^([A-Za-z][\w.]*)\(\)$/.exec(span)?.[1];
  if (symbol) return declared.has(symbol.split(".").at(-1) ?? symbol);
  return !isPath(span) || existsSync(path.join(root, span));
}

function isPath(span: string): boolean {
  return /^(apps|packages|prisma|agents|docs|deploy|tools|\.ci)\//.test(span) && !/[*{<…\s]/.test(span);
}

/** In the recipes, a file name without a folder is in the folder of the last path before it. */
function misplacedNames(text: string): string[] {
  let folder = "";
  return codeSpans(text).filter((span) => {
    if (isPath(span)) folder = path.extname(span) ? path.dirname(span) : span;
    const isName = /^\w[\w.-]*\.(tsx?|go|proto|sql)$/.test(span);
    return isName && !existsSync(path.join(root, folder, span));
  });
}

function brokenLinks(document: string, text: string): string[] {
  return [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)]
    .flatMap((match) => (match[1] ? [match[1]] : []))
    .filter((link) => !existsSync(path.join(root, path.dirname(document), link)));
}

function markdownIn(folder: string): string[] {
  if (!existsSync(path.join(root, folder))) return [];
  return readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => path.join(folder, file));
}

/** readDeclared returns the names of all functions and methods that the sources declare, without tests and generated code. */
function readDeclared(): Set<string> {
  const files = execFileSync(
    "git",
    ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.tsx", "*.go", "*.mjs"],
    { cwd: root, encoding: "utf8", maxBuffer: 16_000_000 },
  );
  const names = files
    .split("\n")
    .filter((file) => file && !isTestOrMade(file) && existsSync(path.join(root, file)))
    .map((file) => readFileSync(path.join(root, file), "utf8"))
    .flatMap((text) => declarations.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? "")));
  return new Set(names);
}

function isTestOrMade(file: string): boolean {
  return /generated|\.(test|spec)\.tsx?$|_test\.go$|\/(testing|e2e)\//.test(file);
}
