/** Wakeup lets one loop wait for "something may be due". A wake-up while nothing waits is kept, so none is missed. */
export class Wakeup {
  #woken = false;
  #closed = false;
  #end: (() => void) | undefined;

  wake(): void {
    this.#woken = true;
    this.#end?.();
  }

  /** After close every wait returns at once. */
  close(): void {
    this.#closed = true;
    this.wake();
  }

  /** wait ends at the next wake-up, or after ms. */
  async wait(ms: number): Promise<void> {
    if (!this.#woken && !this.#closed) await this.#pause(ms);
    this.#woken = false;
  }

  /** sleep ends after ms despite wake-ups; only close cuts it short. */
  async sleep(ms: number): Promise<void> {
    const until = performance.now() + ms;
    while (!this.#closed && performance.now() < until) await this.#pause(until - performance.now());
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(end, Math.max(1, ms));
      this.#end = end;
      function end() {
        clearTimeout(timer);
        resolve();
      }
    });
  }
}
