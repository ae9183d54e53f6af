/** What an attack saw: whether the product refused it, and how. */
export type Observed = { refused: boolean; seen: string };

/** Results prints one line per attack, and counts them. */
export class Results {
  passed = 0;
  readonly open: string[] = [];

  /** check runs an attack. One that fails to run proves nothing, so it counts as open. */
  async check(attack: string, run: () => Promise<Observed> | Observed): Promise<void> {
    const { refused, seen } = await observe(run);
    if (refused) {
      this.passed++;
      console.log(`✓ ${attack}: ${seen}`);
      return;
    }
    const line = `✗ open: ${attack}: ${seen}`;
    this.open.push(line);
    console.log(line);
  }

  /** attempt runs the attacks on one topic. If one can't be prepared, the others still run. */
  async attempt(topic: string, run: () => Promise<void>): Promise<void> {
    const error = await run().then(() => null, String);
    if (error) await this.check(topic, () => ({ refused: false, seen: `it could not run: ${error}` }));
  }

  /** print repeats what is open, because a shortened output keeps its end. */
  print(): void {
    if (this.open.length > 0) console.log(["", ...this.open].join("\n"));
    console.log(`\n${this.passed} passed, ${this.open.length} failed`);
  }
}

async function observe(run: () => Promise<Observed> | Observed): Promise<Observed> {
  try {
    return await run();
  } catch (error) {
    return { refused: false, seen: `it could not run: ${error instanceof Error ? error.message : String(error)}` };
  }
}
