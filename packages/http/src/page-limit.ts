import { EndlessList } from "./errors.ts";

/** PageLimit rejects a list with endless pages. */
export class PageLimit {
  readonly #maxPages: number;
  readonly #what: string;
  readonly #seen = new Set<string>();

  constructor(maxPages: number, what = "the list") {
    this.#maxPages = maxPages;
    this.#what = what;
  }

  /** next takes the token or address of each further page before it is requested. */
  next(page: string): void {
    if (this.#seen.has(page)) throw new EndlessList(this.#what, "a page links back to an earlier one");
    this.#seen.add(page);
    if (this.#seen.size >= this.#maxPages)
      throw new EndlessList(this.#what, `it has more than ${this.#maxPages} pages`);
  }
}
