/** The longest body of a request, for all entry points. */
export const maxBodyBytes = 1_048_576;
