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

/** watch gathers what goes wrong on the pages of a context. Breaches of the content policy are told on the console too. */
export function watch(context: BrowserContext, problems: string[]): void {
  const follow = (page: Page) => {
    page.on("console", (message) => {
      if (message.type() !== "error") return;
      problems.push(`${new URL(page.url()).pathname}: ${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => problems.push(`${page.url()}: ${error.stack ?? error.message}`));
  };
  for (const page of context.pages()) follow(page);
  context.on("page", follow);
}
