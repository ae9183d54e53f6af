import { buildPrograms, runLines } from "../programs.ts";
import { type Measured, parseLines } from "./measured.ts";

/** runProgram builds `fairlead-bench`, runs it to its end and returns its measurements. */
export async function runProgram(root: string, args: string[], onLine: (line: Measured) => void): Promise<Measured> {
  const lines = await buildPrograms(root, ["fairlead-bench"], ([bench]) =>
    runLines(bench, args, (line) => onLine(parseLines(line))),
  );
  return parseLines(lines.join("\n"));
}
