/** The query of an address, as Next passes it to a page. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** isFirstTab reports whether an address shows the first tab of a page, whose data is fetched with the page. */
export async function isFirstTab(searchParams: SearchParams, id: string): Promise<boolean> {
  const { tab } = await searchParams;
  return tab === undefined || tab === id;
}
