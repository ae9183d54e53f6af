import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { ResponseTooLong } from "./errors.ts";
import { readLines, readText } from "./read-body.ts";

const bodyOf = (...pieces: string[]) => Readable.from(pieces.map((piece) => Buffer.from(piece)));
const linesOf = async (body: Readable, maxLineBytes = 1_000) => {
  const lines: string[] = [];
  for await (const line of readLines(body, maxLineBytes)) lines.push(line);
  return lines;
};

/** An endless body that counts what was read from it. */
function endless(piece: string): { body: Readable; taken: () => number } {
  let taken = 0;
  const body = new Readable({
    read() {
      taken += piece.length;
      this.push(Buffer.from(piece));
    },
  });
  return { body, taken: () => taken };
}

describe("readText", () => {
  it("reads up to the limit", async () => {
    expect(await readText(bodyOf("ab", "c"), 3)).toBe("abc");
  });

  it("rejects a longer body, and destroys it", async () => {
    const { body, taken } = endless("x".repeat(1_000));
    await expect(readText(body, 10_000)).rejects.toThrow(ResponseTooLong);
    expect(body.destroyed).toBe(true);
    expect(taken()).toBeLessThan(200_000);
  });
});

describe("readLines", () => {
  it("joins chunks, keeps characters whole, and drops an incomplete last line", async () => {
    const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = [
      Buffer.from("a\nä").subarray(0, 3),
      Buffer.from("ä").subarray(1),
    ];
    expect(await linesOf(Readable.from([first, second, Buffer.from("b\n\nc")]))).toEqual(["a", "äb", ""]);
  });

  it("allows many lines that together exceed the limit of one line", async () => {
    expect(await linesOf(bodyOf("aaaa\nbbbb\n", "cccc\n"), 5)).toEqual(["aaaa", "bbbb", "cccc"]);
  });

  it("rejects a line without an end", async () => {
    const { body, taken } = endless("x".repeat(1_000));
    await expect(linesOf(body, 10_000)).rejects.toThrow("the line is longer than 10000 bytes");
    expect(body.destroyed).toBe(true);
    expect(taken()).toBeLessThan(200_000);
  });
});
