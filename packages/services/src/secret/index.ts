export { openSecretBox, type SecretBox, sealedWith } from "./secret-box.ts";
