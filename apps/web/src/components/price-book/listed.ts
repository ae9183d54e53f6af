/** What a table of the book shows at most; a longer book is read by the API. */
export const listed = { limit: 200 } as const;
