import { decodePem, isObject, type Named, textOf } from "./kubeconfig-parts.ts";
import type { KubeconfigAccess } from "./kubernetes-access.ts";

type Auth = KubeconfigAccess["auth"];

const ownAccount =
  "Give Fairlead an account of its own: apply the manifest shown here, and paste the kubeconfig that the commands below it create.";
const flatten =
  "Run kubectl config view --minify --flatten --raw, and paste what it prints: that has the file inside it.";

/** readKubeconfigUser returns the credentials of a kubeconfig's user, or why they can't be used here. */
export function readKubeconfigUser({ name, body }: Named): { auth: Auth | null; problems: string[] } {
  const problems = [...problemsOf(name, body)];
  const certificate = decodePem(body, "client-certificate-data", "CERTIFICATE");
  const key = decodePem(body, "client-key-data", "PRIVATE KEY");
  for (const part of [certificate, key]) if ("problem" in part) problems.push(part.problem);
  if (problems.length > 0 || "problem" in certificate || "problem" in key) return { auth: null, problems };
  // The API server checks a certificate first, then a token.
  if (certificate.pem !== null && key.pem !== null)
    return { auth: { type: "certificate", certificate: certificate.pem, key: key.pem }, problems };
  if (certificate.pem !== null || key.pem !== null) {
    const [there, missing] = certificate.pem
      ? ["client-certificate-data", "client-key-data"]
      : ["client-key-data", "client-certificate-data"];
    return {
      auth: null,
      problems: [`The user ${name} has ${there} but no ${missing}; they only work together. ${flatten}`],
    };
  }
  const token = textOf(body, "token");
  if (token !== "") {
    if (/^[\x21-\x7e]{1,20000}$/.test(token)) return { auth: { type: "token", token }, problems };
    return {
      auth: null,
      problems: [`The token of the user ${name} has blanks or characters that no token has. Copy it again.`],
    };
  }
  const username = textOf(body, "username");
  const password = textOf(body, "password");
  if (username !== "" && password !== "" && !username.includes(":"))
    return { auth: { type: "password", username, password }, problems };
  if (username !== "" || password !== "")
    return {
      auth: null,
      problems: [`The user ${name} needs both username and password, and no colon in the username. ${ownAccount}`],
    };
  return {
    auth: null,
    problems: [
      `The user ${name} has nothing to sign in with: no token, no client certificate, no password. ${ownAccount}`,
    ],
  };
}

function* problemsOf(name: string, body: Record<string, unknown>): Generator<string> {
  if (isObject(body.exec)) {
    const program = textOf(body.exec, "command").split(/[\\/]/).pop() ?? "";
    yield `The user ${name} signs in by running a program${program ? ` (${program.slice(0, 60)})` : ""} on your machine (exec), which isn't run here. ${ownAccount}`;
  }
  if (isObject(body["auth-provider"]))
    yield `The user ${name} signs in by an auth-provider, which Kubernetes gave up in version 1.26 and isn't supported here. ${ownAccount}`;
  if (textOf(body, "tokenFile") !== "" && textOf(body, "token") === "")
    yield `The token of the user ${name} is a file on your machine (tokenFile), which can't be read from here. Put its text into token instead, if it doesn't expire. ${ownAccount}`;
  for (const field of ["client-certificate", "client-key"])
    if (textOf(body, field) !== "" && textOf(body, `${field}-data`) === "")
      yield `The ${field} of the user ${name} is a file on your machine, which can't be read from here. ${flatten}`;
  const impersonated = Object.keys(body).filter((field) => /^as(-|$)/.test(field));
  if (impersonated.length > 0)
    yield `The user ${name} impersonates another user (${impersonated.join(", ")}), which isn't supported. ${ownAccount}`;
}
