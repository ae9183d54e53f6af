import { setImmediate as settled } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { runScheduled, type Scheduled } from "./schedule.ts";

type Played = Scheduled & { lasts: number };

const suite = (name: string, load: Scheduled["load"], lasts: number, more: Partial<Scheduled> = {}): Played => ({
  name,
  load,
  lasts,
  ...more,
});

/** Play runs suites on two cores with a fake clock, and records what runs at each start. */
class Play {
  readonly seen: string[] = [];
  readonly #ends = new Map<string, { at: number; end: () => void }>();
  #now = 0;

  async run(all: readonly Played[]): Promise<string[]> {
    let isOver = false;
    const run = runScheduled(all, 2, ({ name, lasts }) => {
      const ended = this.after(name, lasts);
      const running = all.map((each) => each.name).filter((each) => this.#ends.has(each));
      this.seen.push(running.join(" + "));
      return ended;
    });
    const over = run.finally(() => {
      isOver = true;
    });
    await Promise.race([over, this.#play(() => isOver)]);
    await over;
    return this.seen;
  }

  /** after resolves when the clock has advanced by this much. */
  after(name: string, lasts: number): Promise<void> {
    return new Promise((end) => this.#ends.set(name, { at: this.#now + lasts, end }));
  }

  async #play(isOver: () => boolean): Promise<void> {
    for (await settled(); !isOver(); await settled()) this.#step();
  }

  #step(): void {
    const [next] = [...this.#ends].sort(([, a], [, b]) => a.at - b.at);
    if (!next) return;
    const [name, { at, end }] = next;
    this.#now = at;
    this.#ends.delete(name);
    end();
  }
}

const play = (...all: Played[]) => new Play().run(all);

describe("the scheduler", () => {
  it("runs two suites that compute at once, and no third", async () => {
    expect(await play(suite("a", "computes", 30), suite("b", "computes", 5), suite("c", "computes", 5))).toEqual([
      "a",
      "a + b",
      "a + c",
    ]);
  });

  it("runs four suites that mostly wait at once, or two next to one that computes", async () => {
    const four = ["a", "b", "c", "d"].map((name) => suite(name, "waits", 20));
    expect((await play(...four, suite("e", "waits", 1))).at(3)).toBe("a + b + c + d");
    const mixed = [
      suite("go", "computes", 40),
      suite("a", "waits", 10),
      suite("b", "waits", 10),
      suite("c", "waits", 1),
    ];
    expect((await play(...mixed)).slice(0, 3)).toEqual(["go", "go + a", "go + a + b"]);
  });

  it("runs a suite that must be alone when nothing else runs, and lets later ones go first", async () => {
    expect(await play(suite("a", "computes", 10), suite("clock", "alone", 5), suite("b", "computes", 20))).toEqual([
      "a",
      "a + b",
      "clock",
    ]);
  });

  it("runs a suite after those that build what it runs", async () => {
    const all = [suite("browser", "computes", 1, { after: ["build"] }), suite("build", "computes", 10)];
    expect(await play(...all)).toEqual(["build", "browser"]);
  });

  it("ignores a suite to wait for that isn't run this time", async () => {
    expect(await play(suite("browser", "computes", 1, { after: ["build"] }))).toEqual(["browser"]);
  });

  it("goes on with the rest while a suite waits for its programs", async () => {
    const clock = new Play();
    const programs = clock.after("programs", 30);
    const all = [
      suite("nodes", "computes", 1, { ready: programs }),
      suite("a", "computes", 5),
      suite("b", "waits", 50),
    ];
    expect(await clock.run(all)).toEqual(["a", "a + b", "nodes + b"]);
  });

  it("fails with the error of a suite that could not be run", async () => {
    const all = [suite("a", "computes", 1), suite("b", "computes", 50)];
    const run = async ({ name }: Played) => {
      await settled();
      if (name === "a") throw new Error("no shell");
      await settled();
    };
    await expect(runScheduled(all, 2, run)).rejects.toThrow("no shell");
  });

  it("rejects suites that wait for each other, by name", async () => {
    const all = [suite("a", "computes", 1, { after: ["b"] }), suite("b", "computes", 1, { after: ["a"] })];
    await expect(play(...all)).rejects.toThrow("a → b → a");
  });
});
