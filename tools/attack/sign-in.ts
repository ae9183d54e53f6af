import { atOnce } from "./operations.ts";
import type { Observed, Results } from "./results.ts";
import { send } from "./send.ts";
import { cookieOf, password, proxy, publicUrl, signIn, type Target } from "./target.ts";

type Limit = { perMinute: number; burst: number };
// What packages/services promises: of one account from one network address, of all from one, and of one from everywhere.
const perPair = { perMinute: 2, burst: 10 };
const perAddress = { perMinute: 30, burst: 30 };
const perEmail = { perMinute: 20, burst: 100 };

/** attackSignIn guesses passwords, from one client and from many, and writes addresses of others. */
export async function attackSignIn(target: Target, results: Results): Promise<void> {
  const { stack, db, members } = target;
  const reset = () => db.allowance.deleteMany();
  const guess = (email: string, from: string, forwarded?: string) =>
    signIn(
      stack.url,
      { email, password: "a wrong guess" },
      {
        from,
        headers: forwarded ? { "x-forwarded-for": forwarded } : {},
      },
    );
  /** guesses sends them all, and compares how many passwords were tried with what a limit allows in that time. */
  const guesses = async (
    count: number,
    limit: Limit,
    one: (at: number) => ReturnType<typeof guess>,
  ): Promise<Observed> => {
    await reset();
    const beganAt = performance.now();
    const answers = await atOnce([...Array(count).keys()], one);
    const minutes = (performance.now() - beganAt) / 60_000;
    const tried = answers.filter(({ status }) => status === 401).length;
    // An overloaded server may also answer 503, before it checks a password.
    const other = answers.find(({ status }) => ![401, 429, 503].includes(status));
    if (other)
      throw new Error(
        `a wrong password returned neither 401, 429 nor 503 but ${other.status}: ${other.text.slice(0, 200)}`,
      );
    return { refused: tried <= limit.burst + Math.ceil(limit.perMinute * minutes), seen: `${tried} of ${count} tried` };
  };
  const { email } = members.viewer;

  await results.check("guesses from addresses of one IPv6 /64, by a trusted proxy", () =>
    guesses(20, perPair, (at) => guess(email, proxy, `2001:db8:1:1::${at + 1}`)),
  );
  await results.check("guesses that name other addresses, by an untrusted peer", () =>
    guesses(20, perPair, (at) => guess(email, "127.0.0.1", `192.0.2.${at + 1}`)),
  );
  await results.check("guesses with addresses in front of what a trusted proxy adds", () =>
    guesses(20, perPair, (at) => guess(email, proxy, `192.0.2.${at + 1}, 198.51.100.7`)),
  );
  await results.check("guesses for many accounts from one address", () =>
    guesses(60, perAddress, (at) => guess(`account-${at}@attack.test`, "127.0.0.1")),
  );
  await results.check("guesses for one account from many addresses", () =>
    guesses(140, perEmail, (at) => guess(email, proxy, `2001:db8:2:${at + 1}::1`)),
  );
  // The account is now used up for every other network: its own browser still gets in.
  await results.check("others lock out a user whose email address they know", async () => {
    const { status } = await signIn(stack.url, { email, password }, { headers: { cookie: members.viewer.cookie } });
    return { refused: status === 200, seen: `the user's own browser: ${status}` };
  });
  await reset();
  await results.check("others on one network lock out a user on another", async () => {
    await guesses(12, perPair, () => guess(email, "127.0.0.1"));
    const { status } = await signIn(stack.url, { email, password }, { from: "127.0.0.3" });
    return { refused: status === 200, seen: `the user without a cookie: ${status}` };
  });
  await reset();
  await results.check("the answer shows which accounts exist", async () => {
    const [known, unknown] = [await guess(email, "127.0.0.1"), await guess("nowhere@attack.test", "127.0.0.1")];
    return {
      refused: known.status === unknown.status && known.text === unknown.text,
      seen: `${known.status} for both`,
    };
  });
  await results.check("a client writes the address of its session", async () => {
    await signIn(
      stack.url,
      { email, password },
      { headers: { "x-forwarded-for": "10.9.9.9", "x-real-ip": "10.9.9.9" } },
    );
    const { ipAddress } = await db.session.findFirstOrThrow({
      where: { user: { email } },
      orderBy: { createdAt: "desc" },
    });
    return { refused: ipAddress === "127.0.0.1", seen: `stored ${ipAddress}` };
  });
  await results.check("scripts read the session cookie, or it is sent without HTTPS or by other sites", async () => {
    const { headers, text } = await signIn(stack.url, { email, password });
    const lines = headers["set-cookie"] ?? [];
    const flags = ["HttpOnly", "Secure", "SameSite=Lax", "Path=/"];
    const isSafe = lines.length > 0 && lines.every((line) => flags.every((flag) => line.split("; ").includes(flag)));
    const [, token = "-"] = /session_token=([^.;]+)/.exec(cookieOf(lines)) ?? [];
    return { refused: isSafe && !text.includes(token), seen: `${flags.join(", ")}; not in the body` };
  });
  for (const path of ["sign-up/email", "change-email", "update-user", "delete-user", "list-sessions", "sign-in/sso"])
    await results.check(`endpoint of the sign-in library that is not used: ${path}`, async () => {
      const sent = { method: "POST", body: {}, headers: { origin: publicUrl, cookie: members.viewer.cookie } };
      const { status } = await send(`${stack.url}/api/auth/${path}`, sent);
      return { refused: status === 404, seen: String(status) };
    });
  await reset();
}
