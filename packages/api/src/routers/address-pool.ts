import { idOf, pageOf } from "@fairlead/domain";
import { addressPool, createAddressPool, listAddressPools, updateAddressPool } from "@fairlead/domain/address-pool";
import * as services from "@fairlead/services";
import { byId, nothing } from "../input.ts";
import { procedure, router } from "../trpc.ts";

const tag = "Address pools";
const id = idOf("addressPool");

export const addressPoolRouter = router({
  list: procedure
    .meta({
      permission: "address-pool:read",
      rest: { method: "GET", path: "/address-pools", summary: "List address pools", tag },
    })
    .input(listAddressPools)
    .output(pageOf(addressPool))
    .query(({ ctx, input }) => services.listAddressPools(ctx, input)),

  get: procedure
    .meta({
      permission: "address-pool:read",
      rest: { method: "GET", path: "/address-pools/{id}", summary: "Read an address pool", tag },
    })
    .input(byId(id))
    .output(addressPool)
    .query(({ ctx, input }) => services.getAddressPool(ctx, input.id)),

  create: procedure
    .meta({
      permission: "address-pool:write",
      rest: {
        method: "POST",
        path: "/address-pools",
        summary: "Create an address pool",
        tag,
        status: 201,
        example: {
          clusterId: "clu_01kav3x0zq8w4m2n6r5t7y9b1c",
          name: "public",
          prefix: "192.0.2.0/24",
          note: "public addresses of the Frankfurt uplink, ask Ana",
        },
      },
    })
    .input(createAddressPool)
    .output(addressPool)
    .mutation(({ ctx, input }) => services.createAddressPool(ctx, input)),

  update: procedure
    .meta({
      permission: "address-pool:write",
      rest: {
        method: "PATCH",
        path: "/address-pools/{id}",
        summary: "Change an address pool",
        tag,
        example: { note: "public addresses of the Frankfurt uplink, ask Ana" },
      },
    })
    .input(updateAddressPool.extend({ id }))
    .output(addressPool)
    .mutation(({ ctx, input: { id, ...change } }) => services.updateAddressPool(ctx, id, change)),

  delete: procedure
    .meta({
      permission: "address-pool:write",
      rest: { method: "DELETE", path: "/address-pools/{id}", summary: "Delete an address pool", tag, status: 204 },
    })
    .input(byId(id))
    .output(nothing)
    .mutation(({ ctx, input }) => services.deleteAddressPool(ctx, input.id)),
});
