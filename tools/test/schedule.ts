import { type Load, shareOf } from "./suite.ts";

export type Scheduled = {
  name: string;
  load: Load;
  after?: readonly string[];
  /** Resolves when its needs besides other suites are met. */
  ready?: Promise<unknown>;
};

/**
 * runScheduled runs all suites, as many at once as the cores allow. It starts the first suite in the list that fits, so the list
 * should begin with the longest. A suite that must be alone starts when nothing else runs.
 */
export async function runScheduled<T extends Scheduled>(
  suites: readonly T[],
  cores: number,
  run: (suite: T) => Promise<void>,
): Promise<void> {
  refuseCycles(suites);
  const waiting = new Set(suites);
  const running = new Map<T, Promise<void>>();
  const ready = new Set(suites.filter((suite) => !suite.ready));
  const becoming = new Map(
    suites.flatMap((suite): [T, Promise<void>][] =>
      suite.ready ? [[suite, suite.ready.then(() => void ready.add(suite))]] : [],
    ),
  );

  while (waiting.size > 0 || running.size > 0) {
    for (let next = pick(); next; next = pick()) start(next);
    const unready = [...waiting].flatMap((suite) => (ready.has(suite) ? [] : (becoming.get(suite) ?? [])));
    await Promise.race([...running.values(), ...unready]);
  }

  function pick(): T | undefined {
    const taken = [...running.keys()].reduce((sum, suite) => sum + shareOf(suite.load, cores), 0);
    const isPending = (name: string) => [...waiting, ...running.keys()].some((suite) => suite.name === name);
    return [...waiting].find(
      (suite) =>
        ready.has(suite) &&
        taken + shareOf(suite.load, cores) <= cores &&
        !suite.after?.some((name) => isPending(name)),
    );
  }

  function start(suite: T): void {
    waiting.delete(suite);
    running.set(
      suite,
      run(suite).finally(() => running.delete(suite)),
    );
  }
}

function refuseCycles(suites: readonly Scheduled[]): void {
  const done = new Set<string>();
  const visit = (suite: Scheduled, path: readonly string[]): void => {
    if (path.includes(suite.name)) throw new Error(`Suites wait for each other: ${[...path, suite.name].join(" → ")}`);
    if (done.has(suite.name)) return;
    for (const before of suites.filter(({ name }) => suite.after?.includes(name))) visit(before, [...path, suite.name]);
    done.add(suite.name);
  };
  for (const suite of suites) visit(suite, []);
}
