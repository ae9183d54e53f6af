/** Person is a signed-in user of the API. */
export class Person {
  readonly #url: string;
  readonly #cookie: string;

  private constructor(url: string, cookie: string) {
    this.#url = url;
    this.#cookie = cookie;
  }

  static async signIn(url: string, email = "owner@example.test", password = "correct-Horse-7"): Promise<Person> {
    const response = await fetch(`${url}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: url },
      body: JSON.stringify({ email, password }),
    });
    if (!response.ok) throw new Error(`sign-in returned ${response.status}: ${await response.text()}`);
    const cookie = response.headers.getSetCookie().map((each) => each.split(";")[0]);
    return new Person(url, cookie.join("; "));
  }

  async get<T>(where: string): Promise<T> {
    return (await this.#send("GET", where)).json() as Promise<T>;
  }

  async post<T>(where: string, body: unknown): Promise<T> {
    return (await this.#send("POST", where, body)).json() as Promise<T>;
  }

  async patch<T>(where: string, body: unknown): Promise<T> {
    return (await this.#send("PATCH", where, body)).json() as Promise<T>;
  }

  async delete(where: string): Promise<void> {
    await this.#send("DELETE", where);
  }

  async #send(method: string, where: string, body?: unknown): Promise<Response> {
    const headers = { origin: this.#url, cookie: this.#cookie, "content-type": "application/json" };
    const sent = body === undefined ? null : JSON.stringify(body);
    const response = await fetch(`${this.#url}/api/v1/${where}`, { method, headers, body: sent });
    if (!response.ok) throw new Error(`${method} ${where} returned ${response.status}: ${await response.text()}`);
    return response;
  }
}
