export { attentionPermission, listAttention } from "./list.ts";
