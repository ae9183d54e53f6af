import { z } from "zod";

export const currencyCode = z.string().regex(/^[A-Z]{3}$/, "enter a currency such as USD");
