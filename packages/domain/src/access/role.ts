import { z } from "zod";
import { permissions, roles } from "./access.ts";

export const role = z.enum(roles).meta({ id: "Role" });
export const permission = z.enum(permissions).meta({ id: "Permission" });
