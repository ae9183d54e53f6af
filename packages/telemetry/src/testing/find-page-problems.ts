import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

const agents = path.resolve(import.meta.dirname, "../../../../agents");

/** findPageProblems returns what promtool check metrics would report about a metrics page. It needs Go. */
export async function findPageProblems(page: string): Promise<string[]> {
  const linted = promisify(execFile)("go", ["run", "./internal/exposition/lint"], { cwd: agents });
  linted.child.stdin?.end(page);
  const { stdout } = await linted;
  return stdout.split("\n").filter(Boolean);
}
