import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { copyCheckout, differingFiles } from "./generated-copy.ts";

// `npm run generate` regenerates all generated code that is committed. With --check it does so in a copy, because other
// programs may be reading these files, and fails on a difference.
const root = path.resolve(import.meta.dirname, "..");
const isCheck = process.argv.includes("--check");
const hasClang = spawnSync("clang-16", ["--version"]).status === 0;
const programs = ["agents/internal/balancer/datapath/bpf/program", "agents/internal/adaptive/program"];
const generated = ["packages/db/src/generated/", "packages/agent-protocol/src/generated/", "agents/internal/gen/"];
const isGenerated = (file: string) =>
  generated.some((folder) => file.startsWith(folder)) ||
  programs.some((folder) => file.startsWith(`${folder}/`) && file.includes("_bpfel."));

if (isCheck && !hasClang) {
  console.error("The eBPF programs can't be checked without clang-16: apt-get install clang-16");
  process.exit(1);
}
process.exitCode = isCheck ? check() : generate(root);

function check(): number {
  const copy = copyCheckout(root);
  try {
    const code = generate(copy);
    const differing = code === 0 ? differingFiles(root, copy, isGenerated) : [];
    if (differing.length > 0)
      console.error(
        `Generated code differs from what is committed; run npm run generate and commit:\n${differing.join("\n")}`,
      );
    else if (code === 0) console.log("Generated code is up to date.");
    return differing.length > 0 ? 1 : code;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** generate returns the exit code of the first generator that fails, or 0. */
function generate(folder: string): number {
  const steps: [what: string, command: string, args: string[], cwd?: string][] = [
    ["Prisma client", "prisma", ["generate"]],
    ["agent protocol, Go and TypeScript", path.join(folder, "agents/generate"), []],
    ["limits of the simulator, for Go", process.execPath, [path.join(folder, "tools/generate-limits.ts"), folder]],
    // The C compiler is needed only to change these programs: the objects are committed.
    ...(hasClang ? programs : []).map(
      (folder) =>
        [`eBPF programs in ${folder}`, "go", ["generate", "."], folder] satisfies [string, string, string[], string],
    ),
  ];
  if (!hasClang) console.log("• eBPF programs: not regenerated, because clang-16 is not installed");
  const env = { ...process.env, PATH: `${path.join(folder, "node_modules/.bin")}:${process.env.PATH ?? ""}` };
  for (const [what, command, args, cwd = "."] of steps) {
    console.log(`• ${what}`);
    const ran = spawnSync(command, args, { cwd: path.join(folder, cwd), env, encoding: "utf8" });
    if (ran.status === 0) continue;
    console.error(ran.error?.message ?? `${ran.stdout}${ran.stderr}`);
    return 1;
  }
  return 0;
}
