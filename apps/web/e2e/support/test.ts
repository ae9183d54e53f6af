import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";

type Watch = {
  /** Console messages that a test causes intentionally. */
  allowedProblems: RegExp | null;
  /** Fails a test whose pages had errors, whatever it checked. */
  noProblems: string[];
};

/** Fails every test with a console error or a violation of the content security policy on any page. */
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
 * watch collects the errors of all pages of a context, and makes each visit wait until its page is usable. The console
 * also reports violations of the content security policy.
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

/** A click before hydration does nothing. A test that sets waitUntil chooses itself what to wait for. */
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
