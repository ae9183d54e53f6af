export { pauseMove, resumeMove, rollBackMove } from "./control.ts";
export { failMove } from "./fail.ts";
export { getMove, listMoves } from "./get.ts";
export { lookAtMove } from "./look.ts";
export { previewMove } from "./preview.ts";
export { startMove } from "./start.ts";
