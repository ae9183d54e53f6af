import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

/** The cost of one packet that the kernel runs again and again in a program, and in an empty one. */
export type Loop = { subject: string; nanoseconds: number; emptyNanoseconds: number };

const run = promisify(execFile);

/** runLoops runs the Go benchmarks of the programs, which need their maps, so that they are tests of that package. */
export async function runLoops(root: string, rounds: number, packets: number): Promise<Loop[]> {
  const args = ["test", "-run=^$", "-vet=off", "-bench=^Benchmark(Packet|Translation)$", `-benchtime=${packets}x`];
  const { stdout } = await run("go", [...args, `-count=${rounds}`, "./internal/balancer/datapath/bpf"], {
    cwd: path.join(root, "agents"),
    env: { ...process.env, CGO_ENABLED: "0" },
  });
  return parseLoops(stdout);
}

/** parseLoops parses the lines `BenchmarkName/sub-2  count  value unit  value unit …`. */
export function parseLoops(text: string): Loop[] {
  return text.split("\n").flatMap((line) => {
    const [, kind, name, values = ""] =
      /^Benchmark(Packet|Translation)\/(\S+?)(?:-\d+)?\s+\d+\s+(.+)$/.exec(line) ?? [];
    if (!name) return [];
    const subject = `${kind === "Translation" ? "tcx nat " : ""}${name.replaceAll("/", " ")}`;
    return [{ subject, nanoseconds: valueIn(values, "ns/packet"), emptyNanoseconds: valueIn(values, "ns/empty") }];
  });
}

function valueIn(values: string, unit: string): number {
  const words = values.trim().split(/\s+/);
  const value = Number(words[words.indexOf(unit) - 1]);
  if (Number.isNaN(value)) throw new Error(`No ${unit} in the output of a benchmark: ${values}`);
  return value;
}
