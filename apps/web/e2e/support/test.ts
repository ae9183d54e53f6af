import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";

type Watch = {
  /** What a test provokes on purpose, and the console may therefore say. */
  allowedProblems: RegExp | null;
  /** Fails a test whose pages broke, whatever it looked at. */
  noProblems: string[];
};

/** Every page of every test is watched: an error on the console or a breach of the content policy fails it. */
export const test = base.extend<Watch>({
  allowedProblems: [null, { option: true }],
  noProblems: [
    async ({ context, allowedProblems }, use) => {
      const problems: string[] = [];
      watch(context, problems);
      await use(problems);
      expect(problems.filter((problem) => !allowedProblems?.test(problem))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/**
 * watch collects what goes wrong on the pages of a context, and has each visit wait until its page can be used. The
 * console reports violations of the content policy too.
 */
export function watch(context: BrowserContext, problems: string[]): void {
  const follow = (page: Page) => {
    waitUntilUsable(page);
    page.on("console", (message) => {
      if (message.type() !== "error") return;
      problems.push(`${new URL(page.url()).pathname}: ${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => problems.push(`${page.url()}: ${error.stack ?? error.message}`));
  };
  for (const page of context.pages()) follow(page);
  context.on("page", follow);
}

/** A click before a page's code has run does nothing. With waitUntil, a test decides itself what it waits for. */
function waitUntilUsable(page: Page): void {
  const { goto, reload } = page;
  const whenUsable = async <Answer>(visit: Promise<Answer>, options: { waitUntil?: unknown } = {}) => {
    const answer = await visit;
    if (!options.waitUntil) await page.waitForFunction(isUsable);
    return answer;
  };
  page.goto = (url, options) => whenUsable(goto.call(page, url, options), options);
  page.reload = (options) => whenUsable(reload.call(page, options), options);
}

/** React sets a property on each element that it handles. */
function isUsable(): boolean {
  const controls = document.querySelectorAll("button, input:not([type=hidden]), select, textarea");
  return [...controls].every((control) => Object.keys(control).some((key) => key.startsWith("__reactProps$")));
}
