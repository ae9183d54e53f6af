export { openSecretBox, type SecretBox } from "./secret-box.ts";
