import { expect, it } from "vitest";
import { keepDrivers } from "./keep-drivers.ts";

function stage(most: number) {
  const closed: string[] = [];
  const use = keepDrivers<{ name: string; close: () => void }>(most);
  const open = (name: string) => () => ({ name, close: () => void closed.push(name) });
  return { closed, run: (name: string, work = async () => {}) => use([name], open(name), work) };
}

it("closes the least recently used driver beyond the limit, once", async () => {
  const { closed, run } = stage(2);
  for (const name of ["a", "b", "a", "c"]) await run(name);
  expect(closed).toEqual(["b"]);
  await run("b");
  expect(closed).toEqual(["b", "a"]);
});

it("closes a driver only after its running work, however that ends", async () => {
  const { closed, run } = stage(1);
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const running = [run("a", () => first.promise), run("a", () => second.promise)];
  await run("b");
  expect(closed).toEqual([]);
  first.resolve();
  await running[0];
  expect(closed).toEqual([]);
  second.reject(new Error("away"));
  await expect(running[1]).rejects.toThrow("away");
  expect(closed).toEqual(["a"]);
});

it("keeps nothing of a driver that can't be opened", async () => {
  const use = keepDrivers<{ close?(): void }>();
  const fail = () => {
    throw new Error("the key can't be opened");
  };
  await expect(use(["a"], fail, async () => {})).rejects.toThrow("the key can't be opened");
  expect(
    await use(
      ["a"],
      () => ({}),
      async () => "opened",
    ),
  ).toBe("opened");
});
