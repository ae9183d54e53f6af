import { setTimeout as sleep } from "node:timers/promises";
import { TerminalError } from "../terminal-error.ts";

/** Fault makes an operation fail. Without an exposure it applies to all of them, without times forever. */
export type Fault = {
  operation: "enter" | "list" | "instances" | "create" | "created" | "update" | "remove";
  exposureId?: string;
  times?: number;
  /** Called every time the fault occurs. */
  onMet?: () => void;
  does:
    | { type: "delay"; ms: number }
    | { type: "wait"; until: Promise<void> }
    | { type: "fail" }
    | { type: "unreachable" }
    | { type: "terminal" }
    | { type: "hang" };
};

/** Faults are the faults that a test has added to a fake world. */
export class Faults {
  #faults: Fault[] = [];
  #met = new Map<Fault, number>();

  add(fault: Fault): void {
    this.#faults.push(fault);
  }

  clear(): void {
    this.#faults = [];
  }

  /** meet triggers the first fault that matches this operation. */
  async meet(operation: Fault["operation"], exposureId: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const fault = this.#faults.find((each) => this.#fits(each, operation, exposureId));
    if (!fault) return;
    this.#met.set(fault, (this.#met.get(fault) ?? 0) + 1);
    fault.onMet?.();
    switch (fault.does.type) {
      case "delay":
        return wait(fault.does.ms, signal);
      case "wait":
        return fault.does.until;
      case "hang":
        return wait(600_000, signal);
      case "fail":
        throw new Error(`the outside refused to ${operation}`);
      case "unreachable":
        throw new Error("the outside is unreachable", {
          cause: Object.assign(new Error("connect ECONNREFUSED 192.0.2.1:6443"), { code: "ECONNREFUSED" }),
        });
      case "terminal":
        throw new TerminalError(`the outside will never ${operation} this`);
      default:
        return fault.does satisfies never;
    }
  }

  #fits(fault: Fault, operation: Fault["operation"], exposureId: string): boolean {
    if (fault.operation !== operation) return false;
    if (fault.exposureId !== undefined && fault.exposureId !== exposureId) return false;
    return (this.#met.get(fault) ?? 0) < (fault.times ?? Number.POSITIVE_INFINITY);
  }
}

/** wait fails with the reason of the abort, as requests to a server do, and not with Node's AbortError. */
async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
