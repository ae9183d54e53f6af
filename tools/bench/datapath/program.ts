import { buildPrograms, runLines } from "../programs.ts";
import { type Measured, parseLines } from "./measured.ts";

/** runProgram builds `fairlead-bench`, runs it to its end and answers what it measured. */
export async function runProgram(root: string, args: string[], heard: (line: Measured) => void): Promise<Measured> {
  const lines = await buildPrograms(root, ["fairlead-bench"], ([bench]) =>
    runLines(bench, args, (line) => heard(parseLines(line))),
  );
  return parseLines(lines.join("\n"));
}
