/** How many entries a table shows at most. The API returns all of them. */
export const listed = { limit: 200 } as const;
