import { expect, test } from "../support/test.ts";

// A trace would take pictures while the page works.
test.use({ trace: "off", storageState: { cookies: [], origins: [] } });

// Each leaves a figure that is one, and another than before.
const keys = ["5", "0", "3", "Backspace", "Backspace", "7", "1", "Backspace", "Backspace", "9", "4", "Backspace"];
const answered = "answered after ";

test("the calculator answers a key in less than 50 milliseconds", async ({ page }) => {
  await page.goto("/calculator?averageMbps=2&newConnectionsPerSecond=40");
  await page.locator("svg path.recharts-line-curve").first().waitFor();
  await page.evaluate(tellAnswers, answered);
  const field = page.getByRole("textbox", { name: "On average, Mbit/s" });
  await field.focus();
  await page.keyboard.press("End");
  const tookMs: number[] = [];
  for (const key of keys) {
    // The page tells it by itself: to be asked meanwhile would take its time.
    const answer = page.waitForEvent("console", (message) => message.text().startsWith(answered));
    await page.keyboard.press(key);
    tookMs.push(Number((await answer).text().slice(answered.length)));
    // Address and chart follow before the next key comes, as they do when a person types.
    await expect(page).toHaveURL(new RegExp(`averageMbps=${await field.inputValue()}&`));
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  }
  test.info().annotations.push({ type: "measured", description: `${answered}${tookMs.join(", ")} ms` });
  const median = tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length / 2)] ?? Number.POSITIVE_INFINITY;
  // Other things run on this machine, so one slow key says nothing, and the middle one does.
  expect(median, `${tookMs.join(", ")} ms`).toBeLessThan(50);
});

/** From a key to the first frame that has been drawn with the answer to it. */
function tellAnswers(answered: string): void {
  let pressedAt: number | null = null;
  // Before React hears of it, which answers at once.
  const noteKey = ({ timeStamp }: Event) => {
    pressedAt = timeStamp;
  };
  document.addEventListener("input", noteKey, { capture: true });
  const main = document.querySelector("main");
  if (!main) throw new Error("the page has no content");
  const observer = new MutationObserver((changes) => {
    const since = pressedAt;
    const isAnswer = changes.some(({ target }) => {
      const element = target instanceof Element ? target : target.parentElement;
      return element?.closest("#advice, [role=table]");
    });
    if (since === null || !isAnswer) return;
    pressedAt = null;
    // A message comes after the frame that was asked for has been drawn.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => console.debug(`${answered}${Math.round(performance.now() - since)}`);
      port2.postMessage(null);
    });
  });
  observer.observe(main, { subtree: true, childList: true, characterData: true });
}
