-- A selector has at least one label. Workloads of other kinds could have an empty one, which meant nothing.
UPDATE exposure SET workload = workload - 'selector'
WHERE workload ->> 'kind' <> 'selector' AND workload -> 'selector' = '{}';
