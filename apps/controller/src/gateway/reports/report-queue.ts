import { Limit } from "@fairlead/agent-protocol";
import { DomainError } from "@fairlead/domain";
import { describeOutage } from "@fairlead/services";
import {
  isRefusedData,
  lacksPartition,
  missesObject,
  type ReceivedReport,
  type ReportOutcome,
  type ReportStore,
  recordReports,
} from "@fairlead/services/gateway";
import type { Log } from "@fairlead/telemetry";

type Entry = {
  received: ReceivedReport;
  weight: number;
  /** Aborts when the agent no longer waits for the answer. It repeats the report later. */
  signal: AbortSignal;
  resolve: (outcome: ReportOutcome) => void;
  reject: (error: unknown) => void;
};

const most = {
  /** How long the first report of a batch waits for others. */
  lingerMs: 50,
  batchWeight: 20_000,
  /** Agents time out and repeat a report, which is then stored twice. So the queue must stay far shorter than that. */
  waitMs: Limit.CALL_MS / 4,
} as const;

/** The initial estimate of what the database stores per second: that of a slow one. */
const firstGuess = 20_000;

/** A report without points costs about as much as these many points. */
const reportWeight = 20;

/**
 * ReportQueue stores the reports of all agents in batches: those that arrive while a batch is being written form the
 * next one. Each is answered after its batch is committed. When the database can't keep up, new ones are rejected;
 * agents keep them and retry.
 */
export class ReportQueue {
  readonly #store: ReportStore;
  readonly #log: Log;
  #waiting: Entry[] = [];
  #waitingWeight = 0;
  #writing: Promise<void> | null = null;
  #linger: NodeJS.Timeout | undefined;
  #stopped = false;
  /** The queue contains a report that must not wait for others. */
  #hurries = false;
  /** How much weight was recently stored per second. */
  #rate = firstGuess;
  readonly #onBatch: (reports: number, points: number, seconds: number) => void;

  constructor(
    store: ReportStore,
    log: Log,
    onBatch: (reports: number, points: number, seconds: number) => void = () => {},
  ) {
    this.#store = store;
    this.#log = log;
    this.#onBatch = onBatch;
  }

  get waitingWeight(): number {
    return this.#waitingWeight;
  }

  submit(received: ReceivedReport, signal: AbortSignal): Promise<ReportOutcome> {
    if (this.#stopped)
      throw new DomainError("unavailable", "This gateway is shutting down; report again.", { retryAfterSeconds: 1 });
    const weight = reportWeight + pointsOf(received);
    if (this.#waitingWeight > Math.max(most.batchWeight, (this.#rate * most.waitMs) / 1_000))
      throw new DomainError("exhausted", "More reports arrive than can be stored; keep this one and report again.", {
        retryAfterSeconds: 5,
      });
    return new Promise((resolve, reject) => {
      this.#waiting.push({ received, weight, signal, resolve, reject });
      this.#waitingWeight += weight;
      // An inventory decides where traffic goes, so it must not wait.
      this.#hurries ||= received.report.inventory !== null;
      this.#plan();
    });
  }

  /** stop rejects new reports and writes those in the queue. */
  async stop(): Promise<void> {
    this.#stopped = true;
    while (this.#writing || this.#waiting.length > 0) await (this.#writing ?? this.#write());
  }

  #plan(): void {
    if (this.#writing) return;
    if (this.#hurries || this.#waitingWeight >= most.batchWeight) void this.#write();
    else this.#linger ??= setTimeout(() => void this.#write(), most.lingerMs);
  }

  #write(): Promise<void> {
    clearTimeout(this.#linger);
    this.#linger = undefined;
    this.#writing ??= this.#storeBatch(this.#take()).finally(() => {
      this.#writing = null;
      if (this.#waiting.length > 0) this.#plan();
    });
    return this.#writing;
  }

  #take(): Entry[] {
    let weight = 0;
    let count = 0;
    while (count < this.#waiting.length && weight < most.batchWeight) weight += this.#waiting[count++]?.weight ?? 0;
    const batch = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    this.#hurries = this.#waiting.some(({ received }) => received.report.inventory !== null);
    this.#waitingWeight -= weight;
    const gone = batch.filter(({ signal }) => signal.aborted);
    for (const entry of gone) entry.reject(entry.signal.reason);
    return gone.length === 0 ? batch : batch.filter(({ signal }) => !signal.aborted);
  }

  async #storeBatch(batch: Entry[]): Promise<void> {
    if (batch.length === 0) return;
    const started = performance.now();
    try {
      const outcomes = await this.#record(batch.map((entry) => entry.received));
      batch.forEach((entry, index) => {
        const outcome = outcomes[index];
        if (outcome) entry.resolve(outcome);
      });
      this.#measure(batch, (performance.now() - started) / 1_000);
    } catch (error) {
      await this.#findCulprit(batch, error);
    }
  }

  #measure(batch: Entry[], seconds: number): void {
    const weight = batch.reduce((sum, entry) => sum + entry.weight, 0);
    // The time for a small batch is a poor estimate of that for a full one.
    const share = 0.3 * Math.min(1, weight / most.batchWeight);
    this.#rate += share * (weight / seconds - this.#rate);
    this.#onBatch(batch.length, weight - batch.length * reportWeight, seconds);
  }

  async #record(received: ReceivedReport[]): Promise<ReportOutcome[]> {
    try {
      return await recordReports(this.#store, received);
    } catch (error) {
      if (lacksPartition(error)) this.#store.partitions.forgetAll();
      else if (!missesObject(error)) throw error;
      return recordReports(this.#store, received);
    }
  }

  /** A report that can't be stored must not block the others, so each half of the batch is tried separately. */
  async #findCulprit(batch: Entry[], error: unknown): Promise<void> {
    const [first] = batch;
    if (describeOutage(error)) {
      for (const entry of batch) entry.reject(error);
      return;
    }
    if (first && batch.length === 1) {
      const { agentId } = first.received.agent;
      this.#log.warn("a report can't be stored", {
        agent: agentId,
        sequence: first.received.report.sequence,
        err: error,
      });
      first.reject(
        isRefusedData(error)
          ? new DomainError("invalid", "The database rejects this report permanently.", {
              cause: error,
            })
          : error,
      );
      return;
    }
    const middle = Math.ceil(batch.length / 2);
    await this.#storeBatch(batch.slice(0, middle));
    await this.#storeBatch(batch.slice(middle));
  }
}

function pointsOf({ report }: ReceivedReport): number {
  return report.series.reduce((sum, series) => sum + series.atMs.length, 0);
}
