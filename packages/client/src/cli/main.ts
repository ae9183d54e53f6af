#!/usr/bin/env node
import { announce } from "./announce.ts";
import { readArguments, usage } from "./arguments.ts";
import { readEnv } from "./env.ts";
import { Exit, exitCodes } from "./exit.ts";

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());

const terminal = {
  out: (text: string) => process.stdout.write(text),
  err: (line: string) => process.stderr.write(`fairlead-client: ${line}\n`),
};

process.exitCode = await main(process.argv.slice(2));

async function main([command, ...args]: string[]): Promise<number> {
  // Arguments after -- belong to the other command.
  const own = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  if (command === undefined || [command, ...own].some((each) => each === "--help" || each === "-h")) {
    terminal.out(usage);
    return command === undefined ? exitCodes.usage : exitCodes.done;
  }
  try {
    if (command !== "announce") throw new Exit("usage", `Unknown command ${command}: expected announce.`);
    await announce(readArguments(args, readEnv()), terminal, stop.signal);
    return exitCodes.done;
  } catch (error) {
    terminal.err(error instanceof Error ? error.message : String(error));
    return error instanceof Exit ? error.code : exitCodes.broken;
  }
}
