/** Browser follows redirects like a browser: with a cookie jar per host, and up to a given stop condition. */
export class Browser {
  readonly #jars = new Map<string, Map<string, string>>();

  /**
   * visit opens a URL and follows redirects until a response is not a redirect or leads to a URL that matches `until`.
   */
  async visit(start: string, until: (url: URL) => boolean = () => false): Promise<{ url: URL; response: Response }> {
    let url = new URL(start);
    for (let hop = 0; hop < 20; hop++) {
      const response = await this.fetch(url);
      const location = response.headers.get("location");
      if (!location) return { url, response };
      url = new URL(location, url);
      if (until(url)) return { url, response };
    }
    throw new Error(`still being redirected at ${url}`);
  }

  async fetch(url: URL | string, init: RequestInit = {}): Promise<Response> {
    const { host } = new URL(url);
    const jar = this.#jars.get(host) ?? new Map<string, string>();
    this.#jars.set(host, jar);
    const headers = new Headers(init.headers);
    if (jar.size > 0) headers.set("cookie", [...jar].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const cookie of response.headers.getSetCookie()) keep(jar, cookie);
    return response;
  }

  /** headersFor returns the headers of a request to this URL. */
  headersFor(url: string): Headers {
    const jar = this.#jars.get(new URL(url).host) ?? new Map();
    return new Headers({ cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") });
  }
}

function keep(jar: Map<string, string>, cookie: string): void {
  const [pair = "", ...attributes] = cookie.split(";");
  const at = pair.indexOf("=");
  const name = pair.slice(0, at).trim();
  const isGone = attributes.some((each) => /^\s*max-age=0\s*$/i.test(each) || /expires=Thu, 01 Jan 1970/i.test(each));
  if (isGone) jar.delete(name);
  else jar.set(name, pair.slice(at + 1));
}
