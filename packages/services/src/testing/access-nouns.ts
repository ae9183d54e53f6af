import { newId } from "@fairlead/domain";
import {
  listApiKeys as listApiKeysInput,
  listIdentityProviders as listIdentityProvidersInput,
  listInvitations as listInvitationsInput,
  listMembers as listMembersInput,
  providerKey,
} from "@fairlead/domain/access";
import {
  createApiKey,
  createInvitation,
  deleteIdentityProvider,
  deleteInvitation,
  listApiKeys,
  listIdentityProviders,
  listInvitations,
  listMembers,
  removeMember,
  revokeApiKey,
  updateMember,
} from "../access/index.ts";
import { list, type Noun } from "./noun.ts";
import { createTestUser } from "./user.ts";

// Email addresses of users are unique over all organisations.
let places = 0;

export const accessNouns: Record<string, Noun> = {
  "api-key": {
    letter: "k",
    prepare: async (ctx) => async (n) => {
      const expiresAt = n % 2 === 0 ? new Date(ctx.now.getTime() + n * 60_000) : null;
      const spec = { name: `k${n}`, role: "viewer", scopes: ["cluster:read"], requestsPerMinute: 60 } as const;
      const { id } = await createApiKey(ctx, { ...spec, scopes: [...spec.scopes], expiresAt });
      const lastUsedAt = n % 3 === 0 ? new Date(Date.UTC(2026, 0, 1, n)) : null;
      // A real start is random and may contain any name.
      await ctx.db.apiKey.update({ where: { id }, data: { lastUsedAt, start: `s${n}` } });
      return id;
    },
    list: list(listApiKeysInput, listApiKeys),
    change: { "api-key.revoke": revokeApiKey },
  },
  invitation: {
    letter: "i",
    prepare: async (ctx) => async (n) =>
      (await createInvitation(ctx, { email: `i${n}@example.com`, role: "viewer" })).id,
    list: list(listInvitationsInput, listInvitations),
    change: { "invitation.delete": deleteInvitation },
  },
  member: {
    letter: "m",
    async prepare(ctx) {
      const place = ++places;
      return async (n) => {
        const { memberId, userId } = await createTestUser(ctx, n % 2 === 0 ? "viewer" : "operator", `m${n}`);
        await ctx.db.user.update({ where: { id: userId }, data: { email: `m${n}@place${place}.example` } });
        return memberId;
      };
    },
    list: list(listMembersInput, listMembers),
    change: {
      "member.update": (ctx, id) => updateMember(ctx, id, { role: "owner" }),
      "member.remove": removeMember,
    },
    changeNothing: (ctx, id) => updateMember(ctx, id, { role: "operator" }),
  },
  "identity-provider": {
    letter: "d",
    async prepare(ctx) {
      return async (n) => {
        const id = newId("identityProvider", ctx.now);
        const { organizationId, now: createdAt } = ctx;
        const common = { issuer: "https://login.example", domain: "example.com", clientId: "c", createdAt };
        const name = `d${n}`;
        const providerId = providerKey(organizationId, name);
        await ctx.db.ssoProvider.create({ data: { ...common, id, organizationId, providerId, name } });
        return id;
      };
    },
    list: list(listIdentityProvidersInput, listIdentityProviders),
    change: { "identity-provider.delete": deleteIdentityProvider },
  },
};
