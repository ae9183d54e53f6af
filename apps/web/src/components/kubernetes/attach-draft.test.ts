import { attachKubernetes } from "@fairlead/domain/kubernetes";
import { describe, expect, it } from "vitest";
import { attachSpec, emptyAttach, isBlank, readKubeconfigFile } from "./attach-draft.ts";

describe("the connection of a cluster", () => {
  it.each([
    [{ ...emptyAttach, text: "kind: Config" }, { kubeconfig: "kind: Config" }],
    [
      { ...emptyAttach, text: "kind: Config", context: "b" },
      { kubeconfig: "kind: Config", context: "b" },
    ],
    // What was written before another way was chosen isn't sent.
    [{ way: "in-cluster", text: "kind: Config", context: "b" } as const, { inCluster: true }],
  ])("%j gives the spec %j", (draft, spec) => {
    expect(attachKubernetes.parse(attachSpec(draft))).toEqual(spec);
  });

  it("can be empty at first", () => {
    expect(isBlank({ ...emptyAttach, text: " \n" })).toBe(true);
    expect(isBlank({ ...emptyAttach, text: "kind: Config" })).toBe(false);
    expect(isBlank({ ...emptyAttach, way: "in-cluster" })).toBe(false);
  });

  it("is rejected if empty", () => {
    expect(attachKubernetes.safeParse(attachSpec(emptyAttach)).error?.issues).toMatchObject([
      { path: ["kubeconfig"], message: "paste a kubeconfig" },
    ]);
  });
});

describe("a selected file", () => {
  it.each([
    ["kind: Config\n", { text: "kind: Config\n" }],
    [" \n", { problem: "The file is empty." }],
    ["\0\0", { problem: "The file is not text. Choose a kubeconfig." }],
    ["x".repeat(400_001), { problem: "The file has 400 kB. The maximum for a kubeconfig is 400 kB." }],
  ])("%#", async (text, read) => {
    expect(await readKubeconfigFile(new Blob([text]))).toEqual(read);
  });

  it("that is not text is rejected", async () => {
    expect(await readKubeconfigFile(new Blob([new Uint8Array([0xff, 0xfe, 0x80])]))).toHaveProperty("problem");
  });
});
