import { z } from "zod";
import { deniablePermissions, permissions, roles } from "./access.ts";

export const role = z.enum(roles).meta({ id: "Role" });
export const permission = z.enum(permissions).meta({ id: "Permission" });
export const deniablePermission = z.enum(deniablePermissions).meta({ id: "DeniablePermission" });
