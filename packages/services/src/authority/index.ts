export { type Authority, ensureAuthority } from "./ensure.ts";
export { authorityFingerprint } from "./fingerprint.ts";
export { gatewayName, issueServerCertificate, type ServerCertificate } from "./issue-server.ts";
export { type AgentCertificate, type AgentKey, readCertificateRequest, signAgentCertificate } from "./sign-agent.ts";
