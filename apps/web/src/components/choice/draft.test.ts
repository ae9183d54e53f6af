import { choose } from "@fairlead/domain/choice";
import { describe, expect, it } from "vitest";
import { type ChoiceDraft, emptyDraft, emptyRequirement, readDraft, toRequest } from "./draft.ts";

const preferred = { ...emptyRequirement, importance: "preferred" } as const;
const required = { ...emptyRequirement, importance: "required" } as const;
const draft: ChoiceDraft = {
  ...emptyDraft,
  requirements: {
    addressFamily: required,
    tlsPersistence: { ...preferred, weight: "3" },
    latencyMsP99: emptyRequirement,
    region: { ...preferred, value: "eu-central-1, eu-west-1 ," },
    labels: { ...preferred, value: "tier=gold, site=a=b" },
    hourlyPrice: { ...preferred, value: "0.2" },
  },
};

describe("toRequest", () => {
  it("returns what the API takes, without ignored requirements", () => {
    const request = toRequest(draft);
    expect(request).toEqual({
      among: "clusters",
      requirements: {
        addressFamily: { family: "ipv4", required: true, weight: 1 },
        tlsPersistence: { required: false, weight: 3 },
        region: { anyOf: ["eu-central-1", "eu-west-1"], required: false, weight: 1 },
        labels: { match: { tier: "gold", site: "a=b" }, required: false, weight: 1 },
        hourlyPrice: { atMost: 0.2, required: false, weight: 1 },
      },
    });
    expect(choose.safeParse(request).success).toBe(true);
  });

  it("leaves wrong input to the schema, which names the field", () => {
    const wrong = toRequest({ ...draft, requirements: { latencyMsP99: { ...preferred, value: "soon", weight: "" } } });
    expect(choose.safeParse(wrong).error?.issues.map(({ path }) => path.join("."))).toEqual([
      "requirements.latencyMsP99.atMost",
      "requirements.latencyMsP99.weight",
    ]);
  });
});

it("reads its own draft from an address, and omits what it doesn't know", () => {
  expect(readDraft(JSON.parse(JSON.stringify(draft)))).toEqual(draft);
  expect(readDraft({ among: "x", requirements: { other: preferred, labels: 5, region: { importance: "?" } } })).toEqual(
    {
      ...emptyDraft,
      requirements: { region: emptyRequirement },
    },
  );
  expect(readDraft("x")).toBeNull();
});
