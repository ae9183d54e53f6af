import { expect, test } from "../support/test.ts";

// A trace would take pictures while the page works.
test.use({ trace: "off", storageState: { cookies: [], origins: [] } });

// Each leaves a figure that is one, and another than before.
const keys = ["5", "0", "3", "Backspace", "Backspace", "7", "1", "Backspace", "Backspace", "9", "4", "Backspace"];
const answered = "answered after ";
const maxMs = 50;

test("the calculator answers a key in less than 50 milliseconds", async ({ page }) => {
  test.setTimeout(300_000); // a busy machine needs longer for five rounds, and should still say how long each key took
  await page.goto("/calculator?averageMbps=2&newConnectionsPerSecond=40");
  await page.locator("svg path.recharts-line-curve").first().waitFor();
  await page.evaluate(tellAnswers, answered);
  const field = page.getByRole("textbox", { name: "On average, Mbit/s" });
  await field.focus();
  await page.keyboard.press("End");
  const type = async () => {
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
    return tookMs;
  };
  const medianOf = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Infinity;
  // Other programs make an answer slower and never faster: the best of some rounds shows what the page itself takes.
  const rounds: number[][] = [];
  const best = () => Math.min(...rounds.map(medianOf));
  while (rounds.length < 5 && !(best() < maxMs)) rounds.push(await type());
  const measured = `${answered}${rounds.map((round) => round.join(", ")).join("; ")} ms`;
  test.info().annotations.push({ type: "measured", description: measured });
  // Nothing else runs now but the product: the middle key takes 33 to 38 ms, or 51 while the product has just begun. The
  // time of the page's main thread is no better measure: a debugger reads it, with which the same keys need 40 to 48 ms.
  expect(best(), measured).toBeLessThan(maxMs);
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
    // A message comes after the frame that was requested has been drawn.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => console.debug(`${answered}${Math.round(performance.now() - since)}`);
      port2.postMessage(null);
    });
  });
  observer.observe(main, { subtree: true, childList: true, characterData: true });
}
