/** The subject with bars. */
export const ours = "tcx by session";
/** The same engine without sessions. */
export const plain = "tcx direct";
