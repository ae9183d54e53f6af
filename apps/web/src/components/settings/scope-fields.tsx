"use client";
import { type Permission, permissionsOf, type Role } from "@fairlead/domain/access";
import { Button } from "@/components/ui/action/button.tsx";
import { classNames } from "@/components/ui/class-names.ts";
import { Checkbox } from "@/components/ui/form/checkbox.tsx";
import { Fieldset } from "@/components/ui/form/fieldset.tsx";
import { readScopes, scopeGroups } from "./scope-groups.ts";

/** The scopes of a key, grouped by noun. */
export function ScopeFields(props: {
  role: Role;
  scopes: Permission[];
  error: string | undefined;
  onChange: (scopes: Permission[]) => void;
}) {
  const { role, scopes, onChange } = props;
  const toggle = (permission: Permission, on: boolean) =>
    onChange(on ? [...scopes, permission] : scopes.filter((each) => each !== permission));
  return (
    <Fieldset title="Scopes" docs="apiKeys" legendClassName="mb-1 font-medium text-sm">
      <div className="mb-2 flex flex-wrap gap-2">
        <Button size="sm" onClick={() => onChange(readScopes(role))}>
          All read scopes
        </Button>
        <Button size="sm" onClick={() => onChange(permissionsOf(role))}>
          All scopes of the role
        </Button>
        <Button size="sm" variant="quiet" onClick={() => onChange([])}>
          None
        </Button>
      </div>
      <div className="grid gap-x-6 sm:grid-cols-2">
        {scopeGroups(role).map((group) => (
          <div key={group.noun} className="flex items-center gap-3 border-b py-1 text-sm">
            <span className="min-w-0 flex-1 truncate">{group.noun}</span>
            {group.scopes.map((scope) => (
              <label
                key={scope.permission}
                htmlFor={`scope-${scope.permission}`}
                className={classNames("flex items-center gap-1.5", !scope.allowed && "text-muted")}
                {...(scope.allowed ? {} : { title: `The role ${role} can't have this scope.` })}
              >
                <Checkbox
                  id={`scope-${scope.permission}`}
                  aria-label={scope.permission}
                  checked={scopes.includes(scope.permission)}
                  disabled={!scope.allowed}
                  onChange={(event) => toggle(scope.permission, event.target.checked)}
                />
                {scope.verb}
              </label>
            ))}
          </div>
        ))}
      </div>
      {props.error ? (
        <p role="alert" className="mt-1 text-bad text-xs">
          {props.error}
        </p>
      ) : null}
    </Fieldset>
  );
}
