import type { APIRequestContext } from "@playwright/test";
import { insertExperiment } from "../support/experiment.ts";
import { passesLighthouse } from "../support/lighthouse.ts";
import { objectTabs, openPages, plainPages, rareTabs, signedOutPages } from "../support/pages.ts";
import { createExposure, first, unique } from "../support/rest.ts";
import { test } from "../support/test.ts";

type Pages = Record<string, (request: APIRequestContext) => string | Promise<string>>;

const few: Pages = {
  overview: () => "/",
  exposures: () => "/exposures",
  "a node": async (request) => {
    const newest = await first(request, "nodes", "sort=lastReportAt&direction=desc");
    return `/nodes/${newest.id}`;
  },
  "an exposure": async (request) => `/exposures/${(await createExposure(request, unique("speed"))).id}`,
  "a docs page": () => "/docs/guides/routing",
};

/** Every page takes more than half an hour, so it is measured on request. */
const isEvery = Boolean(process.env.EVERY_PAGE);

for (const [name, pathOf] of Object.entries(isEvery ? every() : few))
  test(`${name} passes Lighthouse for performance and accessibility`, async ({
    request,
    context,
    baseURL,
    launchOptions,
  }) => {
    const cookies = (await context.cookies(baseURL)).map(({ name: key, value }) => `${key}=${value}`).join("; ");
    await passesLighthouse({ name, baseURL, launchOptions, cookies, path: await pathOf(request) });
  });

for (const [name, pathOf] of Object.entries(isEvery ? signedOutPages : {}))
  test(`${name} passes Lighthouse for performance and accessibility`, async ({ request, baseURL, launchOptions }) => {
    await passesLighthouse({ name, baseURL, launchOptions, cookies: "", path: await pathOf(request) });
  });

function every(): Pages {
  const pages: Pages = {};
  for (const [name, address] of Object.entries({ ...plainPages, ...openPages })) pages[name] = () => address;
  for (const [list, tabs] of Object.entries(objectTabs))
    for (const tab of tabs)
      pages[`${tab} of ${list}`] = async (request) => `/${list}/${(await first(request, list)).id}?tab=${tab}`;
  for (const { list, tab, query } of rareTabs)
    pages[`${tab} of ${list}`] = async (request) => `/${list}/${(await first(request, list, query)).id}?tab=${tab}`;
  pages["the form of an exposure"] = async (request) => `/exposures/${(await first(request, "exposures")).id}/edit`;
  pages["an experiment"] = async (request) => `/experiments/${await insertExperiment(request)}`;
  return pages;
}
