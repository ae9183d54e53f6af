import { expect, it } from "vitest";
import { describePatterns, splitPatterns } from "./interface-pattern.ts";
import { checkSettings, settingsDraft } from "./settings-draft.ts";
import { settingsProgress } from "./settings-progress.ts";

const settings = { sampleIntervalMs: 5_000, reportIntervalMs: 7_500, excludedInterfaces: ["lo", "veth*"] };

it("shows settings in seconds and reads them back", () => {
  expect(settingsDraft(settings)).toEqual({ sampleSeconds: "5", reportSeconds: "7.5", excluded: "lo, veth*" });
  expect(checkSettings(settingsDraft(settings)).settings).toEqual(settings);
});

it.each([
  ["0.5", "settings.sampleIntervalMs"],
  ["301", "settings.sampleIntervalMs"],
  ["ten", "settings.sampleIntervalMs"],
  ["", "settings.sampleIntervalMs"],
])("rejects %s seconds at its field", (sampleSeconds, path) => {
  const { problems } = checkSettings({ ...settingsDraft(settings), sampleSeconds });
  expect(problems).toEqual({ [path]: "Enter a value between 1 and 300 seconds." });
});

it("names the invalid pattern", () => {
  const { problems } = checkSettings({ ...settingsDraft(settings), excluded: "lo, eth[0-9]" });
  expect(problems).toEqual({ "settings.excludedInterfaces": expect.stringMatching(/^eth\[0-9\]: use letters/) });
});

it("splits patterns and removes duplicates", () => {
  expect(splitPatterns(" lo,veth*  docker0\nlo ")).toEqual(["lo", "veth*", "docker0"]);
});

it.each([
  ["veth*", ["veth12ab", "eth0"], "veth12ab"],
  ["eth0.1*", ["eth0.100", "eth0x100"], "eth0.100"],
  ["eth*, docker0", ["eth0", "docker0", "wg0"], "eth0, docker0"],
])("reports that %s excludes %o", (patterns, reported, hidden) => {
  expect(describePatterns(patterns, reported)).toContain(`excludes: ${hidden}.`);
});

it("lists no interface if the patterns exclude none", () => {
  expect(describePatterns("lo, veth*", ["eth0"])).not.toContain("excludes");
});

it("follows new settings until the agent runs them", () => {
  const agent = (desiredRevision: number, observedRevision: number, configError = "") => ({
    state: desiredRevision === observedRevision && !configError ? ("in-sync" as const) : ("out-of-sync" as const),
    desiredRevision,
    observedRevision,
    configError,
  });
  expect(settingsProgress(4, agent(4, 4), false)).toMatchObject({ done: false, tone: "wait" });
  expect(settingsProgress(4, agent(4, 4), false, 20_000).sentence).toContain("check that the controller is running");
  expect(settingsProgress(4, agent(5, 4), false).sentence).toBe("Applying revision 5; the agent still runs 4…");
  expect(settingsProgress(4, agent(5, 4), true).sentence).toContain("when it reconnects");
  expect(settingsProgress(4, agent(5, 5), false)).toMatchObject({ done: true, tone: "good" });
  expect(settingsProgress(4, agent(5, 4, "too fast"), false)).toMatchObject({ done: true, tone: "bad" });
  expect(settingsProgress(0, undefined, false)).toMatchObject({ done: true });
  // After a restored backup, the agent is ahead, or has another config under the same number.
  expect(settingsProgress(10, agent(11, 12), false)).toMatchObject({ done: false, tone: "wait" });
  expect(settingsProgress(11, { ...agent(12, 12), state: "out-of-sync" }, false).sentence).toBe(
    "Applying revision 12; the agent runs a different configuration with that number…",
  );
});
