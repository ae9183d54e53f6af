import { describe, expect, it } from "vitest";
import { findEnrolled } from "./find-enrolled.ts";

const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, second));
const node = (name: string, second: number) => ({ name, createdAt: at(second) });

describe("the node that a token brought", () => {
  it("is the one whose name the token is bound to, also when it was there before", () => {
    const nodes = [node("other", 59), node("rack-3", 0)];
    expect(findEnrolled(nodes, { nodeName: "rack-3", createdAt: at(50) }, at(58))?.name).toBe("rack-3");
  });

  it("is else the one that appeared when the token was used", () => {
    const nodes = [node("later", 59), node("mine", 40), node("before", 10)];
    expect(findEnrolled(nodes, { nodeName: null, createdAt: at(20) }, at(40))?.name).toBe("mine");
  });

  it("is nobody yet while only older nodes are there", () => {
    expect(findEnrolled([node("before", 10)], { nodeName: null, createdAt: at(20) }, at(40))).toBeUndefined();
  });
});
