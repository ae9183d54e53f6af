import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Family } from "../announce/own-ends.ts";
import { asMapError } from "../errors.ts";
import type { Env } from "./env.ts";
import { Exit } from "./exit.ts";
import { type Format, formats, type RenderOptions } from "./formats.ts";

export const usage = `fairlead-client announce: write a server's announced address to a file, as soon as it has an external address

  --url URL            URL of the control plane; or FAIRLEAD_URL
  --api-key-file FILE  file with an API key that may read the map; or FAIRLEAD_API_KEY
  --exposure ID        ID of the exposure
  --instance NAME      name of the instance or of its pod
  --format FORMAT      ${formats.join(", ")}
  --out FILE           file to replace atomically; - is standard output
  --wait 5m            how long to wait for the address (0: no limit)
  --family 4           4 or 6, for an instance that has both
  --port PORT          port for clients, if not the default of the format
  --tls-port PORT      redis: port for clients with TLS
  --bus-port PORT      redis: cluster bus port (default PORT + 10000)
  --between internal   redis: nodes use internal addresses among themselves
  --listener NAME=PORT kafka: listener for external clients (default EXTERNAL=9094); repeatable
  --also LISTENER      kafka: listener to keep unchanged, NAME://host:port; repeatable
  --prefix NAME        env: prefix of the variable names (default EXTERNAL)
  --watch              keep running, and write the file again after each change
  --signal HUP         with --watch: signal for the process in --pid-file after each change
  --pid-file FILE      file with the process ID
  -- COMMAND …         command to run after each write, without a shell

Exit codes: 0 file written, 1 unexpected error, 2 invalid arguments, 3 refused by the control plane, 4 no address within
--wait, 5 file can't be written, 6 COMMAND or signal failed.
`;

export type AnnounceArguments = {
  url: string;
  apiKey: string | undefined;
  exposureId: string;
  instance: string;
  family: Family;
  format: Format;
  out: string;
  waitMs: number;
  watch: boolean;
  after: { command: string[]; signal: NodeJS.Signals | null; pidFile: string | null };
  render: RenderOptions;
};

const text = { type: "string" } as const;
const list = { type: "string", multiple: true } as const;
const known = {
  ...{ url: text, "api-key-file": text, exposure: text, instance: text, format: text, out: text, wait: text },
  ...{ family: text, port: text, "tls-port": text, "bus-port": text, between: text, prefix: text },
  ...{ listener: list, also: list, signal: text, "pid-file": text },
  watch: { type: "boolean" },
} as const;

/** readArguments parses the arguments after `announce`, and throws a usage error for invalid ones. */
export function readArguments(args: readonly string[], env: Env): AnnounceArguments {
  const dashes = args.indexOf("--");
  const own = dashes < 0 ? args : args.slice(0, dashes);
  const command = dashes < 0 ? [] : args.slice(dashes + 1);
  const values = parse(own);
  const format = formats.find((each) => each === need(values.format, "format"));
  if (!format) throw new Exit("usage", `--format must be one of ${formats.join(", ")}.`);
  const signal = readSignal(values.signal);
  if ((signal === null) !== (values["pid-file"] === undefined))
    throw new Exit("usage", "--signal and --pid-file must be used together.");
  if (dashes >= 0 && command.length === 0) throw new Exit("usage", "A command is expected after --.");
  return {
    url: need(values.url ?? env.url, "url, or FAIRLEAD_URL"),
    apiKey: values["api-key-file"] === undefined ? env.apiKey : readKey(values["api-key-file"]),
    exposureId: need(values.exposure, "exposure"),
    instance: need(values.instance, "instance"),
    family: oneOf(values.family ?? "4", ["4", "6"], "family") === "6" ? 6 : 4,
    format,
    out: need(values.out, "out"),
    waitMs: readDuration(values.wait ?? "5m"),
    watch: values.watch ?? false,
    after: { command, signal, pidFile: values["pid-file"] ?? null },
    render: {
      ...optional("port", readPort(values.port, "port")),
      ...optional("tlsPort", readPort(values["tls-port"], "tls-port")),
      ...optional("busPort", readPort(values["bus-port"], "bus-port")),
      between: oneOf(values.between ?? "external", ["external", "internal"], "between"),
      listeners: (values.listener ?? []).map(readListener),
      also: values.also ?? [],
      ...optional("prefix", readPrefix(values.prefix)),
    },
  };
}

/** readDuration reads 500ms, 30s, 5m, 2h or a bare 0. */
export function readDuration(text: string): number {
  const [, digits = "", unit = ""] = /^(\d{1,7})(ms|s|m|h)$/.exec(text) ?? [];
  if (digits) return Number(digits) * ({ ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }[unit] ?? 1);
  if (text === "0") return 0;
  throw new Exit("usage", "--wait must be a duration such as 30s or 5m.");
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: known, allowPositionals: false }).values;
  } catch (error) {
    throw new Exit("usage", asMapError(error).message);
  }
}

function need(value: string | undefined, name: string): string {
  if (value) return value;
  throw new Exit("usage", `--${name} is missing.`);
}

function oneOf<const T extends string>(value: string, options: readonly T[], name: string): T {
  const found = options.find((each) => each === value);
  if (found) return found;
  throw new Exit("usage", `--${name} must be one of ${options.join(", ")}.`);
}

function readPort(value: string | undefined, name: string): number | undefined {
  if (value === undefined) return undefined;
  const port = /^\d{1,5}$/.test(value) ? Number(value) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new Exit("usage", `--${name} must be a port from 1 to 65535.`);
}

function readListener(value: string): { name: string; port: number } {
  const [name = "", digits] = value.split("=");
  const port = readPort(digits ?? "", "listener NAME=PORT: PORT") ?? 0;
  return { name, port };
}

function readPrefix(value: string | undefined): string | undefined {
  if (value === undefined || /^[A-Za-z_][A-Za-z0-9_]*$/.test(value)) return value;
  throw new Exit("usage", "--prefix must be a valid variable name: letters, digits and _, not starting with a digit.");
}

function readSignal(value: string | undefined): NodeJS.Signals | null {
  if (value === undefined) return null;
  const name = value.toUpperCase().replace(/^SIG/, "");
  return `SIG${oneOf(name, ["HUP", "USR1", "USR2", "TERM", "INT"], "signal")}`;
}

function readKey(file: string): string {
  try {
    const key = readFileSync(file, "utf8").trim();
    if (key) return key;
  } catch (error) {
    throw new Exit("usage", `--api-key-file: ${asMapError(error).message}`);
  }
  throw new Exit("usage", `--api-key-file: ${file} is empty.`);
}

function optional<K extends string, V>(name: K, value: V | undefined): { [key in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { [key in K]?: V });
}
