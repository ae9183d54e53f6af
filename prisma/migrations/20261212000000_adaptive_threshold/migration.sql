-- The strategy adaptive compares what a request costs at each node, so none counts as full above a threshold.
UPDATE exposure SET parameters = parameters - 'thresholdPercent', paused_spec = paused_spec #- '{parameters,thresholdPercent}'
WHERE strategy = 'adaptive';
