import { attachKubernetes } from "@fairlead/domain";
import { describe, expect, it } from "vitest";
import { attachWish, emptyAttach, isBlank, readKubeconfigFile } from "./attach-draft.ts";

describe("what is written of how a cluster is reached", () => {
  it.each([
    [{ ...emptyAttach, text: "kind: Config" }, { kubeconfig: "kind: Config" }],
    [
      { ...emptyAttach, text: "kind: Config", context: "b" },
      { kubeconfig: "kind: Config", context: "b" },
    ],
    // What was written before another way was chosen isn't sent.
    [{ way: "in-cluster", text: "kind: Config", context: "b" } as const, { inCluster: true }],
  ])("%j asks for %j", (draft, wish) => {
    expect(attachKubernetes.parse(attachWish(draft))).toEqual(wish);
  });

  it("may be nothing for now", () => {
    expect(isBlank({ ...emptyAttach, text: " \n" })).toBe(true);
    expect(isBlank({ ...emptyAttach, text: "kind: Config" })).toBe(false);
    expect(isBlank({ ...emptyAttach, way: "in-cluster" })).toBe(false);
  });

  it("is refused where nothing is written", () => {
    expect(attachKubernetes.safeParse(attachWish(emptyAttach)).error?.issues).toMatchObject([
      { path: ["kubeconfig"], message: "paste a kubeconfig" },
    ]);
  });
});

describe("a file that is chosen", () => {
  it.each([
    ["kind: Config\n", { text: "kind: Config\n" }],
    [" \n", { problem: "The file is empty." }],
    ["\0\0", { problem: "The file holds no text. Choose a kubeconfig." }],
    ["x".repeat(400_001), { problem: "The file has 400 kB; a kubeconfig may have 400." }],
  ])("%#", async (text, read) => {
    expect(await readKubeconfigFile(new Blob([text]))).toEqual(read);
  });

  it("that is no text at all isn't taken for one", async () => {
    expect(await readKubeconfigFile(new Blob([new Uint8Array([0xff, 0xfe, 0x80])]))).toHaveProperty("problem");
  });
});
