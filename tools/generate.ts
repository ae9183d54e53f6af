import { spawnSync } from "node:child_process";
import path from "node:path";

// `npm run generate`: remakes all code that is generated and committed. CI runs it and fails on a difference.
const root = path.resolve(import.meta.dirname, "..");
const env = { ...process.env, PATH: `${path.join(root, "node_modules/.bin")}:${process.env.PATH ?? ""}` };
const isCheck = process.argv.includes("--check");
const hasClang = spawnSync("clang-16", ["--version"]).status === 0;
if (isCheck && !hasClang) {
  console.error("Whether the eBPF programs are up to date can't be told without clang-16: apt-get install clang-16");
  process.exit(1);
}

run("Prisma client", "prisma", ["generate"]);
run("agent protocol, Go and TypeScript", path.join(root, "agents/generate"), []);
const bpf = "agents/internal/balancer/datapath/bpf";
// Only whoever changes the C needs its compiler; the objects are committed.
if (hasClang) run("eBPF programs", "go", ["generate", "."], bpf);
else console.log("• eBPF programs: left as they are, for clang-16 is not installed");

if (isCheck) {
  const generated = [
    "packages/db/src/generated",
    "packages/agent-protocol/src/generated",
    "agents/internal/gen",
    `${bpf}/*_bpfel.*`,
  ];
  const { stdout } = spawnSync("git", ["status", "--porcelain", "--", ...generated], { cwd: root, encoding: "utf8" });
  if (stdout.trim()) {
    console.error(`Generated code differs from what is committed; run npm run generate and commit:\n${stdout}`);
    process.exit(1);
  }
  console.log("Generated code is what the generators make.");
}

function run(what: string, command: string, args: string[], folder = "."): void {
  console.log(`• ${what}`);
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: path.join(root, folder),
    env,
    encoding: "utf8",
  });
  if (status === 0) return;
  console.error(error?.message ?? `${stdout}${stderr}`);
  process.exit(1);
}
