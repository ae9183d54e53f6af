import type { ChildProcess } from "node:child_process";

export type Order<Asked> = Asked & { id: number };
export type Reply = { id: number; said: unknown } | { id: number; error: string };

/** Talk is with a process of ours that does what it is asked, several things at once. */
export class Talk<Asked extends object> {
  readonly #child: ChildProcess;
  readonly #asking = new Map<number, (reply: Reply) => void>();
  #asked = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.on("message", (reply: Reply) => this.#asking.get(reply.id)?.(reply));
    child.once("exit", () => {
      for (const [id, tell] of this.#asking) tell({ id, error: "the process ended" });
    });
  }

  async ask<T>(asked: Asked): Promise<T> {
    const id = ++this.#asked;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    this.#asking.set(id, resolve);
    this.#child.send({ ...asked, id } satisfies Order<Asked>);
    const reply = await promise;
    this.#asking.delete(id);
    if ("error" in reply) throw new Error(reply.error);
    return reply.said as T;
  }

  async stop(): Promise<void> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return;
    const gone = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await gone;
  }
}

/** obey makes this process the other side of a talk: it does what it is told, and ends with whoever told it. */
export function obey<Asked extends object>(act: (asked: Asked) => Promise<unknown>): void {
  process.once("disconnect", () => process.exit());
  process.on("message", (order: Order<Asked>) => {
    const reply = (said: Reply) => process.send?.(said);
    act(order).then(
      (said) => reply({ id: order.id, said }),
      (error: unknown) => reply({ id: order.id, error: error instanceof Error ? error.message : String(error) }),
    );
  });
}
