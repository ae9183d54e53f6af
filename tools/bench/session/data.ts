import { type Result, result, wasMeasured } from "../result.ts";
import type { DataTurn } from "./measured.ts";
import { ours } from "./subjects.ts";

const withStore = "tcx direct, data in Redis";
const layer7 = ["HAProxy TLS with cookies", "nginx TLS with cookies"];
const required = [ours, withStore, ...layer7];
const versions = ["1.3", "1.2"] as const;

/** The size in the paper's figure 3. */
const paperBytes = 1 << 20;

/** The rate with the largest data must be at least this share of that with the smallest. */
const flat = 0.9;

/** nameOf names the requests of a turn. */
export const nameOf = ({ tls, bytes }: Pick<DataTurn, "tls" | "bytes">) => `TLS ${tls}, sessions of ${sizeOf(bytes)}`;

function sizeOf(bytes: number): string {
  return bytes < 1 << 20 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`;
}

/** judgeData compares the rates of ours with their bars. A ratio is of two turns of one round. */
export function judgeData(turns: DataTurn[], rounds: number, chosen: string[] = required): Result[] {
  if (rounds === 0) return [];
  const sizes = [...new Set(turns.map((turn) => turn.bytes))].sort((a, b) => a - b);
  const subjects = required.filter((subject) => chosen.includes(subject));
  return [
    ...subjects.map((subject) => wasMeasured(`${subject}, sessions`, roundsOf(turns, subject), rounds)),
    ...versions.flatMap((tls) => [
      ...subjects.flatMap((subject) => flatness(turns, subject, tls, sizes)),
      ...subjects.filter((subject) => subject !== ours).flatMap((other) => compared(turns, tls, other, sizes)),
    ]),
    ...subjects.flatMap((subject) => faults(turns, subject)),
    ...versions.flatMap((tls) => subjects.flatMap((subject) => figures(turns, subject, tls, sizes))),
  ];
}

function roundsOf(turns: DataTurn[], subject: string): number {
  return new Set(turns.filter((turn) => turn.subject === subject).map((turn) => turn.round)).size;
}

type One = Pick<DataTurn, "subject" | "tls" | "bytes">;

const isOne = (one: One) => (turn: DataTurn) =>
  turn.subject === one.subject && turn.tls === one.tls && turn.bytes === one.bytes;

const rateOf = (turn: DataTurn) => turn.requests / turn.seconds;

/** ratios are those of two measurements, by round. */
function ratios(turns: DataTurn[], one: One, to: One): number[] {
  const base = new Map(turns.filter(isOne(to)).map((turn) => [turn.round, rateOf(turn)]));
  return turns.filter(isOne(one)).flatMap((turn) => {
    const other = base.get(turn.round);
    return other ? [rateOf(turn) / other] : [];
  });
}

function flatness(turns: DataTurn[], subject: string, tls: DataTurn["tls"], sizes: number[]): Result[] {
  const [least, most] = [sizes[0] ?? 0, sizes.at(-1) ?? 0];
  const values = ratios(turns, { subject, tls, bytes: most }, { subject, tls, bytes: least });
  if (values.length === 0 || least === most) return [];
  const bar = subject === ours ? ({ at: "median", op: ">=", value: flat } as const) : undefined;
  return [result(subject, `TLS ${tls}, sessions of ${sizeOf(most)}, of ${sizeOf(least)}`, "ratio", values, bar)];
}

/** compared are the ratios of ours to another subject, which only a shared store must not reach. */
function compared(turns: DataTurn[], tls: DataTurn["tls"], other: string, sizes: number[]): Result[] {
  return sizes.flatMap((bytes) => {
    const values = ratios(turns, { subject: ours, tls, bytes }, { subject: other, tls, bytes });
    if (values.length === 0) return [];
    const hasBar = other === withStore && bytes >= paperBytes;
    const bar = hasBar ? ({ at: "median", op: ">=", value: 1 } as const) : undefined;
    return [result(ours, `${nameOf({ tls, bytes })}, of ${other}`, "ratio", values, bar)];
  });
}

function faults(turns: DataTurn[], subject: string): Result[] {
  const own = turns.filter((turn) => turn.subject === subject);
  if (own.length === 0) return [];
  const none = subject === ours ? ({ at: "max", op: "==", value: 0 } as const) : undefined;
  return [
    result(
      `${subject}, sessions`,
      "requests that failed in a turn",
      "failures",
      own.map((turn) => turn.failed),
      none,
    ),
    result(
      `${subject}, sessions`,
      "returns to a server without the session's data",
      "failures",
      own.map((turn) => turn.lostData ?? 0),
      none,
    ),
  ];
}

/** figures are the points of a chart: the rate and the latency by the size of the data. */
function figures(turns: DataTurn[], subject: string, tls: DataTurn["tls"], sizes: number[]): Result[] {
  return sizes.flatMap((bytes) => {
    const own = turns.filter(isOne({ subject, tls, bytes }));
    if (own.length === 0) return [];
    const name = nameOf({ tls, bytes });
    return [
      result(subject, name, "requests/s", own.map(rateOf)),
      result(
        subject,
        `${name}, p50`,
        "µs",
        own.map((turn) => turn.p50Microseconds),
      ),
      result(
        subject,
        `${name}, p99`,
        "µs",
        own.map((turn) => turn.p99Microseconds),
      ),
    ];
  });
}

/** explainData describes what failed. */
export function explainData(turns: DataTurn[]): string[] {
  return turns
    .filter((turn) => turn.failed > 0)
    .map((turn) => `${turn.subject}, ${nameOf(turn)}, round ${turn.round + 1}: ${turn.failed} failed: ${turn.because}`);
}
