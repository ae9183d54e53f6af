-- Pods of a Kubernetes cluster are named "namespace/pod", and their workload "kind namespace/name": labels of another
-- namespace select nothing, and workloads of two kinds may have one name.
-- The one before stays for controllers of the version before, which may still run.
CREATE FUNCTION "exposes"(exposed jsonb, instance_name text, instance_workload text, instance_labels jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN exposed ->> 'kind' = 'selector' THEN instance_labels @> (exposed -> 'selector')
      AND (instance_name NOT LIKE '%/%' OR starts_with(instance_name, (exposed ->> 'namespace') || '/'))
    ELSE instance_workload = (exposed ->> 'kind') || ' ' || (exposed ->> 'namespace') || '/' || (exposed ->> 'name')
      OR instance_workload = (exposed ->> 'namespace') || '/' || (exposed ->> 'name')
      OR (exposed ->> 'namespace' = 'default' AND instance_workload = exposed ->> 'name') END
$$;
