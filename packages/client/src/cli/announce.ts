import { ownEnds } from "../announce/own-ends.ts";
import { asMapError, MapError } from "../errors.ts";
import { writeAtomically } from "../files/write-atomically.ts";
import type { AddressMap } from "../map/address-map.ts";
import { AddressMapper } from "../mapper/address-mapper.ts";
import { runAfter } from "./after.ts";
import type { AnnounceArguments } from "./arguments.ts";
import { Exit, exitFor } from "./exit.ts";
import { renderAnnouncement } from "./formats.ts";

export type Terminal = { out: (text: string) => void; err: (line: string) => void };

const maxStartMs = 3_600_000;

/** announce writes the file as soon as the instance has an external address; with `watch`, also after each change. */
export async function announce(given: AnnounceArguments, terminal: Terminal, stop: AbortSignal): Promise<void> {
  const mapper = openMapper(given);
  mapper.onProblem((error) => terminal.err(error.message));
  const ends = new AbortController();
  const deadline = given.waitMs === 0 ? null : setTimeout(() => ends.abort(), given.waitMs);
  stop.addEventListener("abort", () => ends.abort(), { once: true });
  if (stop.aborted) ends.abort();
  try {
    await startWithin(mapper, ends.signal);
    let written: string | null = null;
    for await (const map of mapper.changes(ends.signal)) {
      const text = renderOwn(map, given, written, terminal);
      if (text === null || text === written) continue;
      await write(given.out, text, terminal);
      clearTimeout(deadline ?? undefined);
      await notifyServer(given, written === null, terminal);
      written = text;
      if (!given.watch) return;
    }
    if (written === null && !stop.aborted)
      throw new Exit("timedOut", `${given.instance} had no external address within --wait.`);
  } catch (error) {
    throw error instanceof MapError ? new Exit(exitFor(error.kind), error.message) : error;
  } finally {
    clearTimeout(deadline ?? undefined);
    await mapper.stop();
  }
}

function openMapper({ url, apiKey, exposureId, waitMs }: AnnounceArguments): AddressMapper {
  try {
    const startTimeoutMs = waitMs === 0 ? maxStartMs : Math.min(waitMs, maxStartMs);
    return new AddressMapper({ url, exposureId, startTimeoutMs, ...(apiKey === undefined ? {} : { apiKey }) });
  } catch (error) {
    throw new Exit("usage", asMapError(error).message);
  }
}

/** An abort stops the mapper at once; the resulting "stopped" error means that --wait expired. */
async function startWithin(mapper: AddressMapper, signal: AbortSignal): Promise<void> {
  const end = () => void mapper.stop();
  signal.addEventListener("abort", end, { once: true });
  try {
    await mapper.start();
  } catch (error) {
    if (asMapError(error).kind !== "stopped") throw error;
    throw new Exit("timedOut", "No address map was received within --wait.");
  } finally {
    signal.removeEventListener("abort", end);
  }
}

/** The first announcement must succeed. Later the file stays unchanged on an error, and the error is printed. */
function renderOwn(
  map: AddressMap,
  given: AnnounceArguments,
  written: string | null,
  terminal: Terminal,
): string | null {
  const own = ownEnds(map.entries, given.instance, given.family);
  if (!own) {
    if (written === null) terminal.err(`${given.instance} has no external address yet.`);
    return null;
  }
  try {
    return renderAnnouncement(own, given);
  } catch (error) {
    if (written === null) throw error;
    terminal.err(asMapError(error).message);
    return null;
  }
}

async function write(out: string, text: string, terminal: Terminal): Promise<void> {
  if (out === "-") {
    terminal.out(text);
    return;
  }
  try {
    await writeAtomically(out, text, 0o644);
  } catch (error) {
    throw new Exit("notWritten", `${out} can't be written: ${asMapError(error).message}.`);
  }
}

/** With --watch, a failed notification after the first must not end the watch: the next change tries again. */
async function notifyServer({ after, watch }: AnnounceArguments, isFirst: boolean, terminal: Terminal): Promise<void> {
  try {
    await runAfter(after, isFirst);
  } catch (error) {
    if (!watch || isFirst) throw error;
    terminal.err(asMapError(error).message);
  }
}
