/** The rows of each table. */
export type Rows = Record<string, Record<string, unknown>[]>;

export type Add = (table: string, row: Record<string, unknown>) => void;
